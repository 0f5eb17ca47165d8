import type { Answer, One } from '../support/server.js';
import { useResource } from '../support/use-resource.js';

/** Response of `POST /v1/monitor-reports`. */
export interface Result {
  reports: number;
  changed: number;
}

/** A report as sent. The time is in seconds after the start in {@link useReports}. */
export type Sent = [status: string, at: number, monitor?: string];

/** A stored run, in seconds after the start. */
export type StoredRun = [status: string, first: number, last: number];

/** A server with a tenant, and helpers to report its monitors. */
export function useReports() {
  const { server, tenant, ask } = useResource<Result>('/v1/monitor-reports');
  /** A full second an hour ago. */
  const start = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
  const timeAt = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

  /** Creates a monitor. */
  async function monitor(stale_after_seconds: number | null = null): Promise<string> {
    const json = { project_id: tenant.project_id, name: 'Monitor', stale_after_seconds };
    const { body } = await server.ask<One<{ id: string }>>('/v1/monitors', {
      method: 'POST',
      key: tenant.key,
      json,
    });
    return body.data.id;
  }

  const post = (reports: unknown): Promise<Answer<One<Result>>> =>
    ask('POST', '', { project_id: tenant.project_id, reports });

  /** Sends reports of one monitor in one request. Returns the number of changes. */
  async function report(monitor_id: string, ...reports: Sent[]): Promise<number> {
    const { status, text, body } = await post(
      reports.map(([of, at]) => ({ monitor_id, status: of, observed_at: timeAt(at) })),
    );
    if (status !== 200) throw new Error(text);
    return body.data.changed;
  }

  /** Returns the stored runs of a monitor, the current one last. */
  async function runsOf(monitor_id: string): Promise<StoredRun[]> {
    const rows = await server.sql<{ status: string; started_at: Date; last_observed_at: Date }[]>(
      `SELECT status, started_at, last_observed_at FROM monitor_runs WHERE monitor_id = $1
        UNION ALL
       SELECT status, started_at, last_observed_at FROM monitor_states WHERE monitor_id = $1 AND status IS NOT NULL
        ORDER BY started_at`,
      [monitor_id],
    );
    const seconds = (time: Date): number => Math.ceil((time.getTime() - start) / 1000);
    return rows.map(({ status, started_at, last_observed_at }) => [
      status,
      seconds(started_at),
      seconds(last_observed_at),
    ]);
  }

  return { server, tenant, ask, timeAt, monitor, post, report, runsOf };
}
