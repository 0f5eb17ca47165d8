import { monthOf } from '../data/months.js';
import type { PageHead } from '../data/page-data.js';
import type { Links } from '../documents/links.js';
import { FEED_FORMATS } from '../documents/parts.js';
import { WORDS } from '../documents/words.js';

/** Renders the links to the history and the feeds, and the name of the software. */
export function PageFooter({ page, links }: { page: PageHead; links: Links }) {
  const { show_history, rss_enabled, show_powered_by, as_of } = page;
  return (
    <footer class="column">
      {(show_history || rss_enabled) && (
        <nav id="subscribe" aria-label={WORDS.footer_navigation}>
          <ul>
            {show_history && (
              <li>
                <a href={links.to({ kind: 'history', month: monthOf(as_of) })}>{WORDS.history}</a>
              </li>
            )}
            {rss_enabled &&
              FEED_FORMATS.map((format) => (
                <li>
                  <a href={links.to({ kind: 'feed', format })}>{WORDS.feeds[format]}</a>
                </li>
              ))}
            {rss_enabled && (
              <li>
                <a href={links.to({ kind: 'calendar' })}>{WORDS.calendar}</a>
              </li>
            )}
          </ul>
        </nav>
      )}
      <p>{WORDS.days_in_utc}</p>
      {show_powered_by && <p>{WORDS.powered_by}</p>}
    </footer>
  );
}
