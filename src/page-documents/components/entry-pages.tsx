import type { ComponentChildren } from 'preact';
import type { PageDocument } from '../../page-model/page-document.js';
import { entryWordsOf } from '../../page-model/words.js';
import type { GateShell } from './gate-page.js';
import { renderPage } from './html-page.js';
import { Panel, type PanelIcon } from './panel.js';

// Pages between the gate of a private page and the page itself. They contain only what the gate shows.

/** A private page in a visitor's language. */
type EntryShell = Pick<GateShell, 'page' | 'view'>;

/** Text of a page. */
export interface EntryMessage {
  title: string;
  text: string;
  /** Technical reason, in English. */
  reason?: string;
  icon?: PanelIcon;
}

/** Renders a page with a text, and a link back to the gate. */
export function renderEntryMessage(
  { page, view }: EntryShell,
  { title, text, reason, icon = 'problem' }: EntryMessage,
): PageDocument {
  const words = entryWordsOf(view.words.language);
  return render({ page, view }, icon, title, [
    <p>{text}</p>,
    reason !== undefined && (
      <p class="hint">
        {words.reason} <bdi lang="en">{reason}</bdi>
      </p>
    ),
    <p>
      <a class="button" href={view.links.to({ kind: 'overview' })}>
        {words.again}
      </a>
    </p>,
  ]);
}

/**
 * Renders the button behind a link in mail. The form has no `action`, so it is sent to the link itself.
 * @param to the wanted part of the page
 */
export function renderOpen(shell: EntryShell, email: string, to: string): PageDocument {
  const words = entryWordsOf(shell.view.words.language);
  return render(shell, 'mail', words.open, [
    <p>
      {words.open_text} <bdi class="address">{email}</bdi>
    </p>,
    <form class="form" method="post">
      <input type="hidden" name="to" value={to} />
      <p>
        <button class="button" type="submit">
          {words.open}
        </button>
      </p>
    </form>,
  ]);
}

/**
 * Renders the page that leads to the sign-in of another service, immediately or by its link. The response to the form is no
 * redirect, because browsers then apply `form-action` of the gate to every redirect of the other service.
 */
export function renderContinue(shell: EntryShell, url: string): PageDocument {
  const words = entryWordsOf(shell.view.words.language);
  return render(
    shell,
    'lock',
    words.redirect,
    [
      <p>
        {words.redirect_text} <bdi class="address">{new URL(url).host}</bdi>
      </p>,
      <p>
        <a class="button" href={url} rel="noreferrer">
          {words.continue}
        </a>
      </p>,
    ],
    <meta http-equiv="refresh" content={`0;url=${url}`} />,
  );
}

function render(
  { page, view }: EntryShell,
  icon: PanelIcon,
  title: string,
  children: ComponentChildren,
  head?: ComponentChildren,
): PageDocument {
  return renderPage({
    page,
    view,
    title,
    isForm: true,
    head,
    children: (
      <Panel icon={icon} title={title}>
        {children}
      </Panel>
    ),
  });
}
