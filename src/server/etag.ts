import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { MAX_HEAD_BYTES } from './connections.js';
import { dataOf } from '../database/raw-json.js';
import type { ExpectedVersions } from '../database/versions.js';
import type { FieldError } from '../problems/problem.js';

/** The operation changes or deletes a resource with an ETag: it takes `If-Match`, see {@link IfMatch}. */
export const AcceptsIfMatch = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'ETags, or `*`. If the resource has none of them, the response is 412 and nothing changes. The ETag is `updated_at` in double quotes.',
    // No example: the documentation page would send it, and it is the version of no resource.
    schema: { type: 'string', maxLength: MAX_HEAD_BYTES },
  });

/**
 * `If-Match` (RFC 9110, section 13.1.1) as versions. Our tags name versions, not bytes, so weak tags match, too. Tags that
 * are not ours match nothing.
 */
export const IfMatch = createParamDecorator((_data: unknown, context: ExecutionContext): ExpectedVersions => {
  const header = context.switchToHttp().getRequest<Request>().headers['if-match'];
  if (header === undefined) return undefined;
  const tags = parseTags(header);
  if (tags === '*') return undefined;
  // The input guard has refused what is no list of tags; should it not, nothing matches.
  return (tags ?? []).flatMap((time) => {
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
  const header = headers['if-none-match'];
  if (header === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  const tags = parseTags(header);
  return tags === '*' || (tags ?? []).includes(etag.slice(1, -1));
}

/** What is wrong with `If-Match` and `If-None-Match`: a tag without quotes, mostly. */
export function conditionErrors({ headers }: Request): FieldError[] {
  const detail = 'must be * or a list of ETags, each in double quotes';
  return CONDITIONS.flatMap((parameter) => {
    const header = headers[parameter.toLowerCase()];
    const valid = typeof header !== 'string' || parseTags(header) !== undefined;
    return valid ? [] : [{ code: 'invalid_format', detail, parameter }];
  });
}

const CONDITIONS = ['If-Match', 'If-None-Match'];

// Runs in linear time: a header can have 16 KiB.
const ITEM = /[ \t]*(?:(?:W\/)?"([^"]*)"[ \t]*)?(?:,|$)/y;

// What compresses an answer may append the coding to its tag: Apache `-gzip` and `-br`, Caddy also `-zstd`, Jetty `--gzip`.
const CODING = /--?(?:gzip|br|zstd)$/;

/**
 * A list of entity tags (RFC 9110, sections 5.6.1 and 8.8.3), without what a proxy adds to them. Empty items do not count.
 * @returns what the quotes of each tag hold; undefined: a tag has no quotes, or there is none
 */
function parseTags(header: string): string[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  for (let at = 0; at < header.length; at = ITEM.lastIndex) {
    ITEM.lastIndex = at;
    const item = ITEM.exec(header);
    if (!item) return undefined;
    if (item[1] !== undefined) tags.push(item[1].replace(CODING, ''));
  }
  return tags.length > 0 ? tags : undefined;
}
