import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { type Scope, SCOPES } from '../auth/scopes.js';
import { DemoService } from '../demo/demo.service.js';
import { parseJson } from '../validation/body.js';
import { UUID_PATTERN } from '../validation/uuid.js';
import { ImportsService } from '../imports/imports.service.js';
import type { ImportFormat } from '../imports/read.js';
import { parseYaml } from '../imports/yaml.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { DEFAULT_ORGANIZATION_ID } from '../organizations/organization.entity.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { Project } from '../projects/project.entity.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CliError } from './cli-error.js';
import {
  collect,
  integer,
  listOf,
  type PageOptions,
  parseIdOrPrefix,
  parseName,
  parseScope,
  parseUuid,
} from './options.js';
import { readFile } from './read-file.js';

const MAX_DEMO_PAGES = 10_000;
const MAX_EXPIRES_IN = 10 * 366 * 86_400; // seconds: ten years

/** Runs a command with the services that it needs, and prints what it answers. */
type Run = (command: (app: INestApplicationContext) => Promise<object>) => Promise<void>;

/** Every command of the administrator, see `docs/cli.md`. */
export function createProgram(run: Run): Command {
  const program = new Command('cli')
    .description('Administers a Status Pages installation.')
    // Suggestions would make it two lines.
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`) });

  const organizationCommands = program.command('organization').description('organizations, the tenants');
  organizationCommands
    .command('create')
    .description('make an organization')
    .requiredOption('--name <name>', 'display name', parseName)
    .action(({ name }: { name: string }) => run(async (app) => app.get(OrganizationsService).create(name)));
  listOf(organizationCommands, 'list all organizations').action((page: PageOptions) =>
    run(async (app) => app.get(OrganizationsService).list(page)),
  );

  const projectCommands = program.command('project').description('projects of an organization');
  listOf(projectCommands, 'list the projects of an organization')
    .option('--organization <id>', 'the organization', parseUuid, DEFAULT_ORGANIZATION_ID)
    .action(({ organization: organization_id, ...page }: PageOptions & { organization: string }) =>
      run(async (app) => {
        await requireOrganization(app, organization_id);
        return app.get(ProjectsService).list({ organization_id, project_ids: null }, page);
      }),
    );
  projectCommands
    .command('create')
    .description('make a project')
    .requiredOption('--name <name>', 'display name', parseName)
    .option('--organization <id>', 'its organization', parseUuid, DEFAULT_ORGANIZATION_ID)
    .action(({ name, organization: organization_id }: { name: string; organization: string }) =>
      run(async (app) => {
        await requireOrganization(app, organization_id);
        return app.get(ProjectsService).createIn({ organization_id, name });
      }),
    );

  const monitorCommands = program.command('monitor').description('monitors of a project');
  listOf(monitorCommands, 'list the monitors of a project')
    .requiredOption('--project <id>', 'the project', parseUuid)
    .action(({ project: project_id, ...page }: PageOptions & { project: string }) =>
      run(async (app) => {
        const { organization_id } = await requireProject(app, project_id);
        return app.get(MonitorsService).list({ organization_id, project_ids: null }, { project_id, ...page });
      }),
    );
  monitorCommands
    .command('create')
    .description('make a monitor')
    .requiredOption('--project <id>', 'its project', parseUuid)
    .requiredOption('--name <name>', 'display name', parseName)
    .action(({ project: project_id, name }: { project: string; name: string }) =>
      run(async (app) => {
        const { organization_id } = await requireProject(app, project_id);
        const [made] = await app.get(MonitorsService).createIn({ organization_id, project_id }, [{ name }]);
        return { ...made };
      }),
    );

  const apiKey = program.command('api-key').description('API keys of an organization');
  apiKey
    .command('create')
    .description('make a key, and print it this once')
    .requiredOption('--name <name>', 'display name', parseName)
    .option(
      '--scope <scope>',
      `a scope, may be repeated: ${SCOPES.join(', ')}; this or --all-scopes is required`,
      collect(parseScope),
    )
    .addOption(new Option('--all-scopes', 'every scope there is').conflicts('scope'))
    .option(
      '--organization <id>',
      'its organization; by default that of its projects, or else the default one',
      parseUuid,
    )
    .option('--project <id>', 'narrow it to this project, may be repeated', collect(parseUuid))
    .option('--expires-in <seconds>', 'when it ceases to hold; by default never', integer(1, MAX_EXPIRES_IN))
    .action((options: ApiKeyOptions, command: Command) => {
      if (!options.scope && !options.allScopes)
        command.error("error: required option '--scope <scope>' or '--all-scopes' not specified");
      return run((app) => createApiKey(app, options));
    });
  listOf(apiKey, 'list the keys of an organization, revoked and expired ones, too; never the keys themselves')
    .option('--organization <id>', 'the organization', parseUuid, DEFAULT_ORGANIZATION_ID)
    .action(({ organization: organization_id, ...page }: PageOptions & { organization: string }) =>
      run(async (app) => {
        await requireOrganization(app, organization_id);
        return app.get(ApiKeysService).list({ organization_id, project_ids: null }, page);
      }),
    );
  apiKey
    .command('revoke')
    .description('revoke a key, at once')
    .argument('<id or prefix>', 'the id of the key, or its first 8 characters', parseIdOrPrefix)
    .action((idOrPrefix: string) => run((app) => revokeApiKey(app, idOrPrefix)));

  const imports = program.command('import').description('pages of other status page software');
  for (const { format, description, parse } of FORMATS) {
    imports
      .command(format)
      .description(description)
      .argument('<file>', 'the file')
      .requiredOption('--project <id>', 'the project of the page', parseUuid)
      .option('--dry-run', 'say what would be made, and make nothing', false)
      .action((file: string, { project, dryRun }: { project: string; dryRun: boolean }) =>
        run(async (app) => {
          const { organization_id } = await requireProject(app, project);
          const own = { organization_id, project_id: project };
          const content = await readFile(file, parse);
          return app.get(ImportsService).importIn(format, own, content, { dry_run: dryRun });
        }),
      );
  }

  program
    .command('demo')
    .description('make an organization with demo data, and a key to it')
    .option('--pages <number>', 'how many status pages', integer(0, MAX_DEMO_PAGES), 60)
    .action(({ pages }: { pages: number }) => run(async (app) => app.get(DemoService).create(pages)));

  return program;
}

interface Format {
  format: ImportFormat;
  description: string;
  parse: (bytes: Uint8Array) => object;
}

const FORMATS: Format[] = [
  {
    format: 'statuspage',
    description: 'make a page of a components.json of Atlassian Statuspage',
    parse: parseJson,
  },
  { format: 'upptime', description: 'make a page of a .upptimerc.yml of Upptime', parse: parseYaml },
  { format: 'gatus', description: 'make a page of a config.yaml of Gatus', parse: parseYaml },
];

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
  if (foreign) throw new CliError(`the project ${foreign.id} is not of the organization ${organization}`);
  const { expiresIn } = options;
  const { id, key, name, scopes, project_ids, expires_at } = await app.get(ApiKeysService).createIn({
    organization_id: organization,
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
    throw new CliError(`several API keys begin with ${idOrPrefix}: name one of ${ids.join(', ')}`);
  return apiKeys.revokeForAdministrator(id);
}

async function requireOrganization(app: INestApplicationContext, id: string): Promise<void> {
  if (!(await app.get(OrganizationsService).exists(id))) throw new CliError(`there is no organization ${id}`);
}

async function requireProject(app: INestApplicationContext, id: string): Promise<Project> {
  const project = await app.get(ProjectsService).findForAdministrator(id);
  if (!project) throw new CliError(`there is no project ${id}`);
  return project;
}
