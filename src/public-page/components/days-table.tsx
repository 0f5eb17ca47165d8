import type { Links } from '../documents/links.js';
import { WORDS } from '../documents/words.js';
import { daysText, type NotableDays, partsText } from './notable-days.js';

const HEAD = {
  __html: `<tr><th scope="col">${WORDS.day}</th><th scope="col">${WORDS.what}</th></tr>`,
};

/**
 * Renders the days on which a monitor was not always operational, with links to their incidents. A function, like `monitorRow`.
 */
export function daysTable(name: string, rows: NotableDays[], links: Links) {
  return (
    <table class="days">
      <caption>{WORDS.days_of(name)}</caption>
      <thead dangerouslySetInnerHTML={HEAD} />
      <tbody>
        {rows.map((row) => (
          <tr>
            <th scope="row">{daysText(row)}</th>
            <td>
              {partsText(row)}
              {row.incidents.map(({ id, title }) => [
                ' · ',
                <a href={links.to({ kind: 'incident', id })}>
                  <bdi>{title}</bdi>
                </a>,
              ])}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
