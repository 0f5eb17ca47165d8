import type { Choices } from './choices.js';

/** A resource in a response. */
export type Item = Record<string, unknown>;

const ITEMS_OF_A_LIST = 25;
const LISTS = 400;
const CURSORS = 10;

/** The knowledge of a tenant from responses: resources by the path of their list, ETags, cursors. */
export class Known {
  private readonly lists = new Map<string, Item[]>();
  private readonly etags = new Map<string, string>();
  /** By the path of a resource: the paths of the resources that its fields refer to, such as `project_id`. */
  private readonly owners = new Map<string, string[]>();
  private readonly cursorsOf = new Map<string, string[]>();
  /** Paths of resources, and whether they exist according to the responses. */
  readonly exists = new Map<string, boolean>();

  /** @param hidden IDs that are never selected, because the fuzzer itself needs the keys */
  constructor(private readonly hidden: ReadonlySet<string>) {}

  /** @param path without a query, including the IDs */
  learn(method: string, path: string, status: number, headers: Headers, body: unknown): void {
    if (status < 200 || status >= 300) return;
    if (headers.has('idempotency-replayed') || headers.has('dry-run')) return;
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
    if (method === 'POST' && path.endsWith('/publish'))
      this.exists.set(path.replace(/\/publish$/, ''), false);
    // A draft about a monitor disappears when the monitor has recovered.
    const isKept = !(path === '/v1/incident-drafts' && isItem(data) && data['monitor_id'] !== null);
    if (isKept && status === 201 && isItem(data) && typeof data['id'] === 'string') {
      this.exists.set(`${path}/${data['id']}`, true);
      this.owners.set(`${path}/${data['id']}`, ownersOf(path, data));
    }
    if (method === 'PATCH' && isItem(data) && this.owners.has(path))
      this.owners.set(path, ownersOf(path.replace(/\/[^/]*$/, ''), data));
    // A deleted resource exists again.
    if (method === 'POST' && path.endsWith('/restore'))
      this.exists.set(path.replace(/(\/revisions\/\d+)?\/restore$/, ''), true);
    const next = isItem(pagination) ? pagination['next_cursor'] : null;
    if (typeof next !== 'string') return;
    this.cursorsOf.set(path, [next, ...(this.cursorsOf.get(path) ?? [])].slice(0, CURSORS));
  }

  /** The cursors returned by one list, or by all lists. */
  cursors(list?: string): string[] {
    return list === undefined ? [...this.cursorsOf.values()].flat() : (this.cursorsOf.get(list) ?? []);
  }

  /** The existing resources of a list, latest first. */
  items(list: string): Item[] {
    return (this.lists.get(list) ?? []).filter(
      ({ id }) => typeof id !== 'string' || this.exists.get(`${list}/${id}`) !== false,
    );
  }

  /** The deleted resources of a list. */
  deleted(list: string): Item[] {
    return (this.lists.get(list) ?? []).filter(
      ({ id }) => typeof id === 'string' && this.exists.get(`${list}/${id}`) === false,
    );
  }

  /** Whether a resource was deleted that refers to this one or the other way round, so that both can be deleted. */
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

/**
 * The resources with which an item can be deleted: those that its fields refer to (`status_page_id` refers to
 * `/v1/status-pages`), and the monitors of a subscriber.
 */
function ownersOf(list: string, item: Item): string[] {
  const monitors =
    list === '/v1/subscribers' && Array.isArray(item['monitor_ids']) ? item['monitor_ids'] : [];
  return [...Object.entries(item), ...monitors.map((id: unknown) => ['monitor_id', id] as const)].flatMap(
    ([field, id]) => {
      const name = /^(\w+)_id$/.exec(field)?.[1];
      return name !== undefined && typeof id === 'string' ? [`/v1/${name.replaceAll('_', '-')}s/${id}`] : [];
    },
  );
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
