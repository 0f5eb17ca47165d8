import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { MIMEType } from 'node:util';
import { raw, type Request, type Response } from 'express';
import type { Observable } from 'rxjs';
import { ACCEPT_PATCH } from './methods.js';
import { Problem, validationFailed } from './problems.js';
import { unknownParameter } from './validation.js';

const MAX_BODY_BYTES = 256 * 1024;
const TYPES: readonly string[] = ACCEPT_PATCH.split(', ');

// Content-Encoding (gzip, deflate, br) is undone by it; the limit holds for what comes out.
const readBody = raw({ type: () => true, limit: MAX_BODY_BYTES });

/**
 * Reads the body for the handlers that declare one, and refuses query parameters to those that declare none.
 * An interceptor, because it must come after the guards (401, 403) and before the pipes (400).
 */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    if (!declares(context, RouteParamtypes.QUERY)) refuseQuery(request);
    if (declares(context, RouteParamtypes.BODY)) {
      request.body = await readJson(request, context.switchToHttp().getResponse<Response>());
    }
    return next.handle();
  }
}

function declares(context: ExecutionContext, kind: RouteParamtypes): boolean {
  const declared: unknown = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    context.getClass(),
    context.getHandler().name,
  );
  return Object.keys(declared ?? {}).some((key) => key.startsWith(`${kind}:`));
}

function refuseQuery({ query }: Request): void {
  const names = Object.keys(query);
  if (names.length === 0) return;
  throw validationFailed(names.map(unknownParameter));
}

/** The body as a JSON object (RFC 8259), in UTF-8 and of a type that we take. */
async function readJson(request: Request, response: Response): Promise<object> {
  const type = request.headers['content-type'];
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  if (!hasBody) throw new Problem('malformed_json', { detail: 'The body is empty; send a JSON object' });
  if (!isJson(type)) throw unsupported('The body must be application/json or application/merge-patch+json');

  await new Promise<void>((resolve, reject) => {
    readBody(request, response, (error?: unknown) => (error ? reject(toProblem(error)) : resolve()));
  });
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes))
    throw new Problem('malformed_json', { detail: 'The body is empty; send a JSON object' });

  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const detail =
      error instanceof SyntaxError ? 'The body is not valid JSON' : 'The body is not valid UTF-8';
    throw new Problem('malformed_json', { detail });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('malformed_json', { detail: 'The body must be a JSON object' });
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

function unsupported(detail: string): Problem {
  return new Problem('unsupported_media_type', { detail, headers: { 'Accept-Patch': ACCEPT_PATCH } });
}

/** What body-parser says by its `type` property. */
function toProblem(error: unknown): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new Problem('payload_too_large', { detail: `The body may have up to ${MAX_BODY_BYTES} bytes` });
    case 'encoding.unsupported':
      return unsupported('The body must be sent plain, or with Content-Encoding gzip, deflate or br');
    case 'request.aborted':
    case 'request.size.invalid':
      return new Problem('malformed_request', { detail: 'The body ended early' });
    default:
      // What is left is compressed data that is none (zlib errors).
      return new Problem('malformed_request', { detail: 'The body could not be read' });
  }
}
