import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { EventsService } from '../events/events.service.js';
import { DEFAULT_ORGANIZATION_ID } from '../platform/database/default-organization.js';
import { CliError } from './cli-error.js';
import { parseDayOrTime, parseUuid } from './options.js';
import type { Output, RunCommand } from './program.js';
import { requireOrganization } from './require.js';

interface ExportOptions {
  organization: string;
  from?: Date;
  to?: Date;
}

/** Adds `log export`, see `docs/cli.md`. */
export function addLogCommand(program: Command, run: RunCommand, stdout: Output['stdout']): void {
  program
    .command('log')
    .description('export the log of changes')
    .command('export')
    .description('print all events of an organization as JSON Lines, oldest first')
    .option('--organization <id>', 'organization of the events', parseUuid, DEFAULT_ORGANIZATION_ID)
    .option('--from <time>', 'first day or time (default: the oldest event)', parseDayOrTime)
    .option('--to <time>', 'day or time before which it ends (default: now)', parseDayOrTime)
    .action(({ organization, from, to = new Date() }: ExportOptions) =>
      run(async (app) => {
        if (from && to <= from) throw new CliError('--to must be after --from');
        await requireOrganization(app, organization);
        let events = 0;
        for await (const batch of app
          .get(EventsService, { strict: false })
          .export(organization, { from, to })) {
          const lines = batch.map((event) => `${JSON.stringify(event)}\n`).join('');
          if (!(await isWritten(stdout, lines))) throw new CliError('standard output was closed');
          events += batch.length;
        }
        return { organization_id: organization, events };
      }, true),
    );
}

/** Writes a text, and waits for the reader, so that no more than a batch is in memory. Returns false if the reader has closed the pipe. */
async function isWritten(stdout: Output['stdout'], text: string): Promise<boolean> {
  if (stdout instanceof Writable)
    return new Promise((resolve) => stdout.write(text, (error) => resolve(!error)));
  stdout.write(text);
  return true;
}
