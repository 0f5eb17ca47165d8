/** Returns a list with an item moved by some places, at most to its ends. @param by negative: up, positive: down */
export function moved<Item>(items: readonly Item[], from: number, by: number): Item[] {
  const item = items[from];
  if (item === undefined) return [...items];
  const to = Math.min(Math.max(from + by, 0), items.length - 1);
  const others = items.toSpliced(from, 1);
  return others.toSpliced(to, 0, item);
}

/** Page of a long list. */
export interface Slice<Item> {
  rows: Item[];
  /** Number of the page, from 0. */
  page: number;
  last: number;
  /** Index of the first row in the list. */
  start: number;
}

/** Returns a page of a list. @param wanted number of the page, unvalidated */
export function sliceOf<Item>(items: readonly Item[], wanted: number, size: number): Slice<Item> {
  const last = Math.max(0, Math.ceil(items.length / size) - 1);
  const page = Number.isInteger(wanted) ? Math.min(Math.max(wanted, 0), last) : 0;
  const start = page * size;
  return { rows: items.slice(start, start + size), page, last, start };
}
