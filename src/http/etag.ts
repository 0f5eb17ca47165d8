import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { MAX_HEAD_BYTES } from './connections.js';
import { dataOf } from './json-text.js';
import { Problem } from './problems.js';

/** The operation changes or deletes a resource with an ETag: it takes `If-Match`, see {@link IfMatch}. */
export const Conditional = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'Change the resource only if this is its ETag, otherwise answer 412. The ETag is `updated_at` in double quotes.',
    schema: { type: 'string', maxLength: MAX_HEAD_BYTES, example: '"2026-11-20T12:00:00.000Z"' },
  });

/** The versions that `If-Match` allows; undefined: it allows all, as where the header is not there or is `*`. */
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

/**
 * The strong entity tag of an answer with one resource (RFC 9110, section 8.8.3): its `updated_at`, as shown, in quotes.
 * Undefined: it has none.
 */
export function etagOf(answer: unknown): string | undefined {
  const data = dataOf(answer);
  if (typeof data !== 'object' || data === null || !('updated_at' in data)) return undefined;
  const { updated_at } = data;
  if (updated_at instanceof Date) return `"${updated_at.toISOString()}"`;
  return typeof updated_at === 'string' ? `"${updated_at}"` : undefined;
}

/**
 * Whether a request to read has a tag in `If-None-Match` (RFC 9110, section 13.1.2), which compares weakly: then 304 is
 * all there is to answer. Express would do it, but not beside `Cache-Control: no-cache`, which `fetch` sends with every
 * condition of one's own.
 */
export function hasCurrent({ method, headers }: Request, etag: string): boolean {
  const tags = headers['if-none-match'];
  if (tags === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}

/** 412 `precondition_failed`: the resource is there, but not in a version that `If-Match` allows. */
export function preconditionFailed(): Problem {
  const detail = 'If-Match is not the current ETag, which is `updated_at` in double quotes';
  return new Problem('precondition_failed', { detail });
}
