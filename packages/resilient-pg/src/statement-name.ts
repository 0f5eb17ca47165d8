import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Description of a statement for logs and traces. */
export interface NamedStatement {
  /** Operation and table, such as `UPDATE monitors`. */
  name: string;
  /** First eight hexadecimal digits of the text's SHA-256. */
  hash: string;
  /** Text on one line, without literals, at most 500 characters. */
  text: string;
}

const MAX_TEXT = 500;
/** Maximum number of cached names. Texts with a list of parameters differ by its length. */
const MAX_NAMED = 1_000;

const named = new LRUCache<string, NamedStatement>({ max: MAX_NAMED });

/** Names a statement by its text, which has placeholders instead of values. Removes any literals. */
export function nameStatement(text: string): NamedStatement {
  const known = named.get(text);
  if (known) return known;
  const line = text
    .replaceAll(/'(?:[^']|'')*'/g, "'…'")
    .replaceAll(/\s+/g, ' ')
    .trim();
  const statement = {
    name: nameOf(line),
    hash: createHash('sha256').update(text).digest('hex').slice(0, 8),
    text: line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line,
  };
  named.set(text, statement);
  return statement;
}

/** Does not match FOR UPDATE and ON CONFLICT DO UPDATE. */
const WRITE =
  /\b(INSERT INTO|(?<!FOR |KEY |DO )UPDATE|DELETE FROM)\s+(?:ONLY\s+)?"?([a-z_][a-z0-9_]*)\b(?!"?\s*\.)/i;
/** Does not match a function, such as `FROM unnest(…)`, `extract(epoch FROM …)` and `IS DISTINCT FROM`. */
const READ =
  /\bFROM(?<!(?:\bDISTINCT |\b(?:extract|substring|trim)\([^()]{0,200} )FROM)\s+(?:ONLY\s+)?"?([a-z_][a-z0-9_]*)\b(?!"?\s*[(.])/i;

function nameOf(line: string): string {
  const [, write = '', table] = WRITE.exec(line) ?? [];
  if (table !== undefined) return `${write.split(' ', 1)[0]?.toUpperCase()} ${table}`;
  const [first = ''] = line.split(/[\s;(]/, 1);
  const [, read] = READ.exec(line) ?? [];
  return read === undefined ? first.toUpperCase() : `${first.toUpperCase()} ${read}`;
}
