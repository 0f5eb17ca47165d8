import type { View } from '../documents/view.js';
import { daysText, type NotableDays, partsText } from './notable-days.js';

/**
 * Renders the days on which a monitor was not always operational, with links to their incidents. A function, like `monitorRow`.
 */
export function daysTable(name: string, rows: NotableDays[], view: View) {
  return (
    <table class="days">
      <caption>{view.words.days_of(name)}</caption>
      <thead>
        <tr>
          <th scope="col">{view.words.day}</th>
          <th scope="col">{view.words.what}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            <th scope="row">{daysText(view, row)}</th>
            <td>
              {partsText(view, row)}
              {row.incidents.map(({ id, title }) => [
                ' · ',
                <a href={view.links.to({ kind: 'incident', id })}>
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
