import type { View } from '../../page-model/view.js';
import { escapeHtml } from './html.js';
import { daysText, type NotableDays, partsText } from './notable-days.js';

/**
 * Returns the table of the days on which a monitor was not always operational, with links to their incidents and maintenance
 * windows, as HTML. The script shows its rows in the card of a day (`data-day`, and `data-to` for several days).
 * @param foot the end of the table, as HTML
 */
export function daysTable(name: string, rows: NotableDays[], view: View, foot = ''): string {
  const { words } = view;
  const body = rows.map((row) => rowHtml(row, view)).join('');
  return `<table class="days"><caption>${escapeHtml(words.days_of(name))}</caption><thead><tr><th scope="col">${words.day}</th><th scope="col">${words.what}</th></tr></thead><tbody>${body}</tbody>${foot}</table>`;
}

function rowHtml(row: NotableDays, view: View): string {
  const to = row.to === row.from ? '' : ` data-to="${row.to}"`;
  const links = row.events
    .map(
      ({ kind, id, title }) =>
        ` · <a href="${escapeHtml(view.links.to({ kind, id }))}"><bdi>${escapeHtml(title)}</bdi></a>`,
    )
    .join('');
  return `<tr data-day="${row.from}"${to}><th scope="row">${daysText(view, row)}</th><td>${partsText(view, row)}${links}</td></tr>`;
}
