import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { markdownToHtml } from '../components/markdown.js';
import type { MaintenanceData, UpdateData } from '../data/page-data.js';
import { timeText, WORDS } from '../documents/words.js';

/**
 * Renders the HTML of an update: its text, and the affected monitors from then on, if it sets them. `resolved` ends all
 * effects.
 */
export function updateContent({ status, body, affected }: UpdateData): string {
  const named = status === 'resolved' ? [] : (affected ?? []);
  const names = named.map((one) => `${one.name} (${WORDS.status[one.status].toLowerCase()})`);
  return markdownToHtml(body) + affectedContent(names);
}

/** Renders the HTML that announces a maintenance window: its time, its text, and the affected monitors. */
export function maintenanceContent(maintenance: MaintenanceData): string {
  const { body, monitors } = maintenance;
  const names = monitors.map(({ name }) => name);
  return paragraph(<Window {...maintenance} />) + markdownToHtml(body) + affectedContent(names);
}

/** Renders the HTML that announces a cancelled maintenance window. */
export function cancelledContent(maintenance: MaintenanceData): string {
  return paragraph(WORDS.feed.called_off) + paragraph(<Window {...maintenance} />);
}

function affectedContent(names: string[]): string {
  return names.length > 0 ? paragraph(WORDS.feed.affected(names.join(', '))) : '';
}

function Window({ starts_at, ends_at }: Pick<MaintenanceData, 'starts_at' | 'ends_at'>) {
  return (
    <>
      {WORDS.feed.planned} <time dateTime={starts_at.toISOString()}>{timeText(starts_at)}</time>
      {' – '}
      <time dateTime={ends_at.toISOString()}>{timeText(ends_at)}</time>
    </>
  );
}

function paragraph(children: ComponentChildren): string {
  return renderToString(<p>{children}</p>);
}
