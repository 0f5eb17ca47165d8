import type { Request } from 'express';
import { Problem } from '../problems/problem.js';
import { readBytes } from './body.js';

const TYPE = 'multipart/form-data';

/** Maximum size of the fields beside the file, and of the boundaries. */
const MAX_OTHER_BYTES = 16 * 1024;

/** A sent form that can contain a file. */
export interface SentFile {
  sent: URLSearchParams;
  /** Bytes of the first file; undefined: none was chosen. */
  file: Uint8Array | undefined;
}

/** Returns whether a request has the body of a form with a file. */
export function isMultipart({ headers }: Request): boolean {
  return headers['content-type']?.toLowerCase().startsWith(TYPE) ?? false;
}

/**
 * Reads an HTML form with a file (`multipart/form-data`, RFC 7578).
 * @param maxFile maximum size of the file in bytes
 * @throws Problem 413 `payload_too_large`, 400 `malformed_request`, 429 `rate_limited`, 503 `unavailable`
 */
export async function readUpload(request: Request, maxFile: number): Promise<SentFile> {
  const bytes = await readBytes(request, { types: [TYPE], maxBytes: maxFile + MAX_OTHER_BYTES }).catch(
    (error: unknown) => {
      if (error instanceof Problem && error.code === 'payload_too_large')
        throw new Problem('payload_too_large', { detail: `The file must have at most ${maxFile} bytes` });
      throw error;
    },
  );
  const headers = { 'Content-Type': request.headers['content-type'] ?? TYPE };
  const form = await new Response(Buffer.from(bytes), { headers }).formData().catch(() => {
    throw new Problem('malformed_request', { detail: 'The body is no valid form' });
  });
  const sent = new URLSearchParams();
  let file: Uint8Array | undefined;
  for (const [name, value] of form)
    if (typeof value === 'string') sent.append(name, value);
    else if (value.size > 0) file ??= new Uint8Array(await value.arrayBuffer());
  return { sent, file };
}
