import type { Choices } from './choices.js';

/** A resource as it was answered. */
export type Item = Record<string, unknown>;

const ITEMS_OF_A_LIST = 25;
const LISTS = 400;
const CURSORS = 10;

/** What a tenant has learned from answers: resources by the path of their list, ETags, cursors. */
export class Known {
  private readonly lists = new Map<string, Item[]>();
  private readonly etags = new Map<string, string>();
  /** By the path of a resource: the paths of the resources that its fields name, such as `project_id`. */
  private readonly owners = new Map<string, string[]>();
  private readonly cursorsOf = new Map<string, string[]>();
  /** Paths of resources: whether they are there, as the answers have it. */
  readonly exists = new Map<string, boolean>();

  /** @param hidden ids that are never chosen: the keys that the fuzzer itself needs */
  constructor(private readonly hidden: ReadonlySet<string>) {}

  /** @param path without a query, with the ids in it */
  learn(method: string, path: string, status: number, headers: Headers, body: unknown): void {
    if (status < 200 || status >= 300 || headers.has('idempotency-replayed')) return;
    if (method === 'DELETE') {
      this.exists.set(path, false);
      return;
    }
    const etag = headers.get('etag');
    if (etag !== null) this.etags.set(path, etag);
    if (!isItem(body)) return;
    const { data, pagination } = body;
    const items = (Array.isArray(data) ? data : [data]).filter(isItem);
    if (Array.isArray(data) || status === 201) for (const item of items) this.add(path, item);
    if (status === 201 && isItem(data) && typeof data['id'] === 'string') {
      this.exists.set(`${path}/${data['id']}`, true);
      this.owners.set(`${path}/${data['id']}`, ownersOf(data));
    }
    // What was deleted is there again.
    if (path.endsWith('/restore')) this.exists.set(path.replace(/(\/revisions\/\d+)?\/restore$/, ''), true);
    const next = isItem(pagination) ? pagination['next_cursor'] : null;
    if (typeof next !== 'string') return;
    this.cursorsOf.set(path, [next, ...(this.cursorsOf.get(path) ?? [])].slice(0, CURSORS));
  }

  /** The cursors that a list has given, or all lists. */
  cursors(list?: string): string[] {
    return list === undefined ? [...this.cursorsOf.values()].flat() : (this.cursorsOf.get(list) ?? []);
  }

  /** The resources of a list that are there, the latest first. */
  items(list: string): Item[] {
    return (this.lists.get(list) ?? []).filter(
      ({ id }) => typeof id !== 'string' || this.exists.get(`${list}/${id}`) !== false,
    );
  }

  /** The resources of a list that were deleted. */
  deleted(list: string): Item[] {
    return (this.lists.get(list) ?? []).filter(
      ({ id }) => typeof id === 'string' && this.exists.get(`${list}/${id}`) === false,
    );
  }

  /** Whether something was deleted that a resource names, or that one of those names: it may have gone with it. */
  mayBeGone(path: string): boolean {
    return (this.owners.get(path) ?? []).some(
      (owner) => this.exists.get(owner) === false || this.mayBeGone(owner),
    );
  }

  etag(path: string): string | undefined {
    return this.etags.get(path);
  }

  choose(choose: Choices, list: string): Item | undefined {
    const items = this.items(list);
    return items.length > 0 ? choose.one(items) : undefined;
  }

  private add(list: string, item: Item): void {
    const { id } = item;
    if (typeof id === 'string' && this.hidden.has(id)) return;
    const others = (this.lists.get(list) ?? []).filter((one) => id === undefined || one['id'] !== id);
    this.lists.delete(list);
    this.lists.set(list, [item, ...others].slice(0, ITEMS_OF_A_LIST));
    const [oldest] = this.lists.keys();
    if (this.lists.size > LISTS && oldest !== undefined) this.lists.delete(oldest);
    if (this.etags.size > LISTS) this.etags.clear();
  }
}

/** The resources that the fields of an item name: `status_page_id` is one of `/v1/status-pages`. */
function ownersOf(item: Item): string[] {
  return Object.entries(item).flatMap(([field, id]) => {
    const name = /^(\w+)_id$/.exec(field)?.[1];
    return name !== undefined && typeof id === 'string' ? [`/v1/${name.replaceAll('_', '-')}s/${id}`] : [];
  });
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
