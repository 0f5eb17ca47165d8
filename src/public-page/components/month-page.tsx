import type { PageDocument } from '../documents/page-document.js';
import type { MonthPart } from '../data/page-data.js';
import type { Links } from '../documents/links.js';
import { monthText, WORDS } from '../documents/words.js';
import { BackLink, LastUpdated } from './headline.js';
import { renderPage } from './html-page.js';
import { PastList } from './past-list.js';

/** Renders the incidents and maintenance windows of a month. */
export function renderMonth(data: MonthPart, links: Links): PageDocument {
  const { page, month, previous, next, incidents, maintenances } = data;
  const part = { kind: 'history', month } as const;
  const linkTo = (other: string | null, rel: 'prev' | 'next', word: string) =>
    other !== null && (
      <a href={links.to({ kind: 'history', month: other })} rel={rel}>
        {word}: {monthText(other)}
      </a>
    );
  return renderPage({
    page,
    links,
    part,
    title: monthText(month),
    children: (
      <>
        <BackLink links={links} />
        <h1 class="title">{monthText(month)}</h1>
        <nav class="months" aria-label={WORDS.months_navigation}>
          {linkTo(previous, 'prev', WORDS.previous)}
          {linkTo(next, 'next', WORDS.next)}
        </nav>
        {incidents.length + maintenances.length === 0 ? (
          <p>{WORDS.nothing_in_month}</p>
        ) : (
          <PastList incidents={incidents} maintenances={maintenances} links={links} level={2} />
        )}
        <LastUpdated page={page} href={links.to(part)} />
      </>
    ),
  });
}
