import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import {
  asShape,
  asText,
  DARK_SCHEME,
  LIGHTEST_OF_DARK,
  textOn,
} from '../../page-documents/components/accent.js';
import { logoSize } from '../../page-documents/components/page-header.js';
import { ICON_COLORS } from '../../page-documents/components/status-shapes.js';
import { Name } from '../../page-documents/components/text.js';
import type { Words } from '../../page-model/languages/en/page.js';
import type { MailPage } from '../../page-model/mail-content.js';
import type { Sign } from '../../page-model/sign.js';

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const [PAPER, DARK_PAPER] = ['#ffffff', '#1b1e22'];
const [GROUND, DARK_GROUND] = ['#f1f1ee', '#121417'];
const [RULE, DARK_RULE] = ['#d0d1cd', '#454a52'];

/**
 * Styles of Markdown, which clients without stylesheets show in their own way. Only simple selectors, because Gmail ignores
 * others.
 */
const PROSE = [
  '.prose>*{margin:0 0 12px}',
  '.prose>:last-child{margin-bottom:0}',
  '.prose h2,.prose h3,.prose h4,.prose h5,.prose h6{margin-top:24px;font-size:17px;line-height:1.3}',
  '.prose ul,.prose ol{padding-inline-start:24px}.prose ul{list-style:disc}',
  `.prose code,.prose pre{background:${GROUND};border-radius:4px;font-size:14px;white-space:pre-wrap}`,
  '.prose code{padding:2px 4px}.prose pre{padding:8px 12px}.prose pre code{padding:0}',
  `.prose blockquote{padding-inline-start:16px;border-inline-start:3px solid ${RULE}}`,
  '.prose table{border-collapse:collapse;font-size:14px}',
  `.prose td,.prose th{padding:4px 6px;border:1px solid ${RULE};text-align:start}`,
];

/** Marks of the signs, as on the page. They are characters, because clients remove drawings. */
const MARKS: Record<Sign, string> = {
  operational: '✓',
  degraded_performance: '!',
  partial_outage: '–',
  major_outage: '×',
  under_maintenance: '↻',
  unknown: '?',
  neutral: 'i',
};

/** Returns the stylesheet. For dark clients, it overrides the inline styles, which clients without stylesheets use. */
function stylesOf(accent: string): string {
  const button = asText(accent, DARK_PAPER);
  const light = [
    ...PROSE,
    `.prose a{color:${asText(accent, PAPER)}}`,
    `.quiet a{color:${asText(accent, GROUND)}}`,
  ];
  const dark = [
    `body,.outer{background:${DARK_GROUND}!important}`,
    `.paper{background:${DARK_PAPER}!important;color:#e8e6e3!important}`,
    '.quiet{color:#a9adb3!important}',
    `.button{background:${button}!important;border-color:${button}!important;color:${textOn(button)}!important}`,
    `.prose a,.quiet a{color:${button}!important}`,
    `.prose code,.prose pre{background:${LIGHTEST_OF_DARK}!important}`,
    `.prose blockquote,.prose td,.prose th{border-color:${DARK_RULE}!important}`,
  ];
  return `${light.join('')}@media ${DARK_SCHEME}{${dark.join('')}}`;
}

interface LayoutProps {
  page: MailPage;
  words: Words;
  title: string;
  /** State in the title; omitted: the mail is about no state. */
  sign?: Sign;
  children: ComponentChildren;
  /** Below the content. */
  footer?: ComponentChildren;
}

/** Renders a message as an HTML document: tables with inline styles, without scripts, and without remote
 * parts except for the logo of a public page, which is the same for all recipients. */
export function renderMail(props: LayoutProps): string {
  return `<!doctype html>${renderToString(<Layout {...props} />)}`;
}

function Layout({ page, words, title, sign, children, footer }: LayoutProps) {
  const { accent_color, logo } = page;
  const stripe = sign === undefined ? asShape(accent_color, PAPER) : ICON_COLORS[sign];
  const head = `background:${PAPER};border-top:4px solid ${stripe};color:#1c1d1f;padding:16px 24px;${FONT};font-size:16px;font-weight:600`;
  const paper = `background:${PAPER};color:#1c1d1f;padding:8px 24px 24px;${FONT};font-size:16px;line-height:1.5;overflow-wrap:anywhere`;
  const quiet = `color:#5b5f66;padding:16px 24px;${FONT};font-size:13px;line-height:1.5`;
  return (
    <html lang={words.language} dir={words.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: stylesOf(accent_color) }} />
      </head>
      <body style={`margin:0;background:${GROUND}`}>
        <table
          role="presentation"
          class="outer"
          width="100%"
          style={`background:${GROUND};border-spacing:0;table-layout:fixed`}
        >
          <tr>
            <td align="center" style="padding:16px 8px">
              <table
                role="presentation"
                width="100%"
                style="max-width:600px;border-spacing:0;table-layout:fixed;text-align:start"
              >
                <tr>
                  {/* A logo stays on white, because it can be dark. */}
                  <td class={logo ? undefined : 'paper'} style={head}>
                    {logo ? (
                      <img src={logo.url} alt={page.name} {...logoSize(logo.image)} />
                    ) : (
                      <Name>{page.name}</Name>
                    )}
                  </td>
                </tr>
                <tr>
                  <td class="paper" style={paper}>
                    <h1 style="margin:0 0 12px;font-size:20px;line-height:1.3" dir="auto">
                      {sign !== undefined && <Mark sign={sign} />}
                      {title}
                    </h1>
                    {children}
                  </td>
                </tr>
                {footer !== undefined && (
                  <tr>
                    <td class="quiet" style={quiet}>
                      {footer}
                    </td>
                  </tr>
                )}
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>
  );
}

/** The mark of a state in its color, before its name. */
function Mark({ sign }: { sign: Sign }) {
  const radius = sign === 'operational' ? 14 : 6;
  const style = `display:inline-block;width:28px;margin-inline-end:10px;border-radius:${radius}px;background:${ICON_COLORS[sign]};color:#ffffff;line-height:28px;text-align:center`;
  return (
    <span aria-hidden="true" style={style}>
      {MARKS[sign]}
    </span>
  );
}

/** A link to the page, in its accent color. */
export function Button({ page, href, children }: { page: MailPage; href: string; children: string }) {
  const accent = asShape(page.accent_color, PAPER);
  const style = `display:inline-block;padding:10px 16px;border:1px solid ${accent};border-radius:6px;background:${accent};color:${textOn(accent)};text-decoration:none;font-weight:600`;
  return (
    <p style="margin:20px 0 0">
      <a class="button" href={href} style={style}>
        {children}
      </a>
    </p>
  );
}

/** A smaller line, such as a time. */
export function Quiet({ children }: { children: ComponentChildren }) {
  return (
    <p class="quiet" style="margin:0 0 12px;color:#5b5f66;font-size:14px">
      {children}
    </p>
  );
}

/** A link in the footer, on its own line, so that it is easy to hit. */
export function FooterLink({ href, children }: { href: string; children: string }) {
  return (
    <>
      <br />
      <a href={href} style="display:inline-block;padding:4px 0">
        {children}
      </a>
    </>
  );
}
