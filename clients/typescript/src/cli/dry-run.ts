import type { DryRun } from '../index.js';
import type { Result } from './result.js';
import { printable } from './text.js';

/** Fields that the service makes up in a dry run. */
const MADE_UP = new Set(['/id', '/created_at', '/updated_at']);

/**
 * Returns the output of a command whose writes ran without their effects: the changes and the messages instead of the result. The
 * JSON contains both.
 */
export function dryRunResult({ result, dry_run }: { result: Result; dry_run: DryRun }): Result {
  const lines = ['Dry run: nothing was changed or sent.', ...changesOf(dry_run), messagesOf(dry_run)];
  return {
    ...result,
    json: { data: result.json, dry_run },
    text: lines.map((line) => `${printable(line)}\n`).join(''),
  };
}

function changesOf({ changes }: DryRun): string[] {
  const lines = changes.flatMap(linesOf);
  return lines.length === 0 ? ['The service lists no changes.'] : lines;
}

/** Returns a line for each change. A new resource has one for each of its fields. */
function linesOf(change: object): string[] {
  const { op, path, value }: { op?: string; path?: string; value?: unknown } = change;
  if (path === '' && typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, field]) => linesOf({ op, path: `/${name}`, value: field }));
  if (path === undefined || MADE_UP.has(path)) return [];
  return [`  ${op} ${path}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`];
}

function messagesOf({ notifications: { email, webhook, pages } }: DryRun): string {
  const counts = `${count(email, 'email')} and ${count(webhook, 'webhook')} would be sent`;
  return pages.length === 0 ? `${counts}.` : `${counts}. Status pages: ${pages.join(', ')}.`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
