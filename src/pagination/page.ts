import { Transform } from 'class-transformer';
import { ApiProperty } from '@nestjs/swagger';
import { type Position } from '../database/keyset.js';
import { decodeCursor, encodeCursor, hasCursorForm, type List } from './cursor.js';
import { Field, issue, type Issue } from '../validation/fields.js';
import { RawJson } from '../database/raw-json.js';
import { validationFailed } from '../problems/problem.js';

const MAX_LIMIT = 100;

// Longer than those of today, so that clients leave room for those of another version.
const CURSOR_FORM = { pattern: '^[A-Za-z0-9_-]+$', maxLength: 100 };

/** The query parameters of every list (spec, section 4.1). */
export class PageQuery {
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value,
  )
  @Field(
    checkLimit,
    { optional: true, description: 'Page size.', default: 25, example: 25 },
    { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_LIMIT },
  )
  limit: number = 25;

  @Field(
    checkCursor,
    {
      optional: true,
      description:
        'Opaque cursor taken from `pagination.next_cursor` of a previous response of the same list.',
    },
    { type: 'string', ...CURSOR_FORM },
  )
  cursor?: string;
}

function checkLimit(value: unknown): Issue[] {
  const allowed = `must be an integer from 1 to ${MAX_LIMIT}, in decimal digits`;
  if (typeof value !== 'number') return [issue('invalid_format', allowed)];
  return value >= 1 && value <= MAX_LIMIT ? [] : [issue('out_of_range', allowed)];
}

const NOT_OF_THIS_LIST = 'must be the next_cursor of an earlier response of this list';

// Whether it is one of this very list is for {@link positionOf}: the owner of some lists is not in the query.
function checkCursor(value: unknown): Issue[] {
  const valid = typeof value === 'string' && hasCursorForm(value);
  return valid ? [] : [issue('invalid_cursor', NOT_OF_THIS_LIST)];
}

/** How a list goes on (spec, section 2, "Pagination object"). */
export class Pagination {
  @ApiProperty({
    type: 'string',
    ...CURSOR_FORM,
    nullable: true,
    description: 'Opaque cursor to pass as `cursor` for the next page; null when there is no further page.',
  })
  next_cursor!: string | null;

  @ApiProperty({ description: 'True when more results follow.' })
  has_more!: boolean;
}

/** One page of a list, as JSON already. */
export interface TextPage<T> {
  data: RawJson<T[]>;
  pagination: Pagination;
}

/** One page of a list. */
export interface Page<T> {
  data: T[];
  pagination: Pagination;
}

/**
 * Where a page of a list starts: after this row; null: at the newest.
 * @throws Problem 400 `invalid_cursor` for a cursor of another list
 */
export function resolveCursor(list: List, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const position = decodeCursor(cursor, list);
  if (!position)
    throw validationFailed([{ code: 'invalid_cursor', detail: NOT_OF_THIS_LIST, parameter: 'cursor' }]);
  return position;
}

/** A page of a list that the database built as JSON; `next` is the position of its last row, null where it is the last page. */
export function toTextPage<T>(
  list: List,
  { text, next }: { text: string; next: Position | null },
): TextPage<T> {
  const nextCursor = next && encodeCursor(list, next);
  return { data: new RawJson(text), pagination: { next_cursor: nextCursor, has_more: nextCursor !== null } };
}

/** The page that a query for one row more than `limit` has found: the row too many only says that more follow. */
export function toPage<T extends Position>(list: List, rows: T[], limit: number): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const nextCursor = rows.length > limit && last ? encodeCursor(list, last) : null;
  return { data, pagination: { next_cursor: nextCursor, has_more: nextCursor !== null } };
}
