import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { loadEnvFile } from '../../src/config/env-file.js';
import { EnvError, loadEnv, findMisspelledNames } from '../../src/config/env.js';
import { openEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { createDatabase, onPostgres, type TestDatabase } from '../support/database.js';
import { cli, demoOf, environment, Program, startProgram } from '../support/process.js';
import { type Body, until } from '../support/server.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-process-'));
});

/** A data directory with the schema in it, and nothing else: making one anew takes seconds. */
async function migratedDirectory(name = 'data'): Promise<string> {
  const target = join(directory, name);
  await cp(inject('templateDataDir'), target, { recursive: true });
  return target;
}
afterEach(async () => {
  await Program.killAll();
  await rm(directory, { recursive: true, force: true });
});

/** Pastes lines into a shell, the last of them a curl. */
async function paste(...lines: string[]): Promise<Body> {
  const script = lines.join('\n').replace(/^curl/m, 'curl --silent');
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  return JSON.parse(stdout);
}

async function stop(program: Program): Promise<void> {
  program.kill('SIGTERM');
  expect([await program.exit(), program.stderr]).toEqual([0, '']);
}

describe('the first start with the embedded PostgreSQL', () => {
  it('makes demo data and prints variables, a list and an update to paste; all of it is there after a kill -9', async () => {
    const first = await startProgram({ DATA_DIR: directory });
    const [, list = ''] = await first.prints(/^(curl .*limit=3.*)$/m);
    const [, update = ''] = await first.prints(/^(curl -X PATCH .*)$/m);
    const { KEY: key, PROJECT, PAGE } = await demoOf(first);
    const variables = [...first.stdout.matchAll(/^export .*$/gm)].map(([line]) => line).join('\n');

    const listed = await paste(variables, list);
    expect(listed.data).toHaveLength(3);
    expect(listed.data[0]?.project_id).toBe(PROJECT);
    expect(listed.pagination.has_more).toBe(true);
    const updated = await paste(variables, update);
    expect(updated.data.id).toBe(PAGE);
    expect(updated.data.name).toBe('Updated from curl');
    first.kill('SIGKILL');
    await first.exit();

    const second = await startProgram({ DATA_DIR: directory });
    const headers = { Authorization: `Bearer ${key}` };
    const query = `project_id=${updated.data.project_id}&limit=100`;
    const answer = await fetch(`${second.url}/v1/status-pages?${query}`, { headers });
    const { data }: Body = JSON.parse(await answer.text());
    expect(data).toHaveLength(60);
    expect(data.find(({ id }) => id === updated.data.id)).toEqual(updated.data);
    expect(second.stdout).not.toMatch(/sp_|curl/);
    await stop(second);
  });

  it('makes nothing with DEMO=false but the schema and the default organization, however long the path of its folder', async () => {
    const DATA_DIR = await migratedDirectory('x'.repeat(120));
    const server = await startProgram({ DATA_DIR, DEMO: 'false' });
    expect(server.stdout).not.toMatch(/sp_|curl/);
    const { code, stdout } = await cli({ DATA_DIR }, 'project', 'create', '--name', 'First');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ organization_id: '00000000-0000-7000-8000-000000000001' });
    await stop(server);
  });
});

describe('one data directory', () => {
  it('is refused to a second server, which says so in one line; the first goes on', async () => {
    const DATA_DIR = await migratedDirectory();
    const first = await startProgram({ DATA_DIR, DEMO: 'false' });
    const second = Program.run('main.js', [], { DATA_DIR, PORT: '0' });
    expect(await second.exit()).toBe(1);
    expect(second.stderr).toMatch(/^.*DATA_DIR is in use by another server.*\n$/);
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
    await stop(first);
  });

  it('is shared by the server and calls of the CLI before, while and after it runs, and nothing is lost', async () => {
    const env = { DATA_DIR: await migratedDirectory() };
    const create = (name: string) => cli(env, 'organization', 'create', '--name', name);
    const before = [create('a'), create('b')];
    const server = await startProgram({ ...env, DEMO: 'false' });
    const during = [create('c'), create('d')];
    const done = await Promise.all([...before, ...during]);
    const after = create('e');
    await stop(server);
    done.push(await after);
    const stated = `database: embedded, in ${env.DATA_DIR}\n`;
    expect(done.map(({ code, stderr }) => [code, stderr])).toEqual(done.map(() => [0, stated]));

    const embedded = await openEmbeddedPostgres(env.DATA_DIR, 'server');
    const client = new Client({ host: embedded.socket_dir, user: 'postgres', database: 'postgres' });
    await client.connect();
    const { rows } = await client.query<{ name: string }>('SELECT name FROM organizations ORDER BY name');
    await client.end();
    await embedded.close();
    expect(rows.map(({ name }) => name)).toEqual(['Default', 'a', 'b', 'c', 'd', 'e'].toSorted());
  });
});

describe('the choice of the database', () => {
  it.each([
    ['is missing', {}],
    ['is empty', { DATABASE_URL: '' }],
  ])('stops the server and the CLI with 1 where it %s, and nothing is made', async (_case, choice) => {
    const env = { EMBEDDED: undefined, DATA_DIR: join(directory, 'data'), PORT: '0', ...choice };
    const server = Program.run('main.js', [], env, directory);
    expect(await server.exit()).toBe(1);
    expect(server.stderr).toMatch(/^Status Pages could not start: DATABASE_URL must [^\n]+\n$/);
    const call = Program.run('cli/main.js', ['demo'], env, directory);
    expect([await call.exit(), call.stdout]).toEqual([1, '']);
    expect(call.stderr).toMatch(/^error: DATABASE_URL must [^\n]+\n$/);
    expect(await readdir(directory)).toEqual([]);
  });

  it('is the embedded PostgreSQL for npm start, which says --dev, unless DATABASE_URL is set', async () => {
    const env = { EMBEDDED: undefined, DATA_DIR: await migratedDirectory(), DEMO: 'false', PORT: '0' };
    const server = Program.run('main.js', ['--dev'], env);
    await server.prints(/listens on/);
    await stop(server);
    const other = Program.run('main.js', ['--dev'], { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/x' });
    expect(await other.exit()).toBe(1);
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      await readFile('package.json', 'utf8'),
    );
    expect(scripts['start']).toBe(`npm run --silent build && ${scripts['start:prod']} --dev`);
  });
});

describe('a signal', () => {
  it('during the start ends it with exit code 0', async () => {
    // A server that takes the connection and says nothing: the start waits for it.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const program = Program.run('main.js', [], { DATABASE_URL: `postgres://u@127.0.0.1:${port}/x` });
    const [socket]: [Socket] = await onceConnected(silent);
    program.kill('SIGTERM');
    expect([await program.exit(), program.stderr]).toEqual([0, '']);
    socket.destroy();
    silent.close();
  });

  it('sent a second time, as npm does with a Ctrl-C, does not cut the stop short', async () => {
    const server = await startProgram({ DATA_DIR: await migratedDirectory() });
    const { KEY, PAGE } = await demoOf(server);
    const headers = {
      Authorization: `Bearer ${KEY}`,
      'Content-Type': 'application/json',
      'Content-Length': '14',
    };
    const half = request(`${server.url}/v1/status-pages/${PAGE}`, { method: 'PATCH', headers });
    half.write('{"name":"');
    half.flushHeaders();
    await fetch(`${server.url}/health/live`); // on a second connection: the first has arrived
    server.kill('SIGINT');
    await until(() =>
      fetch(`${server.url}/health/live`).then(
        () => false,
        () => true,
      ),
    );
    server.kill('SIGINT');
    half.end('x"}  ');
    const [answer] = await onceAnswered(half);
    expect(answer.statusCode).toBe(200);
    answer.resume();
    await stop(server);
  });
});

function onceConnected(server: Server): Promise<[Socket]> {
  return new Promise((resolve) => server.once('connection', (socket) => resolve([socket])));
}

describe('SIGTERM', () => {
  it('cuts no request: one that is half sent is answered, then the exit code is 0', async () => {
    const server = await startProgram({ DATA_DIR: await migratedDirectory() });
    const { KEY: key, PAGE } = await demoOf(server);
    const path = `/v1/status-pages/${PAGE}`;
    const agent = new Agent({ keepAlive: true });
    const [idle]: [IncomingMessage] = await onceAnswered(get(`${server.url}/health/live`, { agent }));
    idle.resume();
    await once(idle, 'end');

    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': '19',
    };
    const half = request(server.url + path, { method: 'PATCH', headers });
    half.write('{"name":"T');
    half.flushHeaders();
    // The second request on the server's other connection says that the first has arrived before it.
    await fetch(`${server.url}/health/live`);
    server.kill('SIGTERM');

    // On a connection that was open before: told to come back, and to close.
    const late = await until(async () => {
      const one = await answerOn(agent, `${server.url}/health/live`);
      return one.status !== 200 && one;
    });
    expect([late.status, late.headers.connection, late.headers['retry-after']]).toEqual([503, 'close', '1']);
    expect(late.headers['access-control-allow-origin']).toBe('*');
    expect(JSON.parse(late.text)).toMatchObject({ code: 'unavailable' });

    half.end('he end"} ');
    const [answer] = await onceAnswered(half);
    expect([answer.statusCode, (await text(answer)).includes('"name":"The end"')]).toEqual([200, true]);
    expect(await server.exit()).toBe(0);
    expect(server.stdout).toMatch(/"level":40.*"status":503,"error_code":"unavailable"/);
    expect(server.stdout).not.toMatch(/"level":50|"stack"/);
    agent.destroy();
  });

  it('under load answers every request that was sent: 200, or 503 to come back', async () => {
    const server = await startProgram({ DATA_DIR: await migratedDirectory() });
    const { KEY: key, PROJECT: project } = await demoOf(server);
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const statuses = new Map<string, number>();
    let killed = false;
    const client = async () => {
      for (let refused = false; !refused;) {
        const outcome = await answerOn(
          agent,
          `${server.url}/v1/status-pages?project_id=${project}`,
          key,
        ).then(
          ({ status, text: body }) =>
            JSON.parse(body).data?.length === 25 || status !== 200 ? String(status) : 'cut',
          (error: NodeJS.ErrnoException) => String(error.code),
        );
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
        refused = outcome === 'ECONNREFUSED';
        if (!killed && (statuses.get('200') ?? 0) > 200) {
          killed = true;
          server.kill('SIGTERM');
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    expect(
      [...statuses.keys()].filter((outcome) => !['200', '503', 'ECONNREFUSED'].includes(outcome)),
    ).toEqual([]);
    expect(await server.exit()).toBe(0);
    agent.destroy();
  });

  it('does not wait for ever for a request that never ends', async () => {
    const server = await startProgram({
      DATA_DIR: await migratedDirectory(),
      DEMO: 'false',
      SHUTDOWN_TIMEOUT: '1',
    });
    const hanging = request(`${server.url}/v1/status-pages`, {
      method: 'POST',
      headers: { 'Content-Length': '9' },
    });
    hanging.on('error', () => undefined);
    hanging.write('x');
    await fetch(`${server.url}/health/live`);
    const asked = Date.now();
    server.kill('SIGTERM');
    expect(await server.exit()).toBe(0);
    expect(Date.now() - asked).toBeLessThan(25_000); // after 30 s, the request would have ended by itself
  });
});

function onceAnswered(asked: ReturnType<typeof request>): Promise<[IncomingMessage]> {
  return new Promise((resolve, reject) => {
    asked.once('response', (answer) => resolve([answer]));
    asked.once('error', reject);
  });
}

async function text(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

async function answerOn(
  agent: Agent,
  url: string,
  key = '',
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; text: string }> {
  const asked = get(url, { agent, headers: key ? { Authorization: `Bearer ${key}` } : {} });
  const [answer] = await onceAnswered(asked);
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

const URL_FORM = 'must be a URL that starts with postgres:// or postgresql:// and names one host';

describe('a start that cannot be', () => {
  it.each([
    ['PORT', 'sesame', 'must be an integer from 0 to 65535'],
    ['PORT', '65536', 'must be an integer from 0 to 65535'],
    ['PORT', '-1', 'must be an integer from 0 to 65535'],
    ['PORT', '1e3', 'must be an integer from 0 to 65535'],
    ['DATABASE_URL', 'mysql://sesame', URL_FORM],
    ['DATABASE_URL', '', URL_FORM],
    ['DATABASE_URL', 'postgres://u:sesame@one:5432,two:5432/x', URL_FORM],
    ['DATABASE_URL', 'postgres://u:sesame@one,two/x', URL_FORM],
    ['DATABASE_URL', 'postgres://u:%zz@one/x', URL_FORM],
    ['DATABASE_URL', 'postgres://one/x?sslrootcert=/sesame', 'names a file that cannot be read (ENOENT)'],
    ['EMBEDDED', 'sesame', 'must be true or false'],
    ['DEMO', 'sesame', 'must be true or false'],
    ['LOG_LEVEL', 'sesame', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['DATABASE_POOL_SIZE', '1', 'must be an integer from 2 to 1000'],
    ['SHUTDOWN_TIMEOUT', 'sesame', 'must be an integer from 0 to 600'],
    ['RATE_LIMIT', '1000000001', 'must be an integer from 0 to 1000000000'],
    ['RATE_LIMIT', '-1', 'must be an integer from 0 to 1000000000'],
  ])('is told by the name of the variable and what is allowed: %s=%s', (name, value, allowed) => {
    const database = name === 'DATABASE_URL' ? {} : { EMBEDDED: 'true' };
    expect(() => loadEnv({ ...database, [name]: value })).toThrow(new EnvError(`${name} ${allowed}`));
  });

  it('without a choice of the database names both variables', () => {
    const choice = 'DATABASE_URL must be set, or EMBEDDED=true for the embedded PostgreSQL';
    expect(() => loadEnv({})).toThrow(new EnvError(choice));
    expect(() => loadEnv({ EMBEDDED: 'false', PORT: '-1' })).toThrow(
      new EnvError(`PORT must be an integer from 0 to 65535\n${choice}`),
    );
    expect(() => loadEnv({ EMBEDDED: 'true', DATABASE_URL: 'postgres://localhost/x' })).toThrow(
      new EnvError('EMBEDDED must not be true if DATABASE_URL is set'),
    );
  });

  it.each([
    'postgres://u:p@/x?host=/var/run/postgresql',
    'postgres:///x?host=/tmp',
    'postgresql://[::1]:5432/x',
  ])('is not brought about by a URL that pg understands: %s', (DATABASE_URL) => {
    expect(loadEnv({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
  });

  it('is not brought about by the largest numbers that are allowed', () => {
    expect(loadEnv({ EMBEDDED: 'true', PORT: '65535', RATE_LIMIT: '1000000000' })).toMatchObject({
      PORT: 65_535,
      RATE_LIMIT: 1_000_000_000,
    });
  });

  it('for bad variables ends with 1 and names every one of them, never a value', async () => {
    const bad = { PORT: 'sesame', DEMO: 'sesame', DATABASE_URL: 'sesame' };
    const program = Program.run('main.js', [], { DATA_DIR: directory, ...bad });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(
      /^Status Pages could not start: PORT must .*\nDATABASE_URL must .*\nDEMO must .*\n$/,
    );
    expect(program.stdout + program.stderr).not.toContain('sesame');
  });

  it('for a database that is away ends with 1, and never shows its password', async () => {
    const url = 'postgres://somebody:sesame@127.0.0.1:1/nowhere';
    const program = Program.run('main.js', [], { DATABASE_URL: url, PORT: '0' });
    expect(await program.exit()).toBe(1);
    const reason = 'PostgreSQL at 127.0.0.1:1, database "nowhere": connection refused\n';
    expect(program.stderr).toBe(`Status Pages could not start: ${reason}`);
    expect(program.stdout + program.stderr).not.toContain('sesame');
    const { code, stderr } = await cli({ DATABASE_URL: url }, 'demo');
    const database = 'database: PostgreSQL at 127.0.0.1:1, database "nowhere"\n';
    expect([code, stderr]).toEqual([1, `${database}error: ${reason}`]);
  });

  it('for a port that is taken ends with 1 and says so', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const program = Program.run('main.js', [], {
      DATA_DIR: await migratedDirectory(),
      DEMO: 'false',
      PORT: port,
    });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(/EADDRINUSE.*: set another HOST or PORT\n$/);
    other.close();
  });
});

/** A copy of what was built, in a project folder of its own. */
async function copyOfTheBuild(): Promise<string> {
  const project = join(directory, 'project');
  await cp('dist/src', join(project, 'dist/src'), { recursive: true });
  await cp('package.json', join(project, 'package.json'));
  await symlink(join(process.cwd(), 'node_modules'), join(project, 'node_modules'));
  return project;
}

describe('the file .env', () => {
  it('is read beside package.json, whatever the working directory is, and so is a relative DATA_DIR', async () => {
    const project = await copyOfTheBuild();
    await cp(inject('templateDataDir'), join(project, 'database'), { recursive: true });
    await writeFile(
      join(project, '.env'),
      'EMBEDDED=true\nDATA_DIR=./database # relative\nDEMO=false\nPORT="0"\n',
    );
    const env = {
      ...environment({ EMBEDDED: undefined }),
      DATA_DIR: undefined,
      DEMO: undefined,
      PORT: undefined,
    };
    const main = join(project, 'dist/src/main.js');
    const server = new Program(spawn(process.execPath, [main], { env, cwd: tmpdir() }));
    await server.prints(/listens on/);
    const cliMain = join(project, 'dist/src/cli/main.js');
    const create = ['organization', 'create', '--name', 'x'];
    const call = new Program(spawn(process.execPath, [cliMain, ...create], { env, cwd: '/' }));
    expect([await call.exit(), call.stderr]).toEqual([0, `database: embedded, in ${project}/database\n`]);
    await stop(server);
  });

  it('gives way to the environment, and to its choice of the database as a whole', async () => {
    const before = { ...process.env };
    await writeFile(
      join(directory, '.env'),
      `# comment\nexport DATABASE_URL=postgres://localhost/x\nPORT=1\n\nRATE_LIMIT='5' # five\n`,
    );
    Object.assign(process.env, { EMBEDDED: 'true', PORT: '2' });
    delete process.env['DATABASE_URL'];
    delete process.env['RATE_LIMIT'];
    loadEnvFile(directory);
    const { DATABASE_URL, PORT, RATE_LIMIT } = process.env;
    process.env = before;
    expect([DATABASE_URL, PORT, RATE_LIMIT]).toEqual([undefined, '2', '5']);
  });

  it.each(['RATE_LIMIT 5', 'RATE_LIMIT: 5', '=5', '5=5', 'RATE_LIMIT="5', "RATE_LIMIT='5' 6"])(
    'with a broken line stops the start, and the error has the number of the line but not its text: %s',
    async (line) => {
      await writeFile(join(directory, '.env'), `A=1\n# comment\nB="2\n2"\n${line}\nC=3\n`);
      const before = { ...process.env };
      expect(() => loadEnvFile(directory)).toThrow(
        new EnvError(`${directory}/.env, line 5: must be NAME=value or a comment`),
      );
      expect(process.env).toEqual(before);
    },
  );
});

describe('the configuration', () => {
  it('warns of a name that is nearly one of ours, and of no other', () => {
    const names = {
      RATE_LIMT: '5',
      DATABSE_URL: 'x',
      LOGLEVEL: 'x',
      HOSTS: '',
      HOME: '',
      DATABASES: '',
      PATH: '',
    };
    expect(findMisspelledNames({ ...names, PORT: '1' })).toEqual([
      'The variable RATE_LIMT is unknown and ignored. Did you mean RATE_LIMIT?',
      'The variable DATABSE_URL is unknown and ignored. Did you mean DATABASE_URL?',
      'The variable LOGLEVEL is unknown and ignored. Did you mean LOG_LEVEL?',
    ]);
  });

  it('is warned about by the server in its log and by the CLI on standard error', async () => {
    const env = { DATA_DIR: await migratedDirectory(), DEMO: 'false', RATE_LIMT: '5' };
    const server = await startProgram(env);
    await server.prints(/"level":40.*RATE_LIMT is unknown and ignored/);
    const { code, stderr } = await cli(env, 'organization', 'create', '--name', 'x');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: The variable RATE_LIMT is unknown/m);
    await stop(server);
  });

  it('is listed in .env.example and in the README, variable by variable', async () => {
    const { Env } = await import('../../src/config/env.js');
    const names = Object.keys(new Env()).toSorted();
    const example = await readFile('.env.example', 'utf8');
    expect([...example.matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name).toSorted()).toEqual(names);
    const readme = await readFile('README.md', 'utf8');
    expect([...readme.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, name]) => name).toSorted()).toEqual(names);
  });
});

describe.runIf(onPostgres)('a start with DATABASE_URL', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.drop());

  it('makes nothing but the schema and the default organization', async () => {
    const server = await startProgram(database.env);
    expect(server.stdout).not.toMatch(/sp_|curl/);
    const client = new Client(database.env.DATABASE_URL);
    await client.connect();
    const counts = await client.query(`SELECT
      (SELECT json_agg(name) FROM organizations) AS organizations,
      (SELECT count(*)::int FROM projects) AS projects, (SELECT count(*)::int FROM monitors) AS monitors,
      (SELECT count(*)::int FROM api_keys) AS keys, (SELECT count(*)::int FROM status_pages) AS pages`);
    await client.end();
    expect(counts.rows).toEqual([
      { organizations: ['Default'], projects: 0, monitors: 0, keys: 0, pages: 0 },
    ]);
    await stop(server);
  });

  it('runs the migrations once when several processes start at once', async () => {
    const servers = await Promise.all(Array.from({ length: 4 }, () => startProgram(database.env)));
    for (const server of servers) {
      expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
      await stop(server);
    }
  });
});
