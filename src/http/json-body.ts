import { MIMEType } from 'node:util';
import type { Request } from 'express';
import { ACCEPT_PATCH } from './methods.js';
import { Problem } from './problems.js';

/** Bytes of a body, at the most. */
export const MAX_BODY_BYTES = 256 * 1024;
const TYPES: readonly string[] = ACCEPT_PATCH.split(', ');

/**
 * The body of a request as a JSON object (RFC 8259), in UTF-8 and of a type that we take.
 * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`, 400 `malformed_json` or `malformed_request`
 */
export async function readJsonBody(request: Request): Promise<object> {
  const { 'content-type': type, 'content-length': length, 'content-encoding': coding } = request.headers;
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(length) > 0;
  if (!hasBody) throw malformed('The body is empty; send a JSON object');
  if (!isJson(type)) throw unsupported('The body must be application/json or application/merge-patch+json');

  if (coding !== undefined && coding !== 'identity')
    throw unsupported('The body must be sent without Content-Encoding');
  const bytes = await readBytes(request, Number(length ?? 0));
  if (bytes.length === 0) throw malformed('The body is empty; send a JSON object');

  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw malformed('The body is not valid UTF-8');
    const [place] = /at position \d+/.exec(error.message) ?? [];
    throw malformed(`The body is not valid JSON${place ? `, ${place}` : ''}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('The body must be a JSON object');
  }
  return value;
}

function isJson(header: string | undefined): boolean {
  try {
    const { essence, params } = new MIMEType(header ?? '');
    return TYPES.includes(essence) && /^utf-8$/i.test(params.get('charset') ?? 'utf-8');
  } catch {
    return false;
  }
}

function malformed(detail: string): Problem {
  return new Problem('malformed_json', { detail });
}

function unsupported(detail: string): Problem {
  return new Problem('unsupported_media_type', { detail, headers: { 'Accept-Patch': ACCEPT_PATCH } });
}

/** The whole body; one that is too large is refused as soon as that is known, not when all of it has come. */
async function readBytes(request: Request, announced: number): Promise<Buffer> {
  const tooLarge = () =>
    new Problem('payload_too_large', { detail: `The body may have up to ${MAX_BODY_BYTES} bytes` });
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Not destroyed, because the answer goes out on the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(bytes);
    }
  } catch (error) {
    request.resume(); // what still comes is dropped, so that the connection can go on
    throw error instanceof Problem
      ? error
      : new Problem('malformed_request', { detail: 'The body ended early' });
  }
  return Buffer.concat(chunks);
}
