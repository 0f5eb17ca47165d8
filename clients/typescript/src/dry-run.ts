import type { components } from './schema.js';

/** Effects that writes would have: their differences as JSON Patch (RFC 6902), and the messages that they would cause. */
export type DryRun = components['schemas']['DryRun'];

/** Sends the requests of a dry run. The service runs writes with all checks, and rolls them back. */
export class DryRunSender {
  private readonly found: DryRun[] = [];

  constructor(private readonly sendNow: (request: Request) => Promise<Response>) {}

  /** Effects of all writes that were sent. A write without a response body adds none. */
  get effects(): DryRun {
    const all = this.found.map(({ notifications }) => notifications);
    return {
      changes: this.found.flatMap(({ changes }) => changes),
      notifications: {
        email: all.reduce((sum, { email }) => sum + email, 0),
        webhook: all.reduce((sum, { webhook }) => sum + webhook, 0),
        pages: [...new Set(all.flatMap(({ pages }) => pages))].toSorted(),
      },
    };
  }

  /** Sends a request. A write gets `dry_run=true`, and no `Idempotency-Key`, because the service stores no response. */
  async send(request: Request): Promise<Response> {
    if (request.method === 'GET') return this.sendNow(request);
    const url = new URL(request.url);
    url.searchParams.set('dry_run', 'true');
    const { method, signal } = request;
    const headers = new Headers(request.headers);
    headers.delete('Idempotency-Key');
    const content = await request.arrayBuffer();
    const body = content.byteLength === 0 ? null : content;
    const response = await this.sendNow(new Request(url, { method, headers, body, signal }));
    if (response.ok) this.record(await response.clone().text());
    return response;
  }

  private record(body: string): void {
    const parsed: { dry_run?: DryRun | boolean } = body === '' ? {} : JSON.parse(body);
    if (typeof parsed.dry_run === 'object') this.found.push(parsed.dry_run);
  }
}
