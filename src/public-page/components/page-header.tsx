import { monthOf } from '../data/months.js';
import type { PageHead } from '../data/page-data.js';
import type { View } from '../documents/view.js';
import { Name } from './text.js';

/** Renders the name of the page in its accent color, and its description. */
export function PageHeader({ page, view }: { page: PageHead; view: View }) {
  const { name, description, rss_enabled, show_history, as_of } = page;
  return (
    <header class="banner">
      <div class="column">
        <p class="name">
          <a href={view.links.to({ kind: 'overview' })}>
            <Name>{name}</Name>
          </a>
        </p>
        {(show_history || rss_enabled) && (
          <p class="shortcuts">
            {show_history && (
              <a href={view.links.to({ kind: 'history', month: monthOf(as_of) })}>{view.words.history}</a>
            )}
            {rss_enabled && <a href="#subscribe">{view.words.subscribe}</a>}
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
