import type { INestApplicationContext } from '@nestjs/common';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { type Scope, SCOPES } from '../auth/scopes.js';
import { DemoService } from '../demo/demo.service.js';
import { parseJson } from '../http/body.js';
import { checkText } from '../http/fields.js';
import { UUID_PATTERN } from '../http/uuid.js';
import { ImportsService } from '../imports/imports.service.js';
import type { ImportFormat } from '../imports/read.js';
import { parseYaml } from '../imports/yaml.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { DEFAULT_ORGANIZATION_ID } from '../organizations/organization.entity.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { Project } from '../projects/project.entity.js';
import { ProjectsService } from '../projects/projects.service.js';
import { Fault } from './fault.js';
import { readFile } from './read-file.js';

const MAX_DEMO_PAGES = 10_000;
const MAX_EXPIRES_IN = 10 * 366 * 86_400; // seconds: ten years

/** Runs a command with the services that it needs, and prints what it answers. */
export type Run = (command: (app: INestApplicationContext) => Promise<object>) => Promise<void>;

/** Every command of the administrator, see `docs/cli.md`. */
export function createProgram(run: Run): Command {
  const program = new Command('cli')
    .description('Administers a Status Pages installation.')
    // Suggestions would make it two lines.
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`) });

  program
    .command('organization')
    .description('organizations, the tenants')
    .command('create')
    .description('make an organization')
    .requiredOption('--name <name>', 'display name', parseName)
    .action(({ name }: { name: string }) => run(async (app) => app.get(OrganizationsService).create(name)));

  program
    .command('project')
    .description('projects of an organization')
    .command('create')
    .description('make a project')
    .requiredOption('--name <name>', 'display name', parseName)
    .option('--organization <id>', 'its organization', parseUuid, DEFAULT_ORGANIZATION_ID)
    .action(({ name, organization }: { name: string; organization: string }) =>
      run(async (app) => {
        await requireOrganization(app, organization);
        return app.get(ProjectsService).createIn({ organization_id: organization, name });
      }),
    );

  program
    .command('monitor')
    .description('monitors of a project')
    .command('create')
    .description('make a monitor')
    .requiredOption('--project <id>', 'its project', parseUuid)
    .requiredOption('--name <name>', 'display name', parseName)
    .action(({ project, name }: { project: string; name: string }) =>
      run(async (app) => {
        const { organization_id } = await requireProject(app, project);
        const [monitor] = await app
          .get(MonitorsService)
          .createIn({ organization_id, project_id: project }, [{ name }]);
        return { ...monitor };
      }),
    );

  const apiKey = program.command('api-key').description('API keys of an organization');
  apiKey
    .command('create')
    .description('make a key, and print it this once')
    .requiredOption('--name <name>', 'display name', parseName)
    .addOption(
      new Option('--scope <scope>', `a scope, may be repeated: ${SCOPES.join(', ')}`)
        .argParser(collect(parseScope))
        .makeOptionMandatory(),
    )
    .option(
      '--organization <id>',
      'its organization; by default that of its projects, or else the default one',
      parseUuid,
    )
    .option('--project <id>', 'narrow it to this project, may be repeated', collect(parseUuid))
    .option('--expires-in <seconds>', 'when it ceases to hold; by default never', integer(1, MAX_EXPIRES_IN))
    .action((options: ApiKeyOptions) => run((app) => createApiKey(app, options)));
  apiKey
    .command('revoke')
    .description('revoke a key, at once')
    .argument('<id>', 'the id of the key', parseUuid)
    .action((id: string) => run(async (app) => app.get(ApiKeysService).revokeForAdministrator(id)));

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
  scope: Scope[];
  organization?: string;
  project?: string[];
  expiresIn?: number;
}

async function createApiKey(app: INestApplicationContext, options: ApiKeyOptions): Promise<object> {
  const projects = await Promise.all((options.project ?? []).map((id) => requireProject(app, id)));
  const organization = options.organization ?? projects[0]?.organization_id ?? DEFAULT_ORGANIZATION_ID;
  await requireOrganization(app, organization);
  const foreign = projects.find(({ organization_id }) => organization_id !== organization);
  if (foreign) throw new Fault(`the project ${foreign.id} is not of the organization ${organization}`);
  const { expiresIn } = options;
  const { id, key, name, scopes, project_ids, expires_at } = await app.get(ApiKeysService).createIn({
    organization_id: organization,
    name: options.name,
    scopes: [...new Set(options.scope)],
    project_ids: projects.length > 0 ? [...new Set(projects.map((project) => project.id))] : null,
    expires_at: expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1000),
  });
  return { id, key, organization_id: organization, name, scopes, project_ids, expires_at };
}

async function requireOrganization(app: INestApplicationContext, id: string): Promise<void> {
  if (!(await app.get(OrganizationsService).exists(id))) throw new Fault(`there is no organization ${id}`);
}

async function requireProject(app: INestApplicationContext, id: string): Promise<Project> {
  const project = await app.get(ProjectsService).findForAdministrator(id);
  if (!project) throw new Fault(`there is no project ${id}`);
  return project;
}

function parseName(value: string): string {
  const [found] = checkText(value, 1, 200);
  if (found) throw new InvalidArgumentError(`It ${found.detail}.`);
  return value;
}

function parseUuid(value: string): string {
  if (!UUID_PATTERN.test(value)) throw new InvalidArgumentError('It must be a UUID.');
  return value.toLowerCase();
}

function parseScope(value: string): Scope {
  const scope = SCOPES.find((one) => one === value);
  if (!scope) throw new InvalidArgumentError(`It must be one of ${SCOPES.join(', ')}.`);
  return scope;
}

/** Parses decimal digits from `min` to `max`. */
function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
    }
    return number;
  };
}

/** Gathers the values of an option that may be repeated. */
function collect<T>(parse: (value: string) => T): (value: string, previous: T[] | undefined) => T[] {
  return (value, previous = []) => [...previous, parse(value)];
}
