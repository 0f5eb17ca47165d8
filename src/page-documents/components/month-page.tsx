import type { PageDocument } from '../../page-model/page-document.js';
import type { MonthPart } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { BackLink, LastUpdated } from './headline.js';
import { renderPage } from './html-page.js';
import { PastList } from './past-list.js';

/** Renders the incidents and maintenance windows of a month. */
export function renderMonth(data: MonthPart, view: View): PageDocument {
  const { page, month, previous, next, incidents, maintenances } = data;
  const part = { kind: 'history', month } as const;
  const linkTo = (other: string | null, rel: 'prev' | 'next', text: (month: string) => string) =>
    other !== null && (
      <a href={view.links.to({ kind: 'history', month: other })} rel={rel}>
        {text(view.dates.month(other))}
      </a>
    );
  return renderPage({
    page,
    view,
    part,
    title: view.dates.month(month),
    children: (
      <>
        <BackLink view={view} />
        <div class="months">
          <h1 class="title">{view.dates.month(month)}</h1>
          <nav aria-label={view.words.months_navigation}>
            {linkTo(previous, 'prev', view.words.previous)} {linkTo(next, 'next', view.words.next)}
          </nav>
        </div>
        {incidents.length + maintenances.length === 0 ? (
          <p>{view.words.nothing_in_month}</p>
        ) : (
          <PastList incidents={incidents} maintenances={maintenances} view={view} level={2} />
        )}
        <LastUpdated view={view} page={page} href={view.links.to(part)} />
      </>
    ),
  });
}
