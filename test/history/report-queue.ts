import type { Tenant, TestServer } from '../support/server.js';
import type { Reported } from './model.js';

interface Report {
  monitor_id: string;
  status: Reported;
  observed_at: string;
}

/** Sends the reports of concurrent sequences in one request. Their monitors differ. */
export class ReportQueue {
  private waiting: { reports: Report[]; done: (answer: Promise<void>) => void }[] = [];

  constructor(
    private readonly server: TestServer,
    private readonly tenant: Tenant,
  ) {}

  async send(reports: Report[]): Promise<void> {
    const answer = new Promise<void>((done) => {
      this.waiting.push({ reports, done });
    });
    if (this.waiting.length === 1) setImmediate(() => this.flush());
    return answer;
  }

  private flush(): void {
    const batch = this.waiting;
    this.waiting = [];
    const answer = this.post(batch.flatMap(({ reports }) => reports));
    for (const { done } of batch) done(answer);
  }

  private async post(reports: Report[]): Promise<void> {
    const { key, project_id } = this.tenant;
    const json = { project_id, reports };
    const { status, text } = await this.server.ask('/v1/monitor-reports', { method: 'POST', key, json });
    if (status !== 200) throw new Error(`POST /v1/monitor-reports: ${status} ${text}`);
  }
}
