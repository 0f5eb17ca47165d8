import type { Command } from 'commander';
import { ImportsService } from '../imports/imports.service.js';
import type { ImportFormat } from '../imports/read.js';
import { parseYaml } from '../imports/yaml.js';
import { commandLine } from '../platform/auth/actor.js';
import { parseJson } from '../platform/validation/body.js';
import { parseUuid } from './options.js';
import type { RunCommand } from './program.js';
import { readFile } from './read-file.js';
import { requireProject } from './require.js';

interface Format {
  format: ImportFormat;
  description: string;
  parse: (bytes: Uint8Array) => object;
}

const FORMATS: Format[] = [
  {
    format: 'statuspage',
    description: 'import a components.json or summary.json file of Atlassian Statuspage',
    parse: parseJson,
  },
  { format: 'upptime', description: 'import a .upptimerc.yml file of Upptime', parse: parseYaml },
  { format: 'gatus', description: 'import a config.yaml file of Gatus', parse: parseYaml },
];

/** Adds `import statuspage`, `import upptime` and `import gatus`, see `docs/cli.md`. */
export function addImportCommands(imports: Command, run: RunCommand): void {
  for (const { format, description, parse } of FORMATS) {
    imports
      .command(format)
      .description(description)
      .argument('<file>', 'file to import')
      .requiredOption('--project <id>', 'project of the status page', parseUuid)
      .option('--dry-run', 'print the import summary without creating anything', false)
      .action((file: string, { project, dryRun }: { project: string; dryRun: boolean }) =>
        run(async (app) => {
          const { organization_id } = await requireProject(app, project);
          const actor = commandLine(`import ${format}`, organization_id);
          const content = await readFile(file, parse);
          return app.get(ImportsService).importIn(format, actor, project, content, { dry_run: dryRun });
        }),
      );
  }
}
