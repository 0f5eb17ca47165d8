import type { ComponentChildren } from 'preact';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import type { Slice } from './moves.js';
import { Hidden } from './page-frame.js';

const { page: pageWords, monitors: listWords } = WORDS;
const words = pageWords.sections;

interface Moves {
  /** Value of the buttons. */
  id: string;
  name: string;
  isFirst: boolean;
  isLast: boolean;
  children?: ComponentChildren;
}

/** Renders the buttons that move a row of an ordered list. */
export function MoveButtons({ id, name, isFirst, isLast, children }: Moves) {
  return (
    <span class="moves">
      <button
        class="button plain small"
        name="up"
        value={id}
        aria-label={words.up_label(name)}
        disabled={isFirst}
      >
        {words.up}
      </button>
      <button
        class="button plain small"
        name="down"
        value={id}
        aria-label={words.down_label(name)}
        disabled={isLast}
      >
        {words.down}
      </button>
      {children}
    </span>
  );
}

/** Renders the form of an ordered list, whose buttons move one row. The script sends it also for a dragged row. */
export function Sorted({
  visit,
  version,
  action,
  slice,
  total,
  children,
}: {
  visit: Visit;
  version: Date;
  action: string;
  slice: Slice<unknown>;
  /** Number of rows of the list. */
  total: number;
  children: ComponentChildren;
}) {
  return (
    <form
      method="post"
      action={action}
      data-sorted={WORDS.script.moved}
      data-start={slice.start}
      data-total={total}
    >
      <Hidden visit={visit} version={version} />
      <input type="hidden" name="page" value={String(slice.page)} />
      <input type="hidden" name="by" value="1" />
      {children}
    </form>
  );
}

/** Renders links to the pages before and after a page of a list. */
export function Pager({ slice: { page, last }, path }: { slice: Slice<unknown>; path: string }) {
  if (last === 0) return null;
  return (
    <nav class="actions" aria-label={listWords.pages}>
      {page > 0 && (
        <a class="button small" href={`${path}?page=${page - 1}`} rel="prev">
          {listWords.previous}
        </a>
      )}
      {page < last && (
        <a class="button small" href={`${path}?page=${page + 1}`} rel="next">
          {listWords.next}
        </a>
      )}
    </nav>
  );
}
