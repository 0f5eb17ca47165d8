import { readFileSync } from 'node:fs';
import type { CurrentPart } from '../../page-model/page-data.js';
import type { PageDocument } from '../../page-model/page-document.js';
import { signOf } from '../../page-model/sign.js';
import type { View } from '../../page-model/view.js';
import { assetPath } from '../../platform/config/project-files.js';
import { headlineText } from '../../summaries/headline.js';
import { accentStyles, inTheme } from './accent.js';
import { renderDocument, STYLES } from './html-page.js';
import { ICON_COLORS, shapeOf, STATUS_CLASS } from './status-shapes.js';

/** Script of the banner, whose bytes stay the same. */
const BANNER = readFileSync(assetPath('page-documents/assets/banner.js'), 'utf8');

const FRAME_STYLES = 'body{min-height:0}.column{padding-block:.75rem}h1{font-size:1rem;letter-spacing:0}';

/** Returns the script of the banner. It is the same for all pages. */
export function renderBanner(): PageDocument {
  return { type: 'text/javascript; charset=utf-8', body: BANNER };
}

/**
 * Renders the headline as a link to the page, for a frame on other sites and for the banner. `data-color` marks it for the banner
 * while something is wrong. Missing data alone is not wrong. No site may frame a private page.
 */
export function renderEmbed(current: CurrentPart, view: View): PageDocument {
  const { page, headline, incidents } = current;
  const { words, links } = view;
  const sign = signOf(current);
  const isWrong = sign !== 'operational' && sign !== 'unknown';
  const title = words.title(page.name, headlineText(headline, incidents.length, words.headline));
  const { theme } = page.branding;
  const document = renderDocument({
    words,
    theme,
    title,
    styles: STYLES[theme] + inTheme(accentStyles(page.accent_color), theme) + FRAME_STYLES,
    head: (
      <>
        <meta name="robots" content="noindex" />
        <script src={links.script} defer />
      </>
    ),
    body: (
      <>
        <main id="main" class="column">
          <h1>
            <span class={STATUS_CLASS[sign]} dangerouslySetInnerHTML={{ __html: shapeOf(sign) }} />
            <a
              href={links.absolute({ kind: 'overview' })}
              target="_blank"
              rel="noopener"
              lang={words.language}
              data-color={isWrong ? ICON_COLORS[sign] : undefined}
            >
              {title}
            </a>
          </h1>
        </main>
        <p class="unseen" id="news" role="status" />
      </>
    ),
  });
  return { ...document, ...(page.is_public && { csp: document.csp?.replace(/'none'$/, '*') }) };
}
