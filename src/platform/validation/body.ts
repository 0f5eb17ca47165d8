import { createHash } from 'node:crypto';
import { MIMEType } from 'node:util';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { leaveTurn, withoutTurn } from '@status-pages/fair-admission';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { BodyBytes } from '../server/body-bytes.js';
import { ACCEPT_PATCH } from '../server/methods.js';
import { Problem } from '../problems/problem.js';
import { isObject } from './json.js';
import { JsonSize, MAX_ESCAPE_RATIO } from './json-size.js';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Media types and maximum size of a body. */
export interface BodyFormat {
  /** Allowed media types, in UTF-8. */
  types: readonly string[];
  maxBytes: number;
  /** Accepts any or no `Content-Type`, because the handler recognizes the format by the content. */
  isRecognized?: boolean;
  /** Measures the body without the `\u` escapes of JSON. */
  isUnescaped?: boolean;
}

/**
 * Maximum size of a JSON body, in which each escape such as `\u3042` counts as its character in UTF-8. So a text of the maximum
 * number of characters fits in every encoding.
 */
export const MAX_BODY_BYTES = 256 * 1024;

/** Format of all bodies except files. */
const JSON_BODY: BodyFormat = {
  types: ACCEPT_PATCH.split(', '),
  maxBytes: MAX_BODY_BYTES,
  isUnescaped: true,
};

const FILE = 'http:file';
/** Maximum size of a file. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;

/**
 * Declares that the body is a file in the format of other software, of up to 5 MiB by default. The handler receives its bytes:
 *
 *     @Post('gatus')
 *     @TakesFile(['application/yaml'], 'A `config.yaml` file.', 'endpoints: []')
 *     async import(@Body() file: Uint8Array) {}
 *
 * @param types the allowed media types
 * @param example a small valid file: an object for JSON, otherwise a text
 */
export const TakesFile = (
  types: readonly string[],
  description: string,
  example: string | object,
  maxBytes = MAX_FILE_BYTES,
) =>
  applyDecorators(
    SetMetadata<string, BodyFormat>(FILE, { types, maxBytes }),
    ApiConsumes(...types),
    ApiBody({
      description,
      required: true,
      schema:
        typeof example === 'string'
          ? { type: 'string', maxLength: maxBytes, example }
          : { type: 'object', additionalProperties: true, example },
    }),
  );

/**
 * Declares that the body is a file like {@link TakesFile}, with any `Content-Type`. The handler recognizes its format by the
 * content.
 * @param example a small valid text file in the first of the media types
 */
export const TakesRecognizedFile = (
  types: readonly string[],
  description: string,
  example: string,
  maxBytes: number,
) =>
  applyDecorators(
    SetMetadata<string, BodyFormat>(FILE, { types, maxBytes, isRecognized: true }),
    ApiConsumes(...types),
    ApiBody({
      description,
      required: true,
      schema: { type: 'string', format: 'binary', maxLength: maxBytes, example },
    }),
  );

/** Returns the file format of a handler with `@TakesFile`. */
export function fileTakenBy(handler: object): BodyFormat | undefined {
  return Reflect.getMetadata(FILE, handler);
}

/**
 * Reads the JSON object in a request body.
 * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`, 400 `malformed_json`, `malformed_request`
 */
export async function readBody(request: Request): Promise<object> {
  // A POST without required fields needs no body. In other cases, validation reports the missing fields.
  if (!hasBody(request) && request.method === 'POST') return {};
  return parseJson(await readBytes(request, JSON_BODY));
}

/**
 * Reads a file in a request body. Returns an empty file without a body. Files have their own limits.
 * @throws Problem as {@link readBytes}
 */
export async function readFile(request: Request, format: BodyFormat): Promise<Uint8Array> {
  const bytes = await readBytes(request, format);
  leaveTurn(request);
  return bytes;
}

/**
 * Reads the bytes of a request body. Returns no bytes without a body.
 * @throws Problem 429 `rate_limited`, 503 `unavailable` as {@link BodyBytes}; 415 `unsupported_media_type`, 413
 * `payload_too_large`, 400 `malformed_request`
 */
export async function readBytes(request: Request, format: BodyFormat): Promise<Uint8Array> {
  const { types, maxBytes, isRecognized } = format;
  const { 'content-type': type, 'content-length': length, 'content-encoding': coding } = request.headers;
  if (!hasBody(request)) return Buffer.of();
  if (!isRecognized && !isAllowedType(types, type))
    throw unsupported(request, `The body must be ${types.join(' or ')}, in UTF-8`);
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    throw unsupported(request, 'The body must be sent without Content-Encoding');
  const isTooLarge = Number(length ?? 0) > largestOf(format); // `receive` rejects it without reading it
  if (!isTooLarge) bodyBytes.reserve(request, Number(length ?? maxBytes));
  const read = () => receive(request, length ?? null, format);
  // Small bodies usually arrive together with their headers.
  const bytes = await (request.complete ? read() : withoutTurn(request, read));
  if (request.headers['idempotency-key'] !== undefined) hashes.set(request, hashOf(bytes));
  return bytes;
}

const hashes = new WeakMap<Request, Buffer>();

/** Returns the SHA-256 of the received body, for a request with an `Idempotency-Key`. */
export function bodyHashOf(request: Request): Buffer {
  return hashes.get(request) ?? hashOf('');
}

function hashOf(bytes: Uint8Array | string): Buffer {
  return createHash('sha256').update(bytes).digest();
}

const bodyBytes = new BodyBytes();

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

/**
 * Parses a JSON object (RFC 8259) in UTF-8.
 * @throws Problem 400 `malformed_json`
 */
export function parseJson(bytes: Uint8Array): object {
  if (bytes.length === 0) throw malformed('The text is empty; expected a JSON object');
  let value: unknown;
  try {
    value = JSON.parse(UTF_8.decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw malformed('The text contains invalid UTF-8');
    const [position] = /at position \d+/.exec(error.message) ?? [];
    throw malformed(`The text contains invalid JSON${position ? ` ${position}` : ''}`);
  }
  if (!isObject(value)) throw malformed('The top level must be a JSON object');
  return value;
}

function isAllowedType(types: readonly string[], header = ''): boolean {
  if (types.includes(header)) return true; // the usual case, which needs no parsing
  if (header.length > 256) return false; // MIMEType takes quadratic time for many spaces
  try {
    const { essence, params } = new MIMEType(header);
    return types.includes(essence) && /^utf-8$/i.test(params.get('charset') ?? 'utf-8');
  } catch {
    return false;
  }
}

function malformed(detail: string): Problem {
  return new Problem('malformed_json', { detail });
}

function unsupported({ method }: Request, detail: string): Problem {
  return new Problem('unsupported_media_type', {
    detail,
    ...(method === 'PATCH' && { headers: { 'Accept-Patch': ACCEPT_PATCH } }),
  });
}

/** Returns the maximum number of bytes that a body can have, if they are `\u` escapes in JSON. */
function largestOf({ maxBytes, isUnescaped }: BodyFormat): number {
  return isUnescaped ? maxBytes * MAX_ESCAPE_RATIO : maxBytes;
}

/** Receives the body. Rejects a body that is too large as soon as the size is known. */
async function receive(request: Request, contentLength: string | null, format: BodyFormat): Promise<Buffer> {
  const { maxBytes } = format;
  const stop =
    format.isUnescaped && Number(contentLength ?? Infinity) > maxBytes
      ? stopAbove(maxBytes, request, contentLength === null)
      : undefined;
  try {
    return await getRawBody(request, { length: contentLength, limit: largestOf(format) });
  } catch (error) {
    request.resume(); // discards the rest of the body, so that the connection can be reused
    if (error instanceof Problem) throw error;
    throw error instanceof Error && 'type' in error && error.type === 'entity.too.large'
      ? tooLarge(maxBytes)
      : new Problem('malformed_request', { detail: 'The body ended early' });
  } finally {
    stop?.();
  }
}

/**
 * Ends the reading of a body with an error as soon as it has more than `maxBytes` without escapes. Without a known length, it also
 * reserves the memory for what exceeds `maxBytes`.
 * @returns a function that ends the observation
 */
function stopAbove(maxBytes: number, request: Request, isUnknown: boolean): () => void {
  const size = new JsonSize();
  let received = 0;
  let reserved = isUnknown ? maxBytes : Infinity;
  const observe = (chunk: Buffer) => {
    received += chunk.length;
    try {
      if (size.add(chunk) > maxBytes) throw tooLarge(maxBytes);
      for (; received > reserved; reserved += maxBytes) bodyBytes.reserve(request, maxBytes);
    } catch (error) {
      request.emit('error', error); // `raw-body` stops reading
    }
  };
  request.on('data', observe);
  return () => request.off('data', observe);
}

function tooLarge(maxBytes: number): Problem {
  return new Problem('payload_too_large', { detail: `The body must have at most ${maxBytes} bytes` });
}
