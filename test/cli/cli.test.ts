import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson } from '../../src/validation/body.js';
import { parseYaml } from '../../src/imports/yaml.js';
import { Client } from 'pg';
import { SCOPES } from '../../src/auth/scopes.js';
import { openEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { createProgram } from '../../src/cli/program.js';
import { readFile } from '../../src/cli/read-file.js';
import { onPostgres } from '../support/database.js';
import { cli, environment } from '../support/process.js';
import { type Page, until, useTestServer, type WirePage } from '../support/server.js';

// On the embedded database every call goes through the server, which runs throughout.
const server = useTestServer();
let directory: string;
let demoProject: string;
let demoKey: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-cli-'));
  const demo = await call('demo', '--pages', '0');
  demoProject = String(demo['project_id']);
  demoKey = String(demo['key']);
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** What each call that opens the database says on standard error: which one it is. */
const DATABASE_LINE = onPostgres
  ? /^database: PostgreSQL at 127\.0\.0\.1:\d+, database "status_pages_test_\w+"\n/
  : /^database: embedded, in \/.*\n/;

/** A call that must succeed: one JSON object on standard output, the database alone on standard error. */
async function call<T = Record<string, string> & { monitor_ids: string[]; status_page_ids: string[] }>(
  ...parameters: string[]
): Promise<T> {
  const { code, stdout, stderr } = await server.cli(...parameters);
  expect(stderr).toMatch(DATABASE_LINE);
  expect([code, stderr.replace(DATABASE_LINE, '')]).toEqual([0, '']);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout);
}

/** A call that must fail: nothing on standard output, one line on standard error, exit code 1. */
async function expectFault(line: RegExp, ...parameters: string[]): Promise<void> {
  const { code, stdout, stderr } = await server.cli(...parameters);
  expect([code, stdout]).toEqual([1, '']);
  const error = stderr.replace(DATABASE_LINE, '');
  expect(error).toMatch(/^error: [^\n]+\n$/);
  expect(error).toMatch(line);
}

interface ListPage {
  data: Record<string, unknown>[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

/** All items of a list, read page by page. */
async function listed(limit: number, ...parameters: string[]): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let next: string[] = []; ;) {
    const page = await call<ListPage>(...parameters, '--limit', String(limit), ...next);
    items.push(...page.data);
    if (page.pagination.next_cursor === null) return items;
    expect(page.data).toHaveLength(limit);
    next = ['--cursor', page.pagination.next_cursor];
  }
}

async function list(
  project: string | undefined,
  key: string | undefined,
): Promise<{ status: number; body: Page<WirePage> }> {
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`${server.url}/v1/status-pages?project_id=${project}&limit=100`, { headers });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const NOWHERE = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

describe('cli migrate', () => {
  it.each([['--dry-run'], []])('%s on a migrated database finds nothing to do', async (...options) => {
    expect(await call('migrate', ...options)).toEqual({ dry_run: options.length > 0, migrations: [] });
  });
});

describe('the CLI as a process', () => {
  it('prints and exits as the same call does in this process', async () => {
    const listProjects = ['project', 'list', '--limit', '1'];
    const unknownOption = ['organization', 'create', '--name', 'x', '--nmae', 'x'];
    const unknownId = ['project', 'list', '--organization', NOWHERE];
    for (const parameters of [listProjects, unknownOption, unknownId])
      expect(await cli(server.env, ...parameters)).toEqual(await server.cli(...parameters));
  });

  it('ends without an error when the reader of its output is gone', async () => {
    const command = `"${process.execPath}" dist/src/cli/main.js organization list | true`;
    const { stderr } = await promisify(execFile)('sh', ['-c', command], { env: environment(server.env) });
    expect(stderr).toMatch(/^database: .*\n$/);
  });
});

describe('each call prints one JSON object', () => {
  it('organization, project, monitor and api-key create; a key works at once, and until it is revoked', async () => {
    const organization = await call('organization', 'create', '--name', 'Acme');
    const project = await call(
      'project',
      'create',
      '--name',
      'Shop',
      '--organization',
      String(organization['id']),
    );
    expect(project).toMatchObject({ name: 'Shop', organization_id: organization['id'] });
    const monitor = await call('monitor', 'create', '--project', String(project['id']), '--name', 'API');
    expect(monitor).toMatchObject({
      name: 'API',
      project_id: project['id'],
      organization_id: organization['id'],
    });

    const created = await call(
      'api-key',
      'create',
      '--name',
      'CI',
      '--scope',
      'status_pages:read',
      '--project',
      String(project['id']),
    );
    expect(created).toMatchObject({
      name: 'CI',
      scopes: ['status_pages:read'],
      organization_id: organization['id'],
      project_ids: [project['id']],
      expires_at: null,
    });
    expect(Object.keys(created).slice(0, 2)).toEqual(['id', 'key']);
    expect(await list(project['id'], created['key'])).toMatchObject({ status: 200, body: { data: [] } });

    const revoked = await call('api-key', 'revoke', String(created['id']));
    expect(revoked).toEqual({ id: created['id'], revoked_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    // The server is another process: it may remember the key for a moment.
    await until(async () => (await list(project['id'], created['key'])).status === 401);
    expect(await call('api-key', 'revoke', String(created['id']))).toEqual(revoked);
  });

  it('project create uses the default organization, and api-key create several scopes and an expiry', async () => {
    const project = await call('project', 'create', '--name', 'Default');
    const scopes = ['--scope', 'status_pages:read', '--scope', 'status_pages:write'];
    const key = await call('api-key', 'create', '--name', 'K', ...scopes, '--expires-in', '3600');
    expect(key['scopes']).toEqual(['status_pages:read', 'status_pages:write']);
    expect(Date.parse(String(key['expires_at'])) - Date.now()).toBeGreaterThan(3_500_000);
    expect(Date.parse(String(key['expires_at'])) - Date.now()).toBeLessThan(3_600_001);
    expect((await list(project['id'], key['key'])).status).toBe(200);
  });

  it('demo makes an organization, a project, 15 monitors, pages with sections, and a key with both scopes', async () => {
    const demo = await call('demo', '--pages', '3');
    expect(Object.keys(demo)).toEqual([
      'organization_id',
      'project_id',
      'monitor_ids',
      'status_page_ids',
      'slug',
      'key',
    ]);
    expect(demo.monitor_ids).toHaveLength(15);
    const { body } = await list(demo['project_id'], demo['key']);
    expect(body.data.map(({ id }) => id)).toEqual(demo.status_page_ids.toReversed());
    for (const { sections } of body.data) {
      expect(sections.flatMap(({ monitor_ids }) => monitor_ids)).toEqual(demo.monitor_ids);
      expect(sections).toHaveLength(3);
    }
  });

  it('import statuspage makes a page of a file', async () => {
    const path = join(directory, 'components.json');
    const components = [{ id: 'c1', name: 'API', position: 1, group: false, group_id: null }];
    await writeFile(path, JSON.stringify({ page: { name: 'Imported' }, components }));
    const report = await call('import', 'statuspage', path, '--project', demoProject);
    expect(report).toMatchObject({
      sections: 1,
      monitors: 1,
      name: 'Imported',
      slug: 'imported',
      not_imported: [],
    });
    const { body } = await list(demoProject, demoKey);
    expect(body.data.map(({ id }) => id)).toEqual([report['status_page_id']]);
  });

  it('import upptime and import gatus make a page of a file, with --dry-run none', async () => {
    const project = await call('project', 'create', '--name', 'Imports');
    const upptime = join(directory, '.upptimerc.yml');
    const gatus = join(directory, 'config.yaml');
    await writeFile(upptime, 'status-website: { name: Of Upptime, cname: up.example }\nsites: [{ name: a }]');
    await writeFile(gatus, 'ui: { title: Of Gatus }\nendpoints: [{ name: a, group: b, url: c }]');
    const into = ['--project', String(project['id'])];
    const foretold = await call('import', 'upptime', upptime, ...into, '--dry-run');
    expect(foretold).toMatchObject({ dry_run: true, status_page_id: null, slug: 'of-upptime', monitors: 1 });
    const first = await call('import', 'upptime', upptime, ...into);
    expect(first).toMatchObject({ dry_run: false, slug: 'of-upptime', custom_domain: 'up.example' });
    const second = await call('import', 'gatus', gatus, ...into);
    expect(second).toMatchObject({ slug: 'of-gatus', not_imported: ['endpoints.url'] });
    const key = await call('api-key', 'create', '--name', 'Reader', '--scope', 'status_pages:read', ...into);
    const { body } = await list(project['id'], key['key']);
    expect(body.data.map(({ id }) => id)).toEqual([second['status_page_id'], first['status_page_id']]);
    await expectFault(
      /Another page already has the domain in the file/,
      'import',
      'upptime',
      upptime,
      ...into,
    );
  });
});

describe('what was lost can be found and locked', () => {
  it('by lists of organizations, projects, monitors and keys, newest first, page by page', async () => {
    const { id: organization = '' } = await call('organization', 'create', '--name', 'Lists');
    const of = ['--organization', organization];
    const made: Record<string, unknown>[] = [];
    for (const name of ['a', 'b', 'c']) made.unshift(await call('project', 'create', '--name', name, ...of));
    const project = String(made[0]?.['id']);
    const monitor = await call('monitor', 'create', '--project', project, '--name', 'API');

    const organizations = await listed(100, 'organization', 'list');
    expect(organizations[0]).toMatchObject({ id: organization, name: 'Lists' });
    expect(organizations.at(-1)).toMatchObject({ name: 'Default' });
    const projects = await listed(2, 'project', 'list', ...of);
    expect(projects.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(projects.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    const monitors = await listed(100, 'monitor', 'list', '--project', project);
    expect(monitors).toEqual([
      expect.objectContaining({ id: monitor['id'], name: 'API', project_id: project }),
    ]);
  });

  it('a list of keys has the prefix of each and no key; a key is revoked by its prefix or its id', async () => {
    const { id: organization = '' } = await call('organization', 'create', '--name', 'Keys');
    const of = ['--organization', organization];
    const first = await call('api-key', 'create', '--name', 'first', '--all-scopes', ...of);
    const second = await call('api-key', 'create', '--name', 'second', '--scope', 'projects:read', ...of);
    expect(first['scopes']).toEqual(SCOPES);
    const key = String(first['key']);
    const keys = await listed(100, 'api-key', 'list', ...of);
    expect(keys).toMatchObject([
      { id: second['id'], name: 'second', revoked_at: null },
      { id: first['id'], name: 'first', revoked_at: null, prefix: key.slice(0, 8) },
    ]);
    expect(JSON.stringify(keys)).not.toContain(key.slice(0, 9));

    const me = () => fetch(`${server.url}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
    expect((await me()).status).toBe(200);
    const revoked = await call('api-key', 'revoke', key.slice(0, 8));
    expect(revoked).toEqual({ id: first['id'], revoked_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    await until(async () => (await me()).status === 401);
    await expectFault(/no active API key begins with sp_/, 'api-key', 'revoke', key.slice(0, 8));
  });

  it('a prefix that several keys have revokes none of them, and names them', async () => {
    const keys = [
      await call('api-key', 'create', '--name', 'x', '--all-scopes'),
      await call('api-key', 'create', '--name', 'y', '--all-scopes'),
    ];
    const client = new Client(
      onPostgres
        ? server.env['DATABASE_URL']
        : {
            host: (await openEmbeddedPostgres(String(server.env['DATA_DIR']), 'client')).socket_dir,
            user: 'postgres',
            database: 'postgres',
          },
    );
    await client.connect();
    await client.query(`UPDATE api_keys SET prefix = 'sp_same0' WHERE id = ANY($1)`, [
      keys.map(({ id }) => id),
    ]);
    await client.end();
    const named = new RegExp(keys.map(({ id }) => `(?=.*${id})`).join(''));
    await expectFault(named, 'api-key', 'revoke', 'sp_same0');
    const all = await call<ListPage>('api-key', 'list');
    const found = all.data.filter(({ prefix }) => prefix === 'sp_same0');
    expect(found.map(({ revoked_at }) => revoked_at)).toEqual([null, null]);
  });
});

describe('a fault of the caller is one line and exit code 1', () => {
  it.each<[RegExp, ...string[]]>([
    [/unknown option '--nmae'/, 'organization', 'create', '--name', 'x', '--nmae', 'x'],
    [/organization .* does not exist/, 'project', 'create', '--name', 'x', '--organization', NOWHERE],
    [/no such API key/, 'api-key', 'revoke', NOWHERE],
    [/organization .* does not exist/, 'project', 'list', '--organization', NOWHERE],
    [/organization .* does not exist/, 'api-key', 'list', '--organization', NOWHERE],
    [/project .* does not exist/, 'monitor', 'list', '--project', NOWHERE],
  ])('%s', async (line, ...parameters) => {
    await expectFault(line, ...parameters);
  });

  it('such as a project of another organization', async () => {
    const scope = ['--scope', 'status_pages:read', '--organization', '00000000-0000-7000-8000-000000000001'];
    await expectFault(
      /does not belong to organization/,
      'api-key',
      'create',
      '--name',
      'x',
      ...scope,
      '--project',
      demoProject,
    );
  });

  it('such as a file that is not of the format', async () => {
    const path = join(directory, 'bad.json');
    await writeFile(path, '{"page":{"name":"x"},"components":[{}]}');
    const line = /components\/0\/id is required; components\/0\/name is required/;
    await expectFault(line, 'import', 'statuspage', path, '--project', demoProject);
  });

  it('such as a file that is not YAML', async () => {
    const path = join(directory, 'bad.yaml');
    await writeFile(path, 'endpoints:\n  - name: a\n    name: b\n');
    const line = /bad\.yaml: Line 3, column 5: duplicated mapping key/;
    await expectFault(line, 'import', 'gatus', path, '--project', demoProject);
  });

  it.each<[RegExp, ...string[]]>([
    [/unknown command 'bogus'/, 'bogus'],
    [/--name/, 'organization', 'create'],
    [/1 to 200 characters/, 'organization', 'create', '--name', ''],
    [/white space/, 'organization', 'create', '--name', '  '],
    [/UUID/, 'project', 'create', '--name', 'x', '--organization', 'x'],
    [/--project/, 'monitor', 'create', '--name', 'x'],
    [/--scope/, 'api-key', 'create', '--name', 'x'],
    [
      /must be one of status_pages:read, status_pages:write/,
      'api-key',
      'create',
      '--name',
      'x',
      '--scope',
      'pages:read',
    ],
    [
      /integer from 1/,
      'api-key',
      'create',
      '--name',
      'x',
      '--scope',
      'status_pages:read',
      '--expires-in',
      '0',
    ],
    [
      /integer from 1/,
      'api-key',
      'create',
      '--name',
      'x',
      '--scope',
      'status_pages:read',
      '--expires-in',
      '1e3',
    ],
    [/UUID, or the first 8 characters/, 'api-key', 'revoke', 'x'],
    [/UUID, or the first 8 characters/, 'api-key', 'revoke', `sp_${'x'.repeat(46)}`],
    [
      /cannot be used with option/,
      'api-key',
      'create',
      '--name',
      'x',
      '--all-scopes',
      '--scope',
      'projects:read',
    ],
    [/--project/, 'monitor', 'list'],
    [/integer from 1 to 100/, 'organization', 'list', '--limit', '101'],
    [/next_cursor of a page/, 'project', 'list', '--cursor', 'x'],
    [/missing required argument/, 'import', 'statuspage', '--project', NOWHERE],
    [/--project/, 'import', 'upptime', 'x', '--dry-run'],
    [/unknown command 'bogus'/, 'import', 'bogus', 'x'],
    [/integer from 0 to 10000/, 'demo', '--pages', '-1'],
    [/integer from 0 to 10000/, 'demo', '--pages', '10001'],
  ])('before the database is opened: %s', async (line, ...parameters) => {
    const lines: string[] = [];
    const stderr = { write: (text: string) => lines.push(text) };
    const open = () => Promise.reject(new Error('it was opened'));
    const program = createProgram(open, open, {
      stdout: process.stdout,
      stderr,
    });
    await expect(program.parseAsync(parameters, { from: 'user' })).rejects.toMatchObject({ exitCode: 1 });
    expect(lines).toEqual([expect.stringMatching(/^error: [^\n]+\n$/)]);
    expect(lines[0]).toMatch(line);
  });

  it('such as a file that is none, too large, or no JSON object', async () => {
    const path = join(directory, 'none.json');
    const reading = async (content: string | Buffer) => {
      await writeFile(path, content);
      return readFile(path, parseJson);
    };
    await expect(reading('')).rejects.toThrow('The text is empty');
    await expect(reading(Buffer.from([0x22, 0xff, 0x22]))).rejects.toThrow('The text is not valid UTF-8');
    await expect(reading('[]')).rejects.toThrow('The top level must be a JSON object');
    await expect(reading(' '.repeat(5 * 1024 * 1024 + 1))).rejects.toThrow('at most 5242880');
    await expect(readFile('/dev/zero', parseJson)).rejects.toThrow('at most 5242880');
    await expect(reading('\ufeff{"a":1}')).resolves.toEqual({ a: 1 });
    await expect(readFile(join(directory, 'missing'), parseJson)).rejects.toThrow('cannot be read: ENOENT');
    await expect(readFile(directory, parseJson)).rejects.toThrow('cannot be read: EISDIR');
  });

  it('such as a file that is none, too large, or no YAML mapping', async () => {
    const path = join(directory, 'none.yaml');
    const reading = async (content: string | Buffer) => {
      await writeFile(path, content);
      return readFile(path, parseYaml);
    };
    await expect(reading('')).rejects.toThrow('expected a document');
    await expect(reading(Buffer.from([0x61, 0x3a, 0x20, 0xff]))).rejects.toThrow(
      'The text is not valid UTF-8',
    );
    await expect(reading('- a')).rejects.toThrow('The top level must be a mapping');
    await expect(reading(' '.repeat(5 * 1024 * 1024 + 1))).rejects.toThrow('at most 5242880');
    await expect(readFile('/dev/zero', parseYaml)).rejects.toThrow('at most 5242880');
    await expect(reading('\ufeffa: 1')).resolves.toEqual({ a: 1 });
    await expect(readFile(join(directory, 'missing'), parseYaml)).rejects.toThrow('cannot be read: ENOENT');
    await expect(readFile(directory, parseYaml)).rejects.toThrow('cannot be read: EISDIR');
  });
});
