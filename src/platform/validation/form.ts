import type { Request } from 'express';
import { readFile } from './body.js';

/**
 * Reads the fields of an HTML form (`application/x-www-form-urlencoded`). U+FFFD stands for bytes that are not UTF-8.
 * @param maxBytes maximum size of the form
 * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`, 429 `rate_limited`, 503 `unavailable`
 */
export async function readForm(request: Request, maxBytes: number): Promise<URLSearchParams> {
  const bytes = await readFile(request, { types: ['application/x-www-form-urlencoded'], maxBytes });
  return new URLSearchParams(Buffer.from(bytes).toString());
}
