import type { Visit } from './visit.js';
import { WORDS } from './words.js';

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
