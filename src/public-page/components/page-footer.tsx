import { monthOf } from '../data/months.js';
import type { PageHead } from '../data/page-data.js';
import type { View } from '../documents/view.js';
import { FEED_FORMATS, type Part } from '../documents/parts.js';
import { LanguageNav } from './language-nav.js';

/** Renders the links to the history and the feeds, and the name of the software. */
export function PageFooter({ page, view, part }: { page: PageHead; view: View; part: Part }) {
  const { show_history, rss_enabled, show_powered_by, as_of } = page;
  return (
    <footer class="column">
      {(show_history || rss_enabled) && (
        <nav id="subscribe" aria-label={view.words.footer_navigation}>
          <ul>
            {show_history && (
              <li>
                <a href={view.links.to({ kind: 'history', month: monthOf(as_of) })}>{view.words.history}</a>
              </li>
            )}
            {rss_enabled &&
              FEED_FORMATS.map((format) => (
                <li>
                  <a href={view.links.to({ kind: 'feed', format })}>{view.words.feeds[format]}</a>
                </li>
              ))}
            {rss_enabled && (
              <li>
                <a href={view.links.to({ kind: 'calendar' })}>{view.words.calendar}</a>
              </li>
            )}
          </ul>
        </nav>
      )}
      <LanguageNav page={page} view={view} part={part} />
      <p>{view.words.days_in_utc}</p>
      {show_powered_by && <p>{view.words.powered_by}</p>}
    </footer>
  );
}
