import { Cursor } from '../platform/pagination/cursor.js';
import type { ListPage, ListQuery } from '../platform/pagination/list-page.js';
import { plain } from './project-contents.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

/** A part of a list. */
export interface Part<Row> {
  rows: Row[];
  /** Cursor of the rows after these. */
  next: string | null;
}

/** Returns the range of the rows that a screen shows: the newest ones, or those after the cursor in its query. */
export function rangeIn({ query }: Pick<Visit, 'query'>, limit: number): ListQuery {
  const cursor = Cursor.parse(query.get('after') ?? '');
  return { limit, ...(cursor && { cursor }) };
}

/** Returns the rows of a list that a service of the API has returned. */
export function partOf<Row>({ data, pagination }: ListPage<Row>): Part<Row> {
  return { rows: plain(data), next: pagination.next_cursor };
}

/** Renders the links between the parts of a list. `next`: cursor of the rows after these. */
export function Pager({ visit, path, next }: { visit: Visit; path: string; next: string | null }) {
  const linkTo = (after: string | null) => {
    const query = new URLSearchParams(visit.query);
    for (const name of ['after', 'done']) query.delete(name);
    if (after !== null) query.set('after', after);
    return query.size === 0 ? path : `${path}?${query}`;
  };
  const isFirst = !visit.query.has('after');
  if (isFirst && next === null) return null;
  return (
    <nav class="actions" aria-label={WORDS.lists.pages}>
      {!isFirst && (
        <a class="button small" href={linkTo(null)}>
          {WORDS.lists.newest}
        </a>
      )}
      {next !== null && (
        <a class="button small" href={linkTo(next)} rel="next">
          {WORDS.lists.older}
        </a>
      )}
    </nav>
  );
}
