import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../clients/typescript/src/cli/run.js';
import type { Monitor } from '../../clients/typescript/src/index.js';
import { ProjectsService } from '../../src/projects/projects.service.js';
import { actorIn } from '../support/actors.js';
import { freePort } from '../support/free-port.js';
import { useTenant, useTestServer } from '../support/server.js';
import { callCommand, useCommand, useListener } from './use-command.js';

const server = useTestServer();
const tenant = useTenant(server);
const { prints, fails } = useCommand(server, tenant);
const listen = useListener();

const LIST = ['monitor', 'list'];

/** The problem that the service sends, with other values. */
const problem = (status: number, code: string, detail: string) => {
  const request_id = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
  return JSON.stringify({ type: `/problems/${code}`, title: 'x', status, code, detail, request_id });
};

describe('configuration of the command', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'status-pages-command-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('requires a URL and a key', async () => {
    expect(await fails(2, { STATUS_PAGES_URL: '' }, ...LIST)).toContain('Set STATUS_PAGES_URL');
    expect(await fails(2, { STATUS_PAGES_KEY: undefined }, ...LIST)).toContain('Set STATUS_PAGES_KEY');
    expect(await fails(2, { STATUS_PAGES_KEY: ' ' }, ...LIST)).toContain('Set STATUS_PAGES_KEY');
  });

  it('reads the key from a file', async () => {
    const STATUS_PAGES_KEY_FILE = join(directory, 'key');
    await writeFile(STATUS_PAGES_KEY_FILE, `${tenant.key}\n`);
    const env = { STATUS_PAGES_URL: server.url, STATUS_PAGES_KEY_FILE };
    expect(await callCommand(server, env, ...LIST)).toMatchObject({ code: 0, stderr: '' });
    expect(await fails(2, { STATUS_PAGES_KEY_FILE }, ...LIST)).toContain('not both');
    const missing = { STATUS_PAGES_KEY: '', STATUS_PAGES_KEY_FILE: join(directory, 'missing') };
    expect(await fails(2, missing, ...LIST)).toContain('Could not read STATUS_PAGES_KEY_FILE: ENOENT');
  });

  it('never prints the key', async () => {
    const key = 'secret\u00E9key';
    expect(await fails(2, { STATUS_PAGES_KEY: `${tenant.key} x` }, ...LIST)).not.toContain(tenant.key);
    expect(await fails(2, { STATUS_PAGES_KEY: key }, ...LIST)).not.toContain(key);
    expect(await fails(2, {}, ...LIST, `--key=${tenant.key}`)).toContain("unknown option '--key=sp_…'");
    const other = { STATUS_PAGES_KEY: undefined };
    expect(await fails(2, other, ...LIST, `--key=${tenant.key}`)).toContain("unknown option '--key=sp_…'");
    expect(await fails(2, {}, 'page', 'get', 'x', tenant.key)).toContain('too many arguments');
    expect(await fails(1, {}, ...LIST, '--project', tenant.key)).toContain('"sp_…" not found');
  });

  it('accepts only the URL of a service', async () => {
    for (const url of ['status.example.com', 'ftp://status.example.com', 'http://'])
      expect(await fails(2, {}, ...LIST, '--url', url)).toContain('must be a URL');
    for (const url of ['http://user:secret@status.example.com', 'http://status.example.com/?x=1'])
      expect(await fails(2, {}, ...LIST, '--url', url)).toContain('must not contain');
    expect(await fails(2, {}, ...LIST, '--url', `${server.url}/v1/`)).toContain('Omit /v1');
    expect(await prints(...LIST, '--url', `${server.url}/`)).toContain('no monitors');
  });

  it('prefers --url and --project to the environment', async () => {
    const env = {
      STATUS_PAGES_URL: 'http://127.0.0.1:9',
      STATUS_PAGES_KEY: tenant.key,
      STATUS_PAGES_PROJECT: 'x',
    };
    const options = ['--url', server.url, '--project', tenant.project_id];
    expect(await callCommand(server, env, ...LIST, ...options)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('project of the command', () => {
  it('defaults to the only project of the key, and accepts an ID or a name', async () => {
    const own = await server.tenant();
    const { organization_id } = own;
    const of = useCommand(server, own);
    await of.prints('monitor', 'add', 'First');
    const second = await server.app
      .get(ProjectsService)
      .createIn(actorIn(organization_id), { name: 'Second' });
    const names = async (...options: string[]) =>
      (await of.json<Monitor[]>('monitor', 'list', ...options)).map(({ name }) => name);
    expect(await names('--project', 'Project')).toEqual(['First']);
    expect(await names('--project', 'Second')).toEqual([]);
    expect(await names('--project', own.project_id.toUpperCase())).toEqual(['First']);

    const choices = `  ${second.id}  Second\n  ${own.project_id}  Project\n`;
    expect(await of.fails(2, {}, ...LIST)).toBe(
      `error: The key can access several projects. Pass one with --project:\n${choices}`,
    );
    expect(await of.fails(1, {}, ...LIST, '--project', 'Third')).toBe(
      `error: Project "Third" not found. The projects are:\n${choices}`,
    );
    const twin = await server.app.get(ProjectsService).createIn(actorIn(organization_id), { name: 'Second' });
    expect(await of.fails(2, { STATUS_PAGES_PROJECT: 'Second' }, ...LIST)).toBe(
      `error: Several projects are named "Second". Pass one with --project:\n  ${twin.id}  Second\n  ${second.id}  Second\n`,
    );
  });

  it('requires an ID if the key cannot list projects', async () => {
    const { key } = await server.key(tenant.organization_id, { scopes: ['monitors:read'] });
    const of = useCommand(server, { key });
    expect(await of.fails(2, {}, ...LIST)).toBe(
      'error: Pass --project with the ID of a project, because the key lacks the scope projects:read, so it cannot find projects.\n',
    );
    expect(await of.prints(...LIST, '--project', tenant.project_id)).toContain('no monitors');
    const { key: narrow } = await server.key(tenant.organization_id, {
      scopes: ['monitors:read'],
      project_ids: [tenant.project_id],
    });
    expect(await useCommand(server, { key: narrow }).prints(...LIST)).toContain('no monitors');
  });
});

describe('errors of the command', () => {
  it('contain a sentence for each invalid field', async () => {
    expect(await fails(1, {}, 'monitor', 'add', ' ', '--key', 'Not a key')).toMatch(
      /^error: 2 fields are invalid\.\n {2}name " " must [^\n]+\.\n {2}key "Not a key" must [^\n]+\.\n$/,
    );
  });

  it('exit with 1 for an invalid key, a missing scope and a missing page', async () => {
    const invalid = { STATUS_PAGES_KEY: 'sp_x' };
    expect(await fails(1, invalid, ...LIST)).toBe('error: The API key is invalid.\n');
    const { key } = await server.key(tenant.organization_id, {
      scopes: ['incidents:read'],
      project_ids: [tenant.project_id],
    });
    const reader = useCommand(server, { key });
    expect(await reader.fails(1, {}, 'incident', 'open', 'x')).toMatch(
      /^error: [^\n]*incidents:write[^\n]*\.\n$/,
    );
    expect(await fails(1, {}, 'status')).toBe('error: The project has no status page.\n');
  });

  it('exit with 2 for an invalid command line, with a suggestion', async () => {
    for (const wrong of [
      ['incidents', 'list'],
      ['incident', 'opne', 'x'],
      ['incident', 'list', '--opne'],
    ])
      expect(await fails(2, {}, ...wrong)).toMatch(/^error: unknown [^\n]+\n\(Did you mean [^\n]+\?\)\n$/);
    for (const limit of ['0', '1e3', '10001'])
      expect(await fails(2, {}, ...LIST, '--limit', limit)).toContain('integer from 1 to 10000');
    expect(await fails(2, {}, ...LIST, '--idempotency-key', 'é')).toContain('printable ASCII');
  });

  it('exit with 3 if the server is down', async () => {
    const STATUS_PAGES_URL = `http://127.0.0.1:${await freePort()}`;
    const { pathname: _, port } = new URL(STATUS_PAGES_URL);
    expect(await fails(3, { STATUS_PAGES_URL }, ...LIST)).toBe(
      `error: Could not reach ${STATUS_PAGES_URL}: connect ECONNREFUSED 127.0.0.1:${port}.\n`,
    );
  });
});

describe('errors of another server', () => {
  /** Calls the command on a server that is not the service, so that responses are not checked. */
  async function failsOn(code: number, STATUS_PAGES_URL: string, ...parameters: string[]): Promise<string> {
    const printed = { stdout: '', stderr: '' };
    const called = await runCommand(parameters, {
      env: { STATUS_PAGES_URL, STATUS_PAGES_KEY: tenant.key },
      stdout: { write: (text) => (printed.stdout += text) },
      stderr: { write: (text) => (printed.stderr += text) },
    });
    expect([called, printed.stdout]).toEqual([code, '']);
    return printed.stderr;
  }

  it.each([
    [
      503,
      'unavailable',
      3,
      ' Try again in 60 s. The ID of the request is 0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01.',
    ],
    [429, 'rate_limited', 3, ' Try again in 60 s.'],
    [
      500,
      'internal_error',
      3,
      ' Try again in 60 s. The ID of the request is 0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01.',
    ],
    [403, 'forbidden', 1, ' Try again in 60 s.'],
  ])('%i %s exits with its code, without waiting a minute', async (status, code, exitCode, end) => {
    const url = await listen((_request, response) => {
      response.setHeader('Retry-After', '60').setHeader('Content-Type', 'application/problem+json');
      response.writeHead(status).end(problem(status, code, 'Detail'));
    });
    expect(await failsOn(exitCode, url, ...LIST)).toBe(`error: Detail.${end}\n`);
  });

  it('mention a response that the API did not send', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>');
    });
    expect(await failsOn(3, url, ...LIST)).toContain('The response was 502, without an error of the API.');
  });

  it('exits with 2 if the URL redirects or does not belong to the service', async () => {
    const redirecting = await listen((_request, response) => {
      response.writeHead(301, { Location: 'https://status.example.com/v1/me' }).end();
    });
    expect(await failsOn(2, redirecting, ...LIST)).toContain('redirects to https://status.example.com/v1/me');
    const other = await listen((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome</h1>');
    });
    expect(await failsOn(2, other, ...LIST)).toContain('did not respond with JSON');
  });

  it('exits with 3 if the connection breaks', async () => {
    const url = await listen((request) => request.socket.destroy());
    expect(await failsOn(3, url, ...LIST)).toMatch(/^error: Could not reach http:\S+: [^\n]+\.\n$/);
  });
});

describe('repeated call with --idempotency-key', () => {
  it('takes effect only once', async () => {
    const add = ['monitor', 'add', 'Once', '--idempotency-key', 'job-1', '--json'];
    const first = await prints(...add);
    expect(await prints(...add)).toBe(first);
    expect(await fails(1, {}, 'monitor', 'add', 'Other', '--idempotency-key', 'job-1')).toMatch(/^error: /);
  });
});
