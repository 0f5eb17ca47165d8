import { CommandError, EXIT, usageError } from './errors.js';
import type { Settings } from './settings.js';

const IDEMPOTENCY_KEY = 'Idempotency-Key';
const MAX_KEY = 255;

type Fetch = (request: Request) => Promise<Response>;

/** Sends the requests of a command. An error of the network becomes a {@link CommandError}. */
export class Connection {
  /** Body of the last request; empty: none. */
  requestBody = '';
  /** Whether a request was no read. */
  hasWritten = false;
  /** Sentences about requests that succeeded, without their period. */
  readonly warnings: string[] = [];
  /** Keys that the client has generated, in the order of their requests. A retry has the key of its request. */
  private readonly generatedKeys: string[] = [];

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
    this.hasWritten ||= request.method !== 'GET';
    const { url, timeout } = this.settings;
    this.setIdempotencyKey(request);
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
    if (response.ok) this.warnings.push(...warningsIn(body));
    return new Response(body === '' ? null : body, { status, headers });
  }

  /** Gives each POST of a call its own key, derived from `--idempotency-key`. */
  private setIdempotencyKey({ method, headers }: Request): void {
    const { idempotencyKey } = this.settings;
    if (method !== 'POST' || idempotencyKey === undefined) return;
    const generated = headers.get(IDEMPOTENCY_KEY) ?? '';
    if (!this.generatedKeys.includes(generated)) this.generatedKeys.push(generated);
    const number = this.generatedKeys.indexOf(generated) + 1;
    headers.set(
      IDEMPOTENCY_KEY,
      number === 1 ? idempotencyKey : `${idempotencyKey.slice(0, MAX_KEY - 3)}-${number}`,
    );
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

/** Returns the texts of `warnings` in the body of a response. */
function warningsIn(body: string): string[] {
  const parsed: unknown = body === '' ? undefined : JSON.parse(body);
  if (typeof parsed !== 'object' || parsed === null || !('warnings' in parsed)) return [];
  const { warnings } = parsed;
  if (!Array.isArray(warnings)) return [];
  return warnings.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'detail' in one ? [String(one.detail)] : [],
  );
}
