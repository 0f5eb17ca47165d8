import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { updateText } from '../components/update-text.js';
import { markdownToHtml } from '../components/markdown.js';
import type { MaintenanceData, UpdateData } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';

/**
 * Renders the HTML of an update: its text, and the affected monitors from then on, if it sets them. `resolved` ends all
 * effects.
 */
export function updateContent(view: View, update: UpdateData): string {
  const { status, affected } = update;
  const { words } = view;
  const named = status === 'resolved' ? [] : (affected ?? []);
  const names = named.map((one) => one.name + words.in_parentheses(words.status_in_text[one.status]));
  return markdownToHtml(updateText(view, update)) + affectedContent(view, names);
}

/** Renders the HTML that announces a maintenance window: its time, its text, and the affected monitors. */
export function maintenanceContent(view: View, maintenance: MaintenanceData): string {
  const { body, monitors } = maintenance;
  const names = monitors.map(({ name }) => name);
  return (
    paragraph(<Window view={view} {...maintenance} />) + markdownToHtml(body) + affectedContent(view, names)
  );
}

/** Renders the HTML that announces a cancelled maintenance window. */
export function cancelledContent(view: View, maintenance: MaintenanceData): string {
  return paragraph(view.words.feed.called_off) + paragraph(<Window view={view} {...maintenance} />);
}

function affectedContent(view: View, names: string[]): string {
  return names.length > 0 ? paragraph(view.words.feed.affected(names.join(view.words.comma))) : '';
}

function Window({
  starts_at,
  ends_at,
  view,
}: Pick<MaintenanceData, 'starts_at' | 'ends_at'> & { view: View }) {
  return (
    <>
      {view.words.feed.planned}{' '}
      <time dateTime={starts_at.toISOString()}>{view.dates.fullTime(starts_at)}</time>
      {' – '}
      <time dateTime={ends_at.toISOString()}>{view.dates.fullTime(ends_at)}</time>
    </>
  );
}

function paragraph(children: ComponentChildren): string {
  return renderToString(<p>{children}</p>);
}
