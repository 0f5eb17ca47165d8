import type { Command } from 'commander';
import { commandLine } from '../platform/auth/actor.js';
import { PageLookupService } from '../status-pages/page-lookup.service.js';
import { SubscriberImport } from '../subscribers/subscriber-import.js';
import { type CsvFault, readSubscribersCsv } from '../subscribers/subscribers-csv.js';
import { CliError } from './cli-error.js';
import type { RunCommand } from './program.js';
import { readFile } from './read-file.js';

const MAX_FAULTS_SHOWN = 10;

interface ImportOptions {
  statusPage: string;
  confirmed: boolean;
  dryRun: boolean;
}

/** Adds `import subscribers`, see `docs/cli.md`. */
export function addSubscribersCommand(imports: Command, run: RunCommand): void {
  imports
    .command('subscribers')
    .description('import subscribers by mail from a CSV file, such as an export of Atlassian Statuspage')
    .argument('<file>', 'file to import')
    .requiredOption('--status-page <page>', 'ID or slug of the status page')
    .option('--confirmed', 'the subscribers have consented to get mail; send them no confirmation', false)
    .option('--dry-run', 'print the import summary without creating anything', false)
    .action((file: string, { statusPage, confirmed, dryRun: dry_run }: ImportOptions) =>
      run(async (app) => {
        const page = await app.get(PageLookupService, { strict: false }).findForAdministrator(statusPage);
        if (!page) throw new CliError(`status page ${statusPage} does not exist`);
        let contents = readSubscribersCsv(Buffer.of());
        await readFile(file, (bytes) => (contents = readSubscribersCsv(bytes)));
        const { subscribers, faults, ...skipped } = contents;
        throwIfAny(file, faults);
        const found = await app
          .get(SubscriberImport, { strict: false })
          .run(commandLine('import subscribers', page.organization_id), page, subscribers, {
            confirmed,
            dry_run,
          });
        if (Array.isArray(found)) return throwIfAny(file, found);
        return { dry_run, status_page_id: page.id, ...found, ...skipped };
      }),
    );
}

function throwIfAny(file: string, faults: CsvFault[]): object {
  if (faults.length === 0) return {};
  const shown = faults.slice(0, MAX_FAULTS_SHOWN).map(({ line, detail }) => `line ${line} ${detail}`);
  const more = faults.length - shown.length;
  throw new CliError(`${file}: ${[...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`);
}
