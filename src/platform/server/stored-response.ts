import type { Response } from 'express';

/**
 * Only errors about resource state (404, 409, 412) are stored. Validation errors are not stored, so the client can fix the
 * request and reuse the key. 429 and 5xx are not stored because the client retries them.
 */
export const STORED_ERRORS: ReadonlySet<number> = new Set([404, 409, 412]);

/** Header of a replay. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' };

/** A stored response. `ServerExpressAdapter.reply` sends it unchanged. */
export class StoredResponse {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly body: string,
  ) {}

  /** Sends the response again. */
  send(response: Response): void {
    response.status(this.status).set(this.headers).set(REPLAYED);
    if (this.body !== '') response.set('Content-Length', String(Buffer.byteLength(this.body)));
    response.end(this.body);
  }
}
