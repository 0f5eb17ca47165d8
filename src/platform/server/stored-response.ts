import type { Response } from 'express';

/**
 * The errors that are stored: those of the state that the request has found. A fault of its form is not, so that the client
 * can mend it under the same key; neither is 429 or a 5xx, which the client repeats.
 */
export const STORED_ERRORS: ReadonlySet<number> = new Set([404, 409, 412]);

/** The header of a replay. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' };

/** A response that was stored, with its bytes. `ServerExpressAdapter.reply` sends it as it is. */
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
