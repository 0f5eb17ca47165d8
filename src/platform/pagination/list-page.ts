import { Transform } from 'class-transformer';
import { ApiProperty } from '@nestjs/swagger';
import type { Position, Range, Rows } from '../database/keyset.js';
import type { RawJson } from '../database/raw-json.js';
import { Cursor, encodeCursor, type List } from './cursor.js';
import { Field, inputError, type InputError } from '../validation/fields.js';
import { validationFailed } from '../problems/problem.js';

const MAX_LIMIT = 100;

// The maximum is longer than a current cursor, to reserve space for future versions.
const CURSOR_SCHEMA = { pattern: '^[A-Za-z0-9_-]+$', maxLength: 100 };

/**
 * Query parameters of every list (spec, section 4.1).
 *
 *     export class ListMonitorsQuery extends ListQuery {
 *       @ProjectId('Project whose monitors are listed.')
 *       project_id!: string;
 *     }
 *
 *     return readListPage(list, query, (range) => this.repository.findNewest(project, range));
 */
export class ListQuery {
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value,
  )
  @Field(
    checkLimit,
    { optional: true, description: 'Maximum number of results.', default: 25, example: 25 },
    { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_LIMIT },
  )
  limit: number = 25;

  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (Cursor.parse(value) ?? value) : value,
  )
  @Field(
    checkCursor,
    {
      optional: true,
      description: 'Opaque cursor from `pagination.next_cursor` of a previous response of the same list.',
    },
    { type: 'string', ...CURSOR_SCHEMA },
  )
  cursor?: Cursor;
}

function checkLimit(value: unknown): InputError[] {
  const detail = `must be an integer from 1 to ${MAX_LIMIT}, in decimal digits`;
  if (typeof value !== 'number') return [inputError('invalid_format', detail)];
  return value >= 1 && value <= MAX_LIMIT ? [] : [inputError('out_of_range', detail)];
}

const INVALID_CURSOR = 'must be a next_cursor value from a previous response of this list';

// Checks only the format. `resolveCursor` checks the list, because the query may not contain its owner.
function checkCursor(value: unknown): InputError[] {
  return value instanceof Cursor ? [] : [inputError('invalid_cursor', INVALID_CURSOR)];
}

/** The pagination object of a list (spec, section 2). */
export class Pagination {
  @ApiProperty({
    type: 'string',
    ...CURSOR_SCHEMA,
    nullable: true,
    description:
      'Opaque cursor for the next page of results, to pass as `cursor`; null if there are no more results.',
  })
  next_cursor!: string | null;

  @ApiProperty({ description: 'Whether there are more results.' })
  has_more!: boolean;
}

/** A page of results of a list. */
export interface ListPage<T> {
  data: RawJson<T[]>;
  pagination: Pagination;
}

/**
 * Reads a page of results.
 * @throws Problem 400 `invalid_cursor` for a cursor of another list; the errors of `find`
 */
export async function readListPage<T>(
  list: List,
  { limit, cursor }: Pick<ListQuery, 'limit' | 'cursor'>,
  find: (range: Range) => Promise<Rows<T>>,
): Promise<ListPage<T>> {
  const { json, next } = await find({ limit, after: resolveCursor(list, cursor) });
  const next_cursor = next && encodeCursor(list, next);
  return { data: json, pagination: { next_cursor, has_more: next_cursor !== null } };
}

/** Returns the position after which a page of results starts, or null for the first page. */
function resolveCursor(list: List, cursor: Cursor | undefined): Position | null {
  if (cursor === undefined) return null;
  if (!cursor.isOf(list))
    throw validationFailed([{ code: 'invalid_cursor', detail: INVALID_CURSOR, parameter: 'cursor' }]);
  return cursor.position;
}
