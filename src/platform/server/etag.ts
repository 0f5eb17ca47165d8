import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { MAX_HEAD_BYTES } from './connections.js';
import { dataOf } from '../database/raw-json.js';
import type { ExpectedVersions } from '../database/versions.js';
import type { FieldError } from '../problems/problem.js';

/** Documents `If-Match` for an operation that updates or deletes a resource, see {@link IfMatch}. */
export const AcceptsIfMatch = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'ETags, or `*`. If none of them matches the current ETag of the resource, the response is 412 and nothing changes. The ETag is `updated_at` in double quotes.',
    // No example, because the documentation page would send it, and no resource has that version.
    schema: { type: 'string', maxLength: MAX_HEAD_BYTES },
  });

/**
 * Injects `If-Match` (RFC 9110, section 13.1.1) as versions; undefined without the header or with `*`. An ETag is a version, so
 * weak tags also match. Other tags match no version.
 *
 *     async update(@UuidParam('id') id: string, @IfMatch() expected: ExpectedVersions)
 */
export const IfMatch = createParamDecorator((_data: unknown, context: ExecutionContext): ExpectedVersions => {
  const header = context.switchToHttp().getRequest<Request>().headers['if-match'];
  if (header === undefined) return undefined;
  const tags = parseTags(header);
  if (tags === '*') return undefined;
  // InputGuard has rejected malformed lists. Without it, no version matches.
  return (tags ?? []).flatMap((time) => {
    const version = new Date(time);
    // Tags are compared as strings, because "…02-30T…" parses as a date, but is not a version. Years after 9999 and before 0
    // are valid in JavaScript, but not in PostgreSQL.
    const isVersion =
      /^\d{4}-/.test(time) && !Number.isNaN(version.getTime()) && version.toISOString() === time;
    return isVersion ? [version] : [];
  });
});

/**
 * Returns the strong ETag of a response with one resource (RFC 9110, section 8.8.3): its `updated_at` in double quotes. Returns
 * undefined for other responses.
 */
export function etagOf(answer: unknown): string | undefined {
  const data = dataOf(answer);
  if (typeof data !== 'object' || data === null || !('updated_at' in data)) return undefined;
  const { updated_at } = data;
  if (updated_at instanceof Date) return `"${updated_at.toISOString()}"`;
  return typeof updated_at === 'string' ? `"${updated_at}"` : undefined;
}

/**
 * Returns whether `If-None-Match` of a GET or HEAD contains the ETag (RFC 9110, section 13.1.2, weak comparison), so that the
 * response is 304. Express ignores the header if the request also contains `Cache-Control: no-cache`, which `fetch` adds.
 */
export function matchesIfNoneMatch(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  etag: string,
): boolean {
  const header = headers['if-none-match'];
  if (header === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  const tags = parseTags(header);
  return tags === '*' || (tags ?? []).includes(etag.slice(1, -1));
}

/** Returns the errors of `If-Match` and `If-None-Match`, such as a tag without quotes. */
export function conditionErrors({ headers }: Request): FieldError[] {
  const detail = 'must be * or a list of ETags, each in double quotes';
  return CONDITIONS.flatMap((parameter) => {
    const header = headers[parameter.toLowerCase()];
    const valid = typeof header !== 'string' || parseTags(header) !== undefined;
    return valid ? [] : [{ code: 'invalid_format', detail, parameter }];
  });
}

const CONDITIONS = ['If-Match', 'If-None-Match'];

// Runs in linear time, because a header can have 16 KiB.
const ITEM = /[ \t]*(?:(?:W\/)?"([^"]*)"[ \t]*)?(?:,|$)/y;

// Compressing proxies append the content encoding to the tag: Apache `-gzip` and `-br`, Caddy also `-zstd`, Jetty `--gzip`.
const CODING = /--?(?:gzip|br|zstd)$/;

/**
 * Parses a list of ETags (RFC 9110, sections 5.6.1 and 8.8.3), and removes content encoding suffixes of proxies. Ignores empty
 * items.
 * @returns the tags without quotes; undefined if a tag has no quotes, or the list is empty
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
