import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { MAX_HEAD_BYTES } from './connections.js';

/** A resource whose `updated_at` tells its versions apart. */
interface Versioned {
  updated_at: Date;
}

@Injectable()
class EtagInterceptor implements NestInterceptor<{ data: Versioned }, { data: Versioned }> {
  intercept(
    context: ExecutionContext,
    next: CallHandler<{ data: Versioned }>,
  ): Observable<{ data: Versioned }> {
    const response = context.switchToHttp().getResponse<Response>();
    // A strong entity tag (RFC 9110, section 8.8.3): `updated_at`, as shown, in quotes.
    return next.handle().pipe(tap(({ data }) => response.set('ETag', `"${data.updated_at.toISOString()}"`)));
  }
}

/**
 * The operation changes a resource: it takes `If-Match`, see {@link IfMatch}, and its answer carries the ETag of the
 * resource in `data`.
 */
export const Conditional = () =>
  applyDecorators(
    UseInterceptors(EtagInterceptor),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'Change the resource only if this is its ETag, otherwise answer 412. The ETag is `updated_at` in double quotes.',
      schema: { type: 'string', maxLength: MAX_HEAD_BYTES, example: '"2026-11-20T12:00:00.000Z"' },
    }),
  );

/** The versions that `If-Match` allows; undefined: any, because the header is not there or is `*`. */
export type ExpectedVersions = Date[] | undefined;

/** `If-Match` (RFC 9110, section 13.1.1) as versions. Tags that are weak, or not ours, match nothing. */
export const IfMatch = createParamDecorator((_data: unknown, context: ExecutionContext): ExpectedVersions => {
  const header = context.switchToHttp().getRequest<Request>().headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const [, time = ''] = /^\s*"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"\s*$/.exec(tag) ?? [];
    const version = new Date(time);
    // A tag is compared to the letter: "…02-30T…" parses, but is no version's.
    return !Number.isNaN(version.getTime()) && version.toISOString() === time ? [version] : [];
  });
});
