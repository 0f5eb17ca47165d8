import { type Command, InvalidArgumentError } from 'commander';
import { PREFIX_LENGTH, PREFIX_PATTERN } from '../auth/key-format.js';
import { type Scope, SCOPES } from '../auth/scopes.js';
import { Cursor } from '../pagination/cursor.js';
import { checkText } from '../validation/fields.js';
import { UUID_PATTERN } from '../validation/uuid.js';

const MAX_LISTED = 100;

/** Which page of a list: `limit` is 1 to 100. */
export interface PageOptions {
  limit: number;
  cursor?: Cursor;
}

/** A command that lists, a page at a time, newest first. */
export function listOf(parent: Command, description: string): Command {
  return parent
    .command('list')
    .description(description)
    .option('--limit <number>', 'page size', integer(1, MAX_LISTED), MAX_LISTED)
    .option('--cursor <cursor>', 'the next_cursor of the page before', parseCursor);
}

/** A display name, 1 to 200 code points. */
export function parseName(value: string): string {
  const [found] = checkText(value, 1, 200);
  if (found) throw new InvalidArgumentError(`It ${found.detail}.`);
  return value;
}

/** A UUID, in lower case. */
export function parseUuid(value: string): string {
  if (!UUID_PATTERN.test(value)) throw new InvalidArgumentError('It must be a UUID.');
  return value.toLowerCase();
}

/** The id of an API key, or the first characters of the key, as lists show them. */
export function parseIdOrPrefix(value: string): string {
  if (PREFIX_PATTERN.test(value)) return value;
  if (UUID_PATTERN.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError(`It must be a UUID, or the first ${PREFIX_LENGTH} characters of a key.`);
}

function parseCursor(value: string): Cursor {
  const cursor = Cursor.parse(value);
  if (!cursor) throw new InvalidArgumentError('It must be the next_cursor of a page.');
  return cursor;
}

/** One of {@link SCOPES}. */
export function parseScope(value: string): Scope {
  const scope = SCOPES.find((one) => one === value);
  if (!scope) throw new InvalidArgumentError(`It must be one of ${SCOPES.join(', ')}.`);
  return scope;
}

/** Parses decimal digits from `min` to `max`. */
export function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
    }
    return number;
  };
}

/** Gathers the values of an option that may be repeated. */
export function collect<T>(parse: (value: string) => T): (value: string, previous: T[] | undefined) => T[] {
  return (value, previous = []) => [...previous, parse(value)];
}
