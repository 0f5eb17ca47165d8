import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until, useTenant, useTestServer } from '../support/server.js';
import { type Called, callCommand, useListener } from './use-command.js';

const server = useTestServer();
const tenant = useTenant(server);
const listen = useListener();

/** In node_modules, so that the build finds its dependencies. Other tests build the package in its own directory. */
const BUILD = resolve(`node_modules/.cache/status-pages/command-${process.pid}`);
const MAIN = `${BUILD}/cli/main.js`;
const TSC = resolve('node_modules/typescript/bin/tsc');

beforeAll(async () => {
  await mkdir(BUILD, { recursive: true });
  await writeFile(`${BUILD}/package.json`, '{ "type": "module" }');
  const project = ['--project', 'clients/typescript/tsconfig.cli.json', '--outDir', BUILD];
  await promisify(execFile)(process.execPath, [TSC, ...project]);
});
afterAll(() => rm(BUILD, { recursive: true, force: true }));

const envOf = (own: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  STATUS_PAGES_URL: server.url,
  STATUS_PAGES_KEY: tenant.key,
  STATUS_PAGES_PROJECT: tenant.project_id,
  ...own,
});

function start(parameters: string[], env: NodeJS.ProcessEnv): ChildProcess & { output: Called } {
  const child = spawn(process.execPath, [MAIN, ...parameters], { env });
  const output = { code: -1, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return Object.assign(child, { output });
}

async function call(parameters: string[], env = envOf()): Promise<Called> {
  const child = start(parameters, env);
  const [code]: unknown[] = await once(child, 'close');
  return { ...child.output, code: Number(code) };
}

/** The shell commands of a chapter of README.md. */
async function readmeCommands(chapter: string): Promise<string[]> {
  const [, rest = ''] = (await readFile('README.md', 'utf8')).split(`\n## ${chapter}\n`);
  const [text = ''] = rest.split('\n## ');
  return [...text.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, commands = '']) => commands.trim().split('\n'));
}

describe('status-pages as in README.md', () => {
  it('publishes an incident on a new page, and resolves it', async () => {
    const [settings = '', ...calls] = await readmeCommands('An incident now');
    const own = await server.tenant();
    await server.ask('/v1/projects', { method: 'POST', key: own.key, json: { name: 'Sandbox' } });
    const script = [
      'set -e',
      settings.replace('http://127.0.0.1:3000', server.url),
      ...calls.map((command) => command.replace(/^npx status-pages /, `"${process.execPath}" "${MAIN}" `)),
    ];
    const env = { ...process.env, KEY: own.key };
    const { stdout } = await promisify(execFile)('bash', ['-c', script.join('\n')], { env });
    expect(stdout).toContain('My Shop: All systems are degraded');
    expect(stdout).toMatch(/status +resolved/);
    const page = await fetch(`${server.url}/status/my-shop`);
    expect(await page.text()).toContain('All systems operational');
  });
});

describe('status-pages as a separate process', () => {
  it('publishes an incident from nothing to resolved', async () => {
    const lines: string[] = [];
    for (const parameters of [
      ['monitor', 'add', 'API', '--key', 'api'],
      ['page', 'create', 'Acme', '--slug', 'acme', '--monitor', 'api'],
      ['incident', 'open', 'API is slow', '--monitor', 'api=degraded_performance', '--page', 'acme'],
      ['incident', 'resolve'],
    ]) {
      const { code, stdout, stderr } = await call(parameters);
      expect([code, stderr]).toEqual([0, '']);
      lines.push(...stdout.split('\n'));
    }
    expect(lines).toContain('monitors  api=degraded_performance');
    expect(lines).toContain('status    resolved');
  });

  it('prints the same output and exits with the same code as in the process of the tests', async () => {
    const env = envOf();
    for (const parameters of [
      ['--help'],
      ['--version'],
      ['incident', 'open', '--help'],
      ['monitor', 'list', '--json'],
      ['page', 'get', 'acm'],
      ['monitor', 'lits'],
      [],
    ])
      expect(await call(parameters)).toEqual(await callCommand(server, env, ...parameters));
  });

  it('exits with each documented code', async () => {
    await call(['incident', 'open', 'Odd']);
    const codes = [
      await call(['status', 'acme']),
      await call(['incident', 'open', ' ']),
      await call(['incident', 'open']),
      await call(
        ['status'],
        envOf({ STATUS_PAGES_URL: await listen((request) => request.socket.destroy()) }),
      ),
      await call(['status', 'acme', '--exit-code']),
    ].map(({ code }) => code);
    expect(codes).toEqual([0, 1, 2, 3, 4]);
    await call(['incident', 'resolve']);
  });

  it('ends without an error if the reader closes its output', async () => {
    const command = `"${process.execPath}" "${MAIN}" monitor list | true; "${process.execPath}" "${MAIN}" --help | true`;
    expect(await promisify(execFile)('sh', ['-c', command], { env: envOf() })).toEqual({
      stdout: '',
      stderr: '',
    });
  });

  it('exits with 3 if no response arrives within --timeout', async () => {
    const url = await listen(() => undefined);
    const { code, stdout, stderr } = await call(['status', '--timeout', '1', '--url', url]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toBe(`error: Could not reach ${url}: no response within 1 s.\n`);
  });

  it('ends by the signal of Ctrl-C without an error message', async () => {
    let isRequested = false;
    const url = await listen(() => (isRequested = true));
    const child = start(['status', '--url', url], envOf());
    await until(async () => isRequested);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
    expect(child.output).toMatchObject({ stdout: '', stderr: '' });
  });

  it('sends a POST again after 503 with the same Idempotency-Key', async () => {
    const keys: unknown[] = [];
    const url = await listen((request, response) => {
      keys.push(request.headers['idempotency-key']);
      response.setHeader('Content-Type', 'application/json').setHeader('Retry-After', '0');
      if (keys.length < 3) response.writeHead(503).end();
      else response.writeHead(201).end('{"data":{"reports":1,"changed":1}}');
    });
    const { code, stderr } = await call(['report', 'api=operational', '--url', url]);
    expect([code, stderr, keys.length, new Set(keys).size]).toEqual([0, '', 3, 1]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });
});
