/** A page of a list, as in the response. */
export interface Page<Item> {
  data: Item[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

/**
 * A list that reads its pages on demand. A second iteration starts again at the newest item.
 *
 * for await (const item of list) … // all items of all pages
 * for await (const page of list.pages()) … // page by page
 */
export class List<Item> implements AsyncIterable<Item> {
  /** @param read reads the page at a cursor; undefined: the first page */
  constructor(private readonly read: (cursor: string | undefined) => Promise<Page<Item>>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** Reads all items of all pages. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  /** Iterates over the pages. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.read(cursor);
      yield page;
      cursor = page.pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
}
