import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageDocument } from '../../page-model/page-document.js';
import type { PageBranding } from '../../page-model/branding.js';
import type { PageHead } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import type { Part } from '../../page-model/parts.js';
import type { Sign } from '../../page-model/sign.js';
import { assetPath } from '../../platform/config/project-files.js';
import { accentStyles, inTheme } from './accent.js';
import { barStyles, PATTERNS, scaleOf } from './bars.js';
import { HeadLinks } from './head-links.js';
import { PageFooter } from './page-footer.js';
import { PageHeader } from './page-header.js';
import { imageLink } from './image-link.js';
import { iconOf, SYMBOLS } from './status-shapes.js';
import type { Words } from '../../page-model/languages/en/page.js';

/** Returns a stylesheet of `src/` without comments and indentation. */
export const styleSheet = (path: string) =>
  readFileSync(assetPath(path), 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\n\s*/g, '');

const SOURCE = styleSheet('page-documents/assets/page.css') + styleSheet('page-documents/assets/signs.css');

/** Additional styles of documents with a panel. */
const FORM_STYLES = styleSheet('page-documents/assets/form.css');

/** Additional styles of all parts except for the overview. */
const PART_STYLES = styleSheet('page-documents/assets/part.css');

/** Stylesheet by theme. */
export const STYLES: Record<PageBranding['theme'], string> = {
  auto: SOURCE,
  light: inTheme(SOURCE, 'light'),
  dark: inTheme(SOURCE, 'dark'),
};

const DRAWINGS = { __html: `<defs>${PATTERNS}</defs>${SYMBOLS}` };

/** An HTML document of a status page. */
export interface Shell {
  page: PageHead;
  view: View;
  /** Part that the document shows; omitted: a document with a secret link, without links to other languages. */
  part?: Part;
  /** Whether the document contains a form. It has no script then, which would replace what the visitor enters. */
  isForm?: boolean;
  /** First part of the document title, before the page name. */
  title: string;
  /** Status of the icon in the browser tab; omitted: neutral. */
  status?: Sign;
  /** Content of the `main` element. */
  children: ComponentChildren;
  /** Additional elements of the head. */
  head?: ComponentChildren;
}

/** Renders a part of a page as an HTML document that includes the stylesheet, so that the first paint needs one round trip. */
export function renderPage(shell: Shell): PageDocument {
  const { page, view, part, title, isForm = false, status = 'neutral', children } = shell;
  const { accent_color, branding } = page;
  const styles = [
    STYLES[branding.theme],
    inTheme(accentStyles(accent_color), branding.theme),
    isForm ? FORM_STYLES : barStyles(view, scaleOf(page)),
    part?.kind === 'overview' ? '' : PART_STYLES,
  ].join('');
  const fullTitle = view.words.title(page.name, title);
  const head = (
    <>
      {part ? (
        <HeadLinks page={page} view={view} part={part} title={fullTitle} />
      ) : (
        <meta name="robots" content="noindex" />
      )}
      <link
        rel="icon"
        href={branding.favicon ? imageLink(view, 'favicon', branding.favicon) : iconOf(status)}
      />
      {!isForm && <script src={view.links.script} defer />}
      {shell.head}
    </>
  );
  const body = (
    <>
      <PageHeader page={page} view={view} isLinked={page.is_public || part !== undefined} />
      <main id="main" class="column">
        {/* The script inserts the text, because text browsers ignore `hidden`. */}
        {!isForm && <p class="notice" id="out-of-date" data-text={view.words.out_of_date} hidden />}
        {children}
      </main>
      <PageFooter page={page} view={view} part={part} />
      {!isForm && <p class="unseen" id="news" role="status" />}
    </>
  );
  return renderDocument({ words: view.words, theme: branding.theme, title: fullTitle, styles, head, body });
}

/** Renders an HTML document that does not belong to a status page. It has no script. */
export function renderMessage(words: Words, title: string, children: ComponentChildren): PageDocument {
  const head = (
    <>
      <meta name="robots" content="noindex" />
      <link rel="icon" href={iconOf('neutral')} />
    </>
  );
  const body = (
    <main id="main" class="column">
      {children}
    </main>
  );
  const styles = STYLES.auto + FORM_STYLES;
  return renderDocument({ words, theme: 'auto', title, styles, head, body });
}

interface Document {
  words: Words;
  theme: PageBranding['theme'];
  title: string;
  styles: string;
  head: ComponentChildren;
  body: ComponentChildren;
}

/** Renders a whole document, with a policy that allows its stylesheet and forbids all sites to frame it. */
export function renderDocument({ words, theme, title, styles, head, body }: Document): PageDocument {
  const html = renderToString(
    <html lang={words.language} dir={words.direction === 'rtl' ? 'rtl' : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: styles }} />
        {head}
      </head>
      <body>
        <a class="skip" href="#main">
          {words.skip}
        </a>
        <svg class="drawings" aria-hidden="true" dangerouslySetInnerHTML={DRAWINGS} />
        {body}
      </body>
    </html>,
  );
  const hash = createHash('sha256').update(styles).digest('base64');
  return {
    type: 'text/html; charset=utf-8',
    body: `<!DOCTYPE html>${html}`,
    csp: `default-src 'none';style-src 'self' 'sha256-${hash}';script-src 'self';connect-src 'self';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'`,
  };
}
