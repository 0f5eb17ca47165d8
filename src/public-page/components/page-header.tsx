import { monthOf } from '../data/months.js';
import type { PageHead } from '../data/page-data.js';
import type { Links } from '../documents/links.js';
import { WORDS } from '../documents/words.js';
import { Name } from './text.js';

/** Renders the name of the page in its accent color, and its description. */
export function PageHeader({ page, links }: { page: PageHead; links: Links }) {
  const { name, description, rss_enabled, show_history, as_of } = page;
  return (
    <header class="banner">
      <div class="column">
        <p class="name">
          <a href={links.to({ kind: 'overview' })}>
            <Name>{name}</Name>
          </a>
        </p>
        {(show_history || rss_enabled) && (
          <p class="shortcuts">
            {show_history && (
              <a href={links.to({ kind: 'history', month: monthOf(as_of) })}>{WORDS.history}</a>
            )}
            {rss_enabled && <a href="#subscribe">{WORDS.subscribe}</a>}
          </p>
        )}
        {description !== '' && (
          <p class="about" dir="auto">
            {description}
          </p>
        )}
      </div>
    </header>
  );
}
