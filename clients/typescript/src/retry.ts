/** How requests are repeated that the server had to refuse. */
export interface RetryOptions {
  /** How often a request is repeated, at the most; 0: never. By default 4. */
  maxRetries?: number;
  /** The longest wait, in seconds, before a repetition: a request that would have to wait longer fails. By default 60. */
  maxRetryAfter?: number;
}

const DEFAULT_MAX_RETRIES = 4;
const DEFAULT_MAX_RETRY_AFTER = 60;
const FIRST_WAIT_MS = 500;

/**
 * `fetch`, but a request that was answered 429 or 503 is sent again, after as long as `Retry-After` says (RFC 9110, section
 * 10.2.3: seconds, or a date); without it, after half a second, then twice as long each time. After 503 neither a POST nor a
 * request with `If-Match` is sent again: the server may have done it before its database went away, and would do it
 * twice, or refuse it as changed meanwhile. A DELETE that had been done is answered 404.
 */
export function withRetries(
  send: (request: Request) => Promise<Response>,
  { maxRetries = DEFAULT_MAX_RETRIES, maxRetryAfter = DEFAULT_MAX_RETRY_AFTER }: RetryOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let retries = 0; ; retries++) {
      const response = await send(request.clone()); // a body can be read once only
      if (retries >= maxRetries || !isWorthRetrying(request, response)) return response;
      const wait = retryAfterMs(response) ?? FIRST_WAIT_MS * 2 ** retries;
      if (wait > maxRetryAfter * 1000) return response;
      await response.body?.cancel();
      await sleep(wait, request.signal);
    }
  };
}

function isWorthRetrying({ method, headers }: Request, { status }: Response): boolean {
  return status === 429 || (status === 503 && method !== 'POST' && !headers.has('If-Match'));
}

/** The `Retry-After` of a response in milliseconds from now; undefined: it has none that can be read. */
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
