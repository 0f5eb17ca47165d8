import type { ShownOn } from './shown-pages.js';
import type { VisitorsView } from './visitors-view.js';
import { WORDS } from './words.js';

const { review: words } = WORDS;

/** Renders links to the public pages that show something, and the names and the number of the others. */
export function SeeIt({
  shown,
  view,
  part,
}: {
  shown: ShownOn;
  view: VisitorsView;
  part: Parameters<VisitorsView['urlOn']>[1];
}) {
  if (shown.total === 0) return <p class="quiet">{words.seen_nowhere}</p>;
  return (
    <p>
      {words.see_on}{' '}
      {shown.named.map((page, index) => (
        <>
          {index > 0 && ', '}
          {page.is_public ? (
            <a href={view.urlOn(page, part)}>
              <bdi>{page.name}</bdi>
            </a>
          ) : (
            <bdi>{words.private(page.name)}</bdi>
          )}
        </>
      ))}
      <More shown={shown} />
    </p>
  );
}

/** Renders the names of pages, and the number of the others. */
export function PageNames({ shown }: { shown: ShownOn }) {
  return (
    <>
      {shown.named.map(({ name, is_public }, index) => (
        <>
          {index > 0 && ', '}
          <bdi>{is_public ? name : words.private(name)}</bdi>
        </>
      ))}
      <More shown={shown} />
    </>
  );
}

function More({ shown: { named, total } }: { shown: ShownOn }) {
  return total > named.length ? ` ${words.further_pages(total - named.length)}` : null;
}
