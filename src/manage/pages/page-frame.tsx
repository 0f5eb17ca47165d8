import { randomUUID } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { SubmitButton } from '../buttons.js';
import { Facts as AnyFacts } from '../facts.js';
import { Summary, Token } from '../fields.js';
import { screen } from '../frame.js';
import type { Reply } from '../reply.js';
import { Tabs } from '../tabs.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import type { ReadPage } from './page-reader.js';

const { page: words } = WORDS;

/** Screens of a page, by the last part of their path. */
const TABS = ['settings', 'access', 'sections', 'branding', 'domain', 'history'] as const;

export type Tab = (typeof TABS)[number];

/** Returns the path of a page's screen. */
export function pathOf({ id }: { id: string }, tab: Tab = 'settings'): string {
  return `/manage/pages/${id}${tab === 'settings' ? '' : `/${tab}`}`;
}

/** Returns the path of the screen that creates a preview link. */
export function previewPath(page: { id: string }): string {
  return `${pathOf(page)}/preview`;
}

interface PageFrame {
  tab: Tab;
  /** Name of a screen below the tab, for the title; omitted: the name of the tab. */
  name?: string;
  status?: number;
  /** Confirmation of a saved form; omitted: visitors see it within seconds. */
  saved?: string | undefined;
  children: ComponentChildren;
}

/** Returns the confirmation of a saved form. Visitors see no private page. */
const savedText = ({ is_public }: ReadPage['page']): string =>
  is_public ? words.saved : words.saved_private;

/** Renders a screen of a page, with links to its other screens and to what visitors see. */
export function pageScreen(
  visit: Visit,
  { page, url }: ReadPage,
  { tab, name = words.tabs[tab], status, saved = savedText(page), children }: PageFrame,
): Reply {
  const address = url.replace(/^https?:\/\//, '');
  const isSaved = visit.query.get('done') === 'saved' && status === undefined;
  return screen({
    title: words.title(name, page.name),
    visit,
    current: 'pages',
    ...(status !== undefined && { status }),
    children: (
      <>
        <p class="crumb">
          <a href="/manage/pages">{WORDS.pages.title}</a>
        </p>
        <h1>
          <bdi>{page.name}</bdi>
        </h1>
        <p class="quiet">
          {page.is_public ? <a href={url}>{address}</a> : address}
          {!page.is_public && (
            <>
              {` · ${words.private} · `}
              <a href={previewPath(page)}>{WORDS.page_access.preview.title}</a>
            </>
          )}
        </p>
        <Tabs
          label={words.tabs_label}
          tabs={TABS.filter((one) => one !== 'access' || may(visit, 'status_pages:write')).map((one) => ({
            path: pathOf(page, one),
            text: words.tabs[one],
            isCurrent: one === tab,
          }))}
        />
        <Summary text={isSaved ? saved : undefined} role="status" />
        {children}
      </>
    ),
  });
}

/** Confirms a saved form beside it, after a jump to the form. `place`: the value in the query. */
export function SavedHere({ visit, page, place }: { visit: Visit; page: ReadPage['page']; place: string }) {
  return <Summary text={visit.query.get('done') === place ? savedText(page) : undefined} role="status" />;
}

/** Renders what each form of a page contains: the token, the version that it replaces, and a key that makes it happen once. */
export function Hidden({ visit, version }: { visit: Visit; version: Date }) {
  return (
    <>
      <Token visit={visit} />
      <input type="hidden" name="updated_at" value={version.toISOString()} />
      <input type="hidden" name="key" value={randomUUID()} />
    </>
  );
}

/** Renders the button that saves a form. */
export function SaveButton() {
  return <SubmitButton text={words.save} />;
}

/** Renders values for members who may not change them. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: string])[] }) {
  return <AnyFacts facts={facts.map(([label, value]) => [label, <bdi>{value}</bdi>] as const)} />;
}
