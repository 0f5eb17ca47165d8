import type { ImageData } from '../../page-model/branding.js';
import type { PageHead } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { DARK_SCHEME } from './accent.js';
import { imageLink } from './image-link.js';
import { OutsideLink } from './outside-link.js';
import { Name, Spaced } from './text.js';

/** Maximum size of the logo, in CSS pixels. */
const LOGO = { width: 220, height: 36 };

interface Props {
  page: PageHead;
  view: View;
}

/**
 * Renders the logo or the name of the page, its links, and its description, which narrow screens show in the footer.
 * @param isLinked whether the name is a link to the overview
 */
export function PageHeader({ page, view, isLinked }: Props & { isLinked: boolean }) {
  const { name, branding } = page;
  const hasLogo = (branding.logo ?? branding.logo_dark) !== null;
  const shown = hasLogo ? <Logo page={page} view={view} /> : <Name>{name}</Name>;
  return (
    <header class="banner">
      <div class="column">
        <p class="name">{isLinked ? <a href={view.links.to({ kind: 'overview' })}>{shown}</a> : shown}</p>
        <HeaderLinks page={page} view={view} />
        <About page={page} />
      </div>
    </header>
  );
}

/** Renders the description, if there is one. */
export function About({ page: { description } }: Pick<Props, 'page'>) {
  if (description === '') return null;
  return (
    <p class="about" dir="auto">
      {description}
    </p>
  );
}

/** Renders the logo for the color scheme of the page. */
function Logo({ page: { name, branding }, view }: Props) {
  const { logo, logo_dark, theme } = branding;
  const image = theme === 'dark' ? (logo_dark ?? logo) : (logo ?? logo_dark);
  if (!image) return null;
  const src = imageLink(view, image === logo ? 'logo' : 'logo-dark', image);
  const picture = <img src={src} alt={name} {...logoSize(image)} />;
  if (theme !== 'auto' || !logo || !logo_dark) return picture;
  return (
    <picture>
      <source media={DARK_SCHEME} srcset={imageLink(view, 'logo-dark', logo_dark)} {...logoSize(logo_dark)} />
      {picture}
    </picture>
  );
}

/** Returns the size of a logo in the header. Small pictures are not enlarged, but an SVG has no size of its own. */
export function logoSize({ width, height, extension }: ImageData): { width: number; height: number } {
  const fit = Math.min(LOGO.width / width, LOGO.height / height);
  const scale = extension === 'svg' ? fit : Math.min(1, fit);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Returns the link to the form, or to the feeds in the footer. */
function subscribeLink({ subscribing, rss_enabled }: PageHead, { links }: View): string | undefined {
  if (subscribing !== null && links.hasForms) return links.to({ kind: 'subscribe' });
  return rss_enabled ? '#subscribe' : undefined;
}

function HeaderLinks({ page, view }: Props) {
  const { show_history, branding } = page;
  const own = branding.links.filter(({ placement }) => placement === 'header');
  const subscribe = subscribeLink(page, view);
  const hasLinks = show_history || own.length > 0 || branding.website_url !== null;
  if (!hasLinks && subscribe === undefined) return null;
  return (
    <nav class="shortcuts" aria-label={view.words.header_navigation}>
      {hasLinks && (
        <span class="links">
          <Spaced>
            {own.map(({ label, url }) => (
              <OutsideLink url={url}>
                <Name>{label}</Name>
              </OutsideLink>
            ))}
            {branding.website_url !== null && (
              <OutsideLink url={branding.website_url}>{view.words.website}</OutsideLink>
            )}
            {show_history && (
              <a href={view.links.to({ kind: 'history', month: view.dates.monthOf(view.dates.now) })}>
                {view.words.history}
              </a>
            )}
          </Spaced>
        </span>
      )}{' '}
      {subscribe !== undefined && (
        <a class="button" href={subscribe}>
          {view.words.subscribe}
        </a>
      )}
    </nav>
  );
}
