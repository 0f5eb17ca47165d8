import { type Command, InvalidArgumentError } from 'commander';
import { isPublicUrl } from '../platform/config/env.js';
import { normalizeUrl, PublicUrl } from '../platform/config/public-url.js';
import { PageExport } from '../page-documents/export/page-export.service.js';
import { PageLookupService } from '../status-pages/page-lookup.service.js';
import { CliError } from './cli-error.js';
import { writeExport } from './export-folder.js';
import type { RunCommand } from './program.js';

/** Adds the command `export`. */
export function addExportCommand(program: Command, run: RunCommand): void {
  program
    .command('export')
    .description('export a status page, public or private, as static files')
    .argument('<page>', 'ID or slug of the status page')
    .requiredOption(
      '--out <directory>',
      'output directory; must be empty, not exist, or contain a previous export (replaced)',
    )
    .option('--url <url>', 'base URL where the export will be hosted (default: PUBLIC_URL)', parseUrl)
    .action((idOrSlug: string, { out, url }: { out: string; url?: string }) =>
      run(async (app) => {
        const page = await app.get(PageLookupService).findForAdministrator(idOrSlug);
        if (!page) throw new CliError(`status page ${idOrSlug} does not exist`);
        return writeExport(out, app.get(PageExport).files(page.id, url ?? app.get(PublicUrl).value));
      }),
    );
}

function parseUrl(value: string): string {
  if (!isPublicUrl(value))
    throw new InvalidArgumentError('It must be a URL such as https://status.example.com.');
  return normalizeUrl(value);
}
