import { type Command, InvalidArgumentError } from 'commander';
import { PREFIX_LENGTH, PREFIX_PATTERN } from '../auth/key-format.js';
import { type Scope, SCOPES } from '../auth/scopes.js';
import { hasCursorForm } from '../pagination/cursor.js';
import { checkText } from '../validation/fields.js';
import { UUID_PATTERN } from '../validation/uuid.js';

const MAX_LISTED = 100;

/** The page of a list to print. `limit` is 1 to 100. */
export interface PageOptions {
  limit: number;
  cursor?: string;
}

/** Adds a `list` command with `--limit` and `--cursor`; newest items first. */
export function addListCommand(parent: Command, description: string): Command {
  return parent
    .command('list')
    .description(description)
    .option('--limit <number>', 'maximum number of items', integer(1, MAX_LISTED), MAX_LISTED)
    .option('--cursor <cursor>', 'next_cursor of the previous page', parseCursor);
}

/** Parses a display name of 1 to 200 code points. */
export function parseName(value: string): string {
  const [found] = checkText(value, 1, 200);
  if (found) throw new InvalidArgumentError(`It ${found.detail}.`);
  return value;
}

/** Parses a UUID, and returns it in lower case. */
export function parseUuid(value: string): string {
  if (!UUID_PATTERN.test(value)) throw new InvalidArgumentError('It must be a UUID.');
  return value.toLowerCase();
}

/** Parses the id of an API key, or the key's first 8 characters, which lists show as `prefix`. */
export function parseIdOrPrefix(value: string): string {
  if (PREFIX_PATTERN.test(value)) return value;
  if (UUID_PATTERN.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError(`It must be a UUID, or the first ${PREFIX_LENGTH} characters of a key.`);
}

function parseCursor(value: string): string {
  if (!hasCursorForm(value)) throw new InvalidArgumentError('It must be the next_cursor of a page.');
  return value;
}

/** Parses one of {@link SCOPES}. */
export function parseScope(value: string): Scope {
  const scope = SCOPES.find((one) => one === value);
  if (!scope) throw new InvalidArgumentError(`It must be one of ${SCOPES.join(', ')}.`);
  return scope;
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
