/** Options for retries after 429 and 503. */
export interface RetryOptions {
  /** Maximum number of retries of a request; 0: never. Default 4. */
  maxRetries?: number;
  /** Maximum wait before a retry, in seconds. A request that would have to wait longer fails. Default 60. */
  maxRetryAfter?: number;
}

const DEFAULT_MAX_RETRIES = 4;
const DEFAULT_MAX_RETRY_AFTER = 60;
const FIRST_WAIT_MS = 500;
const IDEMPOTENCY_KEY = 'Idempotency-Key';

/**
 * Adds retries to `fetch`. After 429 and 503, it waits for `Retry-After` (RFC 9110, section 10.2.3: seconds, or a
 * date), or else for half a second, doubled at each retry. After 503, it does not retry a request with `If-Match`,
 * because the server may have executed it before the database failed, and would return 412. A retried DELETE can get
 * 404. Each POST gets an `Idempotency-Key`, unless it has one, so that the server executes it once.
 */
export function withRetries(
  send: (request: Request) => Promise<Response>,
  { maxRetries = DEFAULT_MAX_RETRIES, maxRetryAfter = DEFAULT_MAX_RETRY_AFTER }: RetryOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === 'POST' && !request.headers.has(IDEMPOTENCY_KEY))
      request.headers.set(IDEMPOTENCY_KEY, crypto.randomUUID());
    for (let retries = 0; ; retries++) {
      const response = await send(request.clone()); // a body can be read only once
      if (retries >= maxRetries || !isWorthRetrying(request, response)) return response;
      const wait = retryAfterMs(response) ?? FIRST_WAIT_MS * 2 ** retries;
      if (wait > maxRetryAfter * 1000) return response;
      await response.body?.cancel();
      await sleep(wait, request.signal);
    }
  };
}

/** 409 with `Retry-After`: the first request with this `Idempotency-Key` is in progress. */
function isWorthRetrying(request: Request, { status, headers }: Response): boolean {
  if (status === 409) return request.headers.has(IDEMPOTENCY_KEY) && headers.has('Retry-After');
  return status === 429 || (status === 503 && !request.headers.has('If-Match'));
}

/** `Retry-After` of a response in milliseconds from now; undefined if it is missing or malformed. */
export function retryAfterMs(response: Response): number | undefined {
  const value = response.headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
