import { type Command, InvalidArgumentError } from 'commander';
import { PREFIX_LENGTH, PREFIX_PATTERN } from '../platform/auth/key-format.js';
import { Cursor } from '../platform/pagination/cursor.js';
import { checkText } from '../platform/validation/fields.js';
import { checkSlug } from '../platform/validation/slug.js';
import { parseRfc3339 } from '../platform/validation/rfc3339.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';

const MAX_LISTED = 100;

/** The page of results to print. `limit` is 1 to 100. */
export interface PageOptions {
  limit: number;
  cursor?: Cursor;
}

/** Adds a `list` command with `--limit` and `--cursor`. Prints the newest items first. */
export function addListCommand(parent: Command, description: string): Command {
  return parent
    .command('list')
    .description(description)
    .option('--limit <number>', 'maximum number of items', integer(1, MAX_LISTED), MAX_LISTED)
    .option('--cursor <cursor>', 'next_cursor of the previous page of results', parseCursor);
}

/** Returns a parser of texts of 1 to `max` code points. */
function text(max: number): (value: string) => string {
  return (value) => {
    const [found] = checkText(value, 1, max);
    if (found) throw new InvalidArgumentError(`It ${found.detail}.`);
    return value;
  };
}

/** Parses a display name of 1 to 200 code points. */
export const parseName = text(200);

/** Parses the key of a monitor. */
export function parseKey(value: string): string {
  const [found] = checkSlug(value);
  if (found) throw new InvalidArgumentError(`It ${found.detail}.`);
  return value;
}

/** Parses a UUID, and returns it in lower case. */
export function parseUuid(value: string): string {
  if (!UUID_PATTERN.test(value)) throw new InvalidArgumentError('It must be a UUID.');
  return value.toLowerCase();
}

/** Parses the ID of an API key, or the first 8 characters of the key, which lists show as `prefix`. */
export function parseIdOrPrefix(value: string): string {
  if (PREFIX_PATTERN.test(value)) return value;
  if (UUID_PATTERN.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError(`It must be a UUID, or the first ${PREFIX_LENGTH} characters of a key.`);
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Parses a time (RFC 3339), or a day, which stands for its midnight in UTC. */
export function parseDayOrTime(value: string): Date {
  const time = parseRfc3339(DAY.test(value) ? `${value}T00:00:00Z` : value);
  if (time) return time;
  throw new InvalidArgumentError('It must be a day, or a time with an offset, such as 2026-11-20T02:00:00Z.');
}

function parseCursor(value: string): Cursor {
  const cursor = Cursor.parse(value);
  if (!cursor) throw new InvalidArgumentError('It must be a next_cursor value from a previous list.');
  return cursor;
}

/** Returns a parser that accepts a set of words. */
export function wordOf<Word extends string>(words: readonly Word[]): (value: string) => Word {
  return (value) => {
    const word = words.find((one) => one === value);
    if (!word) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
    return word;
  };
}

/** Returns a parser of decimal integers from `min` to `max`. */
export function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
    }
    return number;
  };
}

/** Collects the values of a repeatable option. */
export function collect<T>(parse: (value: string) => T): (value: string, previous: T[] | undefined) => T[] {
  return (value, previous = []) => [...previous, parse(value)];
}
