import type { Command } from 'commander';
import type { List } from '../index.js';
import { integer } from './arguments.js';
import type { Result } from './result.js';
import { take } from './session.js';
import { table } from './text.js';

const MAX_ITEMS = 10_000;
const MAX_PAGE = 100;

export interface ListOptions {
  limit: number;
}

/** Adds a `list` command with `--limit`. Prints the newest items first. */
export function addListCommand(parent: Command, description: string): Command {
  return parent
    .command('list')
    .description(description)
    .option('--limit <number>', 'maximum number of items', integer(1, MAX_ITEMS), 100);
}

/**
 * Reads a list up to its limit.
 * @param list the list, with this number of items in each of its pages
 * @param columns the columns of the table: header, and text of an item
 */
export async function listed<Item>(
  list: (limit: number) => List<Item>,
  { limit }: ListOptions,
  columns: Record<string, (item: Item) => string>,
  empty: string,
): Promise<Result> {
  const found = await take(limit + 1, list(Math.min(limit + 1, MAX_PAGE)));
  const items = found.slice(0, limit);
  const rows = items.map((item) => Object.values(columns).map((textOf) => textOf(item)));
  return {
    json: items,
    text: table(Object.keys(columns), rows, empty),
    ...(found.length > limit && { note: 'The list has more items. Pass a higher --limit.' }),
  };
}
