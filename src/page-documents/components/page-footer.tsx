import type { PageHead } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import type { Part } from '../../page-model/parts.js';
import { Feeds } from './feeds.js';
import { LanguageNav } from './language-nav.js';
import { OutsideLink } from './outside-link.js';
import { About } from './page-header.js';
import { Name } from './text.js';

interface Props {
  page: PageHead;
  view: View;
}

/**
 * Renders the ways to subscribe, links, the languages, and the name of the software. Empty at the gate of a private page, except for
 * the languages.
 */
export function PageFooter({ page, view, part }: Props & { part: Part | undefined }) {
  // Documents with a secret link lead to the form, which lists the feeds.
  const listsFeeds = part?.kind === 'subscribe' || (page.subscribing !== null && view.links.hasForms);
  const hasBars = page.show_history && (part?.kind === 'overview' || part?.kind === 'monitor');
  return (
    <footer class="column">
      <About page={page} />
      {page.rss_enabled && !listsFeeds && <Subscribe view={view} />}
      <FooterLinks page={page} view={view} />
      {page.show_powered_by && <p>{view.words.powered_by}</p>}
      {part && <LanguageNav page={page} view={view} part={part} />}
      {hasBars && <p>{view.words.uptime_counts}</p>}
    </footer>
  );
}

/** Renders the feeds and the calendar. The header links to it, unless the page has a form. */
function Subscribe({ view }: { view: View }) {
  return (
    <section id="subscribe" aria-labelledby="subscribe-title">
      <h2 id="subscribe-title">{view.words.subscribe_title}</h2>
      <Feeds view={view} />
    </section>
  );
}

function FooterLinks({ page, view }: Props) {
  const { show_history, branding } = page;
  const own = branding.links.filter(({ placement }) => placement === 'footer');
  if (!show_history && own.length === 0 && branding.support_url === null) return null;
  return (
    <nav aria-label={view.words.footer_navigation}>
      <ul>
        {own.map(({ label, url }) => (
          <li>
            <OutsideLink url={url}>
              <Name>{label}</Name>
            </OutsideLink>
          </li>
        ))}
        {branding.support_url !== null && (
          <li>
            <OutsideLink url={branding.support_url}>{view.words.support}</OutsideLink>
          </li>
        )}
        {show_history && (
          <li>
            <a href={view.links.to({ kind: 'history', month: view.dates.monthOf(view.dates.now) })}>
              {view.words.history}
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}
