import { CommandError, EXIT, usageError } from './errors.js';
import type { Settings } from './settings.js';

type Fetch = (request: Request) => Promise<Response>;

/** Sends the requests of a command. An error of the network becomes a {@link CommandError}. */
export class Connection {
  /** Body of the last request; empty: none. */
  requestBody = '';

  constructor(
    private readonly settings: Settings,
    private readonly fetch: Fetch,
  ) {}

  /**
   * Sends a request, and reads the whole response. Does not follow redirects, because `fetch` would send a redirected POST as
   * GET.
   */
  async send(request: Request): Promise<Response> {
    this.requestBody = await request.clone().text();
    const { url, timeout, idempotencyKey } = this.settings;
    if (request.method === 'POST' && idempotencyKey !== undefined)
      request.headers.set('Idempotency-Key', idempotencyKey);
    const { response, body } = await this.exchange(request).catch((error: unknown) => {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      const reason = isTimeout ? `no response within ${timeout} s` : reasonOf(error);
      throw new CommandError(`Could not reach ${url}: ${reason}.`, EXIT.unavailable);
    });
    const { status, headers } = response;
    if (status >= 300 && status < 400)
      throw usageError(
        `${url} redirects to ${headers.get('Location')}. Set STATUS_PAGES_URL or --url to that server.`,
      );
    if (response.ok && body !== '' && !headers.get('Content-Type')?.includes('json'))
      throw usageError(`${url} did not respond with JSON. Check STATUS_PAGES_URL or --url.`);
    return new Response(body === '' ? null : body, { status, headers });
  }

  private async exchange(request: Request): Promise<{ response: Response; body: string }> {
    const signal = AbortSignal.timeout(this.settings.timeout * 1000);
    const response = await this.fetch(new Request(request, { redirect: 'manual', signal }));
    return { response, body: await response.text() };
  }
}

/** The errors of `fetch` have their reason in `cause`. If a host has several addresses, its message is empty. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
