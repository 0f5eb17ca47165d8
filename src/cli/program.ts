import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { commandLine } from '../platform/auth/actor.js';
import { type Scope, SCOPES } from '../platform/auth/scopes.js';
import { PAGES } from '../demo/demo-pages.js';
import { DemoService } from '../demo/demo.service.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { DEFAULT_ORGANIZATION_ID } from '../platform/database/default-organization.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { addBackupCommands, type RunAlone } from './backup-commands.js';
import { CliError } from './cli-error.js';
import { addExportCommand } from './export-command.js';
import { addImportCommands } from './import-commands.js';
import { addLogCommand } from './log-command.js';
import { addMemberCommands } from './member-commands.js';
import { addMigrateCommand } from './migrate-command.js';
import {
  collect,
  integer,
  addListCommand,
  type PageOptions,
  parseIdOrPrefix,
  parseKey,
  parseName,
  parseUuid,
  wordOf,
} from './options.js';
import { addSubscribersCommand } from './subscribers-command.js';
import { requireOrganization, requireProject } from './require.js';
import { addReleaseDeliveriesCommand } from './release-deliveries-command.js';
import { addRotateSecretCommand } from './rotate-secret-command.js';

const MAX_DEMO_PAGES = 10_000;
const MAX_EXPIRES_IN = 10 * 366 * 86_400; // seconds, about ten years

/** Output of a call: `process`, or streams of a test. */
export interface Output {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** Runs a command with the application's services, and prints its result as JSON, to standard error if `isQuiet`. */
export type RunCommand = (
  command: (app: INestApplicationContext) => Promise<object>,
  isQuiet?: boolean,
) => Promise<void>;

/**
 * Creates all commands of the CLI, see `docs/cli.md`. Help and command line errors are printed to `output`, and end the parsing
 * with a `CommanderError`, which contains the exit code.
 */
export function createProgram(run: RunCommand, runAlone: RunAlone, { stdout, stderr }: Output): Command {
  const program = new Command('cli')
    .description('Manage a Status Pages instance.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // One line per error, because commander puts its suggestions on a second line.
      outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`),
    });

  const organizationCommands = program.command('organization').description('manage organizations (tenants)');
  organizationCommands
    .command('create')
    .description('create an organization')
    .requiredOption('--name <name>', 'display name', parseName)
    .action(({ name }: { name: string }) => run(async (app) => app.get(OrganizationsService).create(name)));
  addListCommand(organizationCommands, 'list all organizations').action((page: PageOptions) =>
    run(async (app) => app.get(OrganizationsService).list(page)),
  );

  const projectCommands = program.command('project').description('manage projects');
  addListCommand(projectCommands, 'list the projects of an organization')
    .option('--organization <id>', 'organization of the projects', parseUuid, DEFAULT_ORGANIZATION_ID)
    .action(({ organization: organization_id, ...page }: PageOptions & { organization: string }) =>
      run(async (app) => {
        await requireOrganization(app, organization_id);
        return app.get(ProjectsService).list({ organization_id, project_ids: null }, page);
      }),
    );
  projectCommands
    .command('create')
    .description('create a project')
    .requiredOption('--name <name>', 'display name', parseName)
    .option('--organization <id>', 'organization of the project', parseUuid, DEFAULT_ORGANIZATION_ID)
    .action(({ name, organization: organization_id }: { name: string; organization: string }) =>
      run(async (app) => {
        await requireOrganization(app, organization_id);
        return app.get(ProjectsService).createIn(commandLine('project create', organization_id), { name });
      }),
    );

  const monitorCommands = program.command('monitor').description('manage monitors');
  addListCommand(monitorCommands, 'list the monitors of a project')
    .requiredOption('--project <id>', 'project of the monitors', parseUuid)
    .action(({ project: project_id, ...page }: PageOptions & { project: string }) =>
      run(async (app) => {
        const { organization_id } = await requireProject(app, project_id);
        return app.get(MonitorsService).list({ organization_id, project_ids: null }, { project_id, ...page });
      }),
    );
  monitorCommands
    .command('create')
    .description('create a monitor')
    .requiredOption('--project <id>', 'project of the monitor', parseUuid)
    .requiredOption('--name <name>', 'display name', parseName)
    .option('--key <key>', 'short name for reports and alerts, unique in the project', parseKey)
    .action(({ project: project_id, ...fields }: { project: string; name: string; key?: string }) =>
      run(async (app) => {
        const { organization_id } = await requireProject(app, project_id);
        const actor = commandLine('monitor create', organization_id);
        const [made] = await app.get(MonitorsService).createIn(actor, project_id, [fields]);
        return { ...made };
      }),
    );

  const apiKey = program.command('api-key').description('manage API keys');
  apiKey
    .command('create')
    .description('create an API key (printed only once)')
    .requiredOption('--name <name>', 'display name', parseName)
    .option(
      '--scope <scope>',
      `scope of the key (repeatable; required without --all-scopes), one of ${SCOPES.join(', ')}`,
      collect(wordOf(SCOPES)),
    )
    .addOption(new Option('--all-scopes', 'grant all scopes').conflicts('scope'))
    .option(
      '--organization <id>',
      'organization of the key (default: the organization of its projects, or the default organization)',
      parseUuid,
    )
    .option('--project <id>', 'restrict the key to this project (repeatable)', collect(parseUuid))
    .option(
      '--expires-in <seconds>',
      'lifetime of the key in seconds (default: unlimited)',
      integer(1, MAX_EXPIRES_IN),
    )
    .action((options: ApiKeyOptions, command: Command) => {
      if (!options.scope && !options.allScopes)
        command.error("error: required option '--scope <scope>' or '--all-scopes' not specified");
      return run((app) => createApiKey(app, options));
    });
  addListCommand(
    apiKey,
    'list the API keys of an organization, including revoked and expired keys, without their secrets',
  )
    .option('--organization <id>', 'organization of the keys', parseUuid, DEFAULT_ORGANIZATION_ID)
    .action(({ organization: organization_id, ...page }: PageOptions & { organization: string }) =>
      run(async (app) => {
        await requireOrganization(app, organization_id);
        return app.get(ApiKeysService).list({ organization_id, project_ids: null }, page);
      }),
    );
  apiKey
    .command('revoke')
    .description('revoke an API key immediately')
    .argument('<id or prefix>', 'ID of the key, or its first 8 characters', parseIdOrPrefix)
    .action((idOrPrefix: string) => run((app) => revokeApiKey(app, idOrPrefix)));

  addMemberCommands(program, run);

  const imports = program.command('import').description('import from another product');
  addImportCommands(imports, run);
  addSubscribersCommand(imports, run);
  addExportCommand(program, run);
  addLogCommand(program, run, stdout);
  addBackupCommands(program, runAlone);
  addMigrateCommand(program, runAlone);
  addRotateSecretCommand(program, run);
  addReleaseDeliveriesCommand(program, run);

  program
    .command('demo')
    .description('create an organization with demo data and an API key')
    .option('--pages <number>', 'number of status pages', integer(0, MAX_DEMO_PAGES), PAGES.length)
    .action(({ pages }: { pages: number }) =>
      run(async (app) => app.get(DemoService).create(pages, (id) => commandLine('demo', id))),
    );

  return program;
}

interface ApiKeyOptions {
  name: string;
  scope?: Scope[];
  allScopes?: boolean;
  organization?: string;
  project?: string[];
  expiresIn?: number;
}

async function createApiKey(app: INestApplicationContext, options: ApiKeyOptions): Promise<object> {
  const projects = await Promise.all((options.project ?? []).map((id) => requireProject(app, id)));
  const organization = options.organization ?? projects[0]?.organization_id ?? DEFAULT_ORGANIZATION_ID;
  await requireOrganization(app, organization);
  const foreign = projects.find(({ organization_id }) => organization_id !== organization);
  if (foreign) throw new CliError(`project ${foreign.id} does not belong to organization ${organization}`);
  const { expiresIn } = options;
  const { id, key, name, scopes, project_ids, expires_at } = await app
    .get(ApiKeysService)
    .createIn(commandLine('api-key create', organization), {
      name: options.name,
      scopes: options.allScopes ? [...SCOPES] : [...new Set(options.scope)],
      project_ids: projects.length > 0 ? [...new Set(projects.map((project) => project.id))] : null,
      expires_at: expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1000),
    });
  return { id, key, organization_id: organization, name, scopes, project_ids, expires_at };
}

async function revokeApiKey(app: INestApplicationContext, idOrPrefix: string): Promise<object> {
  const apiKeys = app.get(ApiKeysService);
  if (UUID_PATTERN.test(idOrPrefix)) return apiKeys.revokeForAdministrator(idOrPrefix);
  const ids = await apiKeys.findByPrefixForAdministrator(idOrPrefix);
  const [id] = ids;
  if (id === undefined) throw new CliError(`no active API key begins with ${idOrPrefix}`);
  if (ids.length > 1)
    throw new CliError(`several API keys begin with ${idOrPrefix}; pass one of these IDs: ${ids.join(', ')}`);
  return apiKeys.revokeForAdministrator(id);
}
