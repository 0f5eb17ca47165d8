import { MIMEType } from 'node:util';
import { raw, type Request, type Response } from 'express';
import { ACCEPT_PATCH } from './methods.js';
import { Problem } from './problems.js';

const MAX_BODY_BYTES = 256 * 1024;
const TYPES: readonly string[] = ACCEPT_PATCH.split(', ');

// Content-Encoding (gzip, deflate, br) is undone by it; the limit holds for what comes out.
const readBody = raw({ type: () => true, limit: MAX_BODY_BYTES });

/**
 * The body of a request as a JSON object (RFC 8259), in UTF-8 and of a type that we take.
 * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`, 400 `malformed_json` or `malformed_request`
 */
export async function readJsonBody(request: Request, response: Response): Promise<object> {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && !(Number(length) > 0))
    throw malformed('The body is empty; send a JSON object');
  if (!isJson(type)) throw unsupported('The body must be application/json or application/merge-patch+json');

  await new Promise<void>((resolve, reject) => {
    readBody(request, response, (error?: unknown) => (error ? reject(toProblem(error)) : resolve()));
  });
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes)) throw malformed('The body is empty; send a JSON object');

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

/** body-parser tells the client's faults by a status, and which one by `type`; anything else is not the client's. */
function toProblem(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('status' in error)) return error;
  const type = 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') {
    return new Problem('payload_too_large', { detail: `The body may have up to ${MAX_BODY_BYTES} bytes` });
  }
  if (type === 'encoding.unsupported') {
    return unsupported('The body must be sent plain, or with Content-Encoding gzip, deflate or br');
  }
  const isClients = Number(error.status) >= 400 && Number(error.status) < 500;
  return isClients
    ? new Problem('malformed_request', { detail: 'The body could not be read, or ended early' })
    : error;
}
