import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { styleSheet, STYLES } from '../page-documents/components/html-page.js';
import { iconOf, SYMBOLS } from '../page-documents/components/status-shapes.js';
import type { Sign } from '../page-model/sign.js';
import type { Scope } from '../platform/auth/scopes.js';
import { Token } from './fields.js';
import { Reply, SCRIPTED } from './reply.js';
import { CONSOLE_SCRIPT } from './scripts.js';
import { may, type Visit } from './visit.js';
import { WORDS } from './words.js';

/** Stylesheet of the console: the public pages' stylesheet, whose tokens and cards it uses, and its own. */
export const CONSOLE_STYLES = STYLES.auto + styleSheet('manage/assets/manage.css');

/** Path of the stylesheet. It changes with its content, so that browsers can keep it. */
export const STYLES_PATH = `/manage/console-${createHash('sha256').update(CONSOLE_STYLES).digest('hex').slice(0, 12)}.css`;

const { menu } = WORDS.account;

const DRAWINGS = { __html: SYMBOLS };

const NAV = [
  { id: 'now', path: '/manage' },
  { id: 'monitors', path: '/manage/monitors' },
  { id: 'pages', path: '/manage/pages' },
] as const;

interface Group {
  title: string;
  screens: readonly { path: string; text: string; scope: Scope }[];
}

/**
 * Further screens, in groups of the menu. `scope`: of members who can do something there. Others can open the screens that they may
 * read by their address.
 */
const MENU: readonly Group[] = [
  {
    title: menu.events,
    screens: [
      { path: '/manage/incidents', text: WORDS.lists.incidents, scope: 'incidents:read' },
      { path: '/manage/maintenances', text: WORDS.lists.maintenances, scope: 'maintenances:read' },
      { path: '/manage/templates', text: WORDS.templates.title, scope: 'incidents:write' },
    ],
  },
  {
    title: menu.recipients,
    screens: [
      { path: '/manage/subscribers', text: WORDS.subscribers.title, scope: 'subscribers:write' },
      { path: '/manage/webhooks', text: WORDS.webhooks.title, scope: 'webhooks:write' },
    ],
  },
  {
    title: menu.organization,
    screens: [
      { path: '/manage/members', text: WORDS.members.title, scope: 'members:read' },
      { path: '/manage/keys', text: WORDS.keys.title, scope: 'api_keys:write' },
      { path: '/manage/log', text: WORDS.log.title, scope: 'events:read' },
    ],
  },
];

interface Frame {
  title: string;
  children: ComponentChildren;
  /** Further elements of the head. */
  head?: ComponentChildren;
  /** The member who sees it; omitted: no session. */
  visit?: Visit | undefined;
  /** Entry of the navigation that it belongs to. */
  current?: (typeof NAV)[number]['id'];
  /** Status of the icon in the browser tab. */
  sign?: Sign;
  status?: number;
  headers?: Record<string, string>;
  /** Path of a script in addition to the script of all screens of members. */
  script?: string;
}

/** Renders a screen of the console. */
export function screen({
  title,
  children,
  head,
  visit,
  current,
  sign = 'neutral',
  status = 200,
  headers,
  script,
}: Frame): Reply {
  const scripts = [script, visit && CONSOLE_SCRIPT.path].filter((path) => path !== undefined);
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{WORDS.title(title)}</title>
        <link rel="stylesheet" href={STYLES_PATH} />
        <link rel="icon" href={iconOf(sign)} />
        {head}
        {scripts.map((path) => (
          <script src={path} defer />
        ))}
      </head>
      <body class="console" data-member={visit?.actor.id}>
        <a class="skip" href="#main">
          {WORDS.skip}
        </a>
        <svg class="drawings" aria-hidden="true" dangerouslySetInnerHTML={DRAWINGS} />
        {visit && <Top visit={visit} current={current} />}
        <main id="main" class="column">
          {children}
        </main>
      </body>
    </html>,
  );
  const type = { 'Content-Type': 'text/html; charset=utf-8' };
  return new Reply(
    status,
    { ...headers, ...(scripts.length > 0 && SCRIPTED), ...type },
    `<!DOCTYPE html>${html}`,
  );
}

function Top({ visit, current }: { visit: Visit; current: Frame['current'] }) {
  return (
    <header class="top">
      <div class="column">
        <nav aria-label={WORDS.nav.label}>
          <ul>
            {NAV.map(({ id, path }) => (
              <li>
                <a href={path} aria-current={id === current ? 'page' : undefined}>
                  {WORDS.nav[id]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <details class="account">
          <summary class={isInMenu(visit) ? 'here' : undefined}>{WORDS.account.label}</summary>
          <div class="menu">
            {MENU.map(({ title, screens }) => (
              <MenuGroup visit={visit} title={title} screens={screens} />
            ))}
          </div>
          <div class="own">
            <p>
              {WORDS.account.signed_in} <bdi>{visit.actor.name}</bdi>
              <br />
              <bdi class="quiet">{visit.session.member.email}</bdi>
            </p>
            <a class="button" href={ACCOUNT} aria-current={visit.path === ACCOUNT ? 'page' : undefined}>
              {WORDS.account.open}
            </a>
            <form method="post" action="/manage/sign-out">
              <Token visit={visit} />
              <button class="button plain" type="submit">
                {WORDS.account.sign_out}
              </button>
            </form>
          </div>
        </details>
      </div>
    </header>
  );
}

const ACCOUNT = '/manage/account';

function isWithin({ path }: Pick<Visit, 'path'>, screenPath: string): boolean {
  return path === screenPath || path.startsWith(`${screenPath}/`);
}

/** Returns whether a screen belongs to the menu. */
function isInMenu(visit: Visit): boolean {
  const paths = MENU.flatMap(({ screens }) => screens.map(({ path }) => path));
  return [ACCOUNT, ...paths].some((path) => isWithin(visit, path));
}

function MenuGroup({ visit, title, screens }: { visit: Visit } & Group) {
  const own = screens.filter(({ scope }) => may(visit, scope));
  if (own.length === 0) return null;
  return (
    <div>
      <p class="quiet">{title}</p>
      <ul>
        {own.map(({ path, text }) => (
          <li>
            <a href={path} aria-current={isWithin(visit, path) ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Message {
  title: string;
  text: string;
  visit?: Visit | undefined;
  status?: number;
  headers?: Record<string, string>;
  link?: { path: string; text: string };
}

/** Renders a screen with a text and a link. */
export function message({ title, text, link, ...frame }: Message): Reply {
  return screen({
    ...frame,
    title,
    children: (
      <div class="sheet narrow">
        {!frame.visit && <p class="product">{WORDS.product}</p>}
        <h1>{title}</h1>
        <p>{text}</p>
        {link && (
          <p>
            <a class="button" href={link.path}>
              {link.text}
            </a>
          </p>
        )}
      </div>
    ),
  });
}
