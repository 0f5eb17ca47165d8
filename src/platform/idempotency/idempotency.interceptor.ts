import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { ActorAccess } from '../auth/actor.js';
import { hasJsonText, withJsonText } from '../database/raw-json.js';
import { Problem } from '../problems/problem.js';
import { bodyOf, statusOf, toProblem } from '../problems/problem.filter.js';
import { etagOf } from '../server/etag.js';
import { idempotencyKeyOf } from '../server/idempotency-key.js';
import { STORED_ERRORS, StoredResponse } from '../server/stored-response.js';
import { bodyHashOf } from '../validation/body.js';
import { IdempotencyService } from './idempotency.service.js';

/** Metadata key: the names of the fields that are null in a replay. */
export const SECRETS = 'idempotency:secrets';

/** Headers that a handler or its interceptors set. */
const OWN_HEADERS = ['Location'];

/** Handles a POST with `Idempotency-Key` at most once. Used by `@AcceptsIdempotencyKey()`. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(
    private readonly service: IdempotencyService,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const key = idempotencyKeyOf(request);
    const { actor } = request;
    if (key === undefined || actor?.type !== 'api_key') return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    const secrets = this.reflector.get<string[] | undefined>(SECRETS, context.getHandler()) ?? [];
    return from(
      this.service.run({
        api_key: actor,
        key,
        ...fingerprintsOf(request, actor),
        handle: () => lastValueFrom(next.handle()),
        responseTo: (result) => toStored(result, response, secrets),
        responseToError: (error) => toStoredError(error, request),
      }),
    );
  }
}

function fingerprintsOf(request: Request, { project_ids }: ActorAccess) {
  const { method, originalUrl, headers } = request;
  const { 'if-match': ifMatch = '' } = headers; // headers contain no line breaks
  return {
    fingerprint: createHash('sha256')
      .update(`${method} ${originalUrl}\n${ifMatch}`)
      .update(bodyHashOf(request))
      .digest(),
    projects: project_ids ? createHash('sha256').update(project_ids.toSorted().join()).digest() : Buffer.of(),
  };
}

/** Returns the response to store and replay for a result. It contains no secrets. */
function toStored(result: unknown, response: Response, secrets: string[]): StoredResponse {
  const headers: Record<string, string> = {};
  for (const name of OWN_HEADERS) {
    const value = response.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  if (result === undefined) return new StoredResponse(response.statusCode, headers, '');
  const etag = etagOf(result);
  if (etag) headers['ETag'] = etag;
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const text = hasJsonText(result) ? withJsonText(result) : JSON.stringify(result);
  return new StoredResponse(response.statusCode, headers, secrets.length > 0 ? hide(secrets, text) : text);
}

/** Sets the secrets of the resource to null. */
function hide(secrets: string[], text: string): string {
  return JSON.stringify(JSON.parse(text, (name, value: unknown) => (secrets.includes(name) ? null : value)));
}

function toStoredError(error: unknown, { id, body }: Request): StoredResponse | undefined {
  const problem = toProblem(error, body);
  const status = statusOf(problem);
  const isOurs = problem instanceof Problem && problem.code === 'idempotency_key_in_use';
  if (isOurs || !STORED_ERRORS.has(status)) return undefined;
  const headers = { 'Content-Type': 'application/problem+json; charset=utf-8' };
  return new StoredResponse(status, headers, JSON.stringify(bodyOf(problem, String(id))));
}
