import type { Command } from 'commander';
import type { StatusPageSummary } from '../index.js';
import { isUuid } from './arguments.js';
import { EXIT } from './errors.js';
import type { Run } from './result.js';
import { printable, table, time } from './text.js';

/** Adds the `status` command. */
export function addStatusCommand(program: Command, run: Run): void {
  program
    .command('status')
    .description(
      'show the current status of a status page: its monitors, open incidents and maintenance windows',
    )
    .argument('[page]', 'slug or ID (default: the only page of the project)')
    .option(
      '--exit-code',
      'exit with 4 if an incident is open, or a monitor is neither operational nor under maintenance',
    )
    .addHelpText('after', '\nExample:\n  status-pages status acme --exit-code')
    .action((page: string | undefined, { exitCode }: { exitCode?: true }, command: Command) =>
      run(command, async (session) => {
        const id = page !== undefined && isUuid(page) ? page : (await session.page(page)).id;
        const summary = await session.client.statusPages.summary(id);
        return {
          json: summary,
          text: textOf(summary),
          ...(exitCode && isWrong(summary) && { exitCode: EXIT.wrong }),
        };
      }),
    );
}

function isWrong({ counts, incidents }: StatusPageSummary): boolean {
  return incidents.length > 0 || counts.operational + counts.under_maintenance < counts.total;
}

function textOf({ name, headline, as_of, sections, incidents, maintenances }: StatusPageSummary): string {
  const parts = [`${printable(name)}: ${headline.text} (${time(as_of)})\n`];
  const monitors = sections.flatMap(({ title, monitors: own }) =>
    own.map((one) => [title, one.name, one.status]),
  );
  if (monitors.length > 0) parts.push(table(['SECTION', 'MONITOR', 'STATUS'], monitors, ''));
  const open = incidents.map(({ id, status, impact, started_at, title }) => [
    id,
    status,
    impact,
    time(started_at),
    title,
  ]);
  if (open.length > 0) parts.push(table(['INCIDENT', 'STATUS', 'IMPACT', 'STARTED', 'TITLE'], open, ''));
  const windows = maintenances.map(({ id, status, starts_at, ends_at, title }) => [
    id,
    status,
    time(starts_at),
    time(ends_at),
    title,
  ]);
  if (windows.length > 0) parts.push(table(['MAINTENANCE', 'STATUS', 'START', 'END', 'TITLE'], windows, ''));
  return parts.join('\n');
}
