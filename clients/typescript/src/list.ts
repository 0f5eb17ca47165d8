/** A page of a list, as the API answers it. */
export interface Page<Item> {
  data: Item[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

/**
 * A list, read as far as it is iterated: `for await (const item of list)` goes over every item of every page, `list.pages()` over
 * the pages themselves. Iterating again reads it again, from the newest on.
 */
export class List<Item> implements AsyncIterable<Item> {
  /** @param read reads the page after a cursor; undefined: the first */
  constructor(private readonly read: (cursor: string | undefined) => Promise<Page<Item>>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** Every item of every page, at once. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  /** The pages, each with its items and how the list goes on. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.read(cursor);
      yield page;
      cursor = page.pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
}
