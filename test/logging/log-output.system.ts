import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, createReadStream, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { generateKey } from '../../src/platform/auth/key-format.js';
import { createDatabase, directly } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { adminUrlOf, readSamples } from '../support/metrics.js';
import { environment, Program, startProgram } from '../support/process.js';
import { V8_FLAGS } from '../support/v8-flags.js';
import { until, useTestServer } from '../support/server.js';

const shared = useTestServer();
afterEach(() => Program.killAll());

const live = async (url: string) => (await fetch(`${url}/health/live`)).status;

/** A path that the log contains in full: 8 KB of plain segments. */
const LONG_PATH = '/plain-segment-of-a-path'.repeat(340);

/** A server whose standard output goes to a destination of the test. */
function spawnServer(port: number, stdout: 'pipe' | number): { child: ChildProcess; server: Program } {
  const env = environment({
    ...shared.databaseEnv,
    DEMO: 'false',
    PORT: String(port),
    ADMIN_PORT: '0',
    LOG_LEVEL: 'debug', // omits no line
  });
  const child = spawn(process.execPath, [...V8_FLAGS, 'dist/src/main.js'], {
    env,
    stdio: ['ignore', stdout, 'pipe'],
  });
  return { child, server: new Program(child) };
}

/** Starts a server that logs to a pipe. The test can stop reading it with `child.stdout.pause()`. */
async function startLoggingToPipe(): Promise<{ child: ChildProcess; server: Program; url: string }> {
  const { child, server } = spawnServer(0, 'pipe');
  const [, url = ''] = await server.prints(/listens on (http:\/\/[\d.:]+)/);
  return { child, server, url };
}

/** Starts a server that logs to a file. It serves even if its log fails. */
async function startLoggingTo(file: number): Promise<{ server: Program; url: string }> {
  const port = await freePort();
  const { server } = spawnServer(port, file);
  closeSync(file);
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    live(url).then(
      (status) => status === 200,
      () => false,
    ),
  );
  return { server, url };
}

describe('log', () => {
  it('resumes completely after its reader stalls, without a further line', async () => {
    const { child, server, url } = await startLoggingToPipe();
    child.stdout?.pause();
    for (let sent = 0; sent < 40; sent++) expect((await fetch(url + LONG_PATH)).status).toBe(404);
    expect((await fetch(`${url}/the-last-line`)).status).toBe(404);
    await delay(50); // longer than lines wait for others
    child.stdout?.resume();
    await server.prints(/"path":"\/the-last-line"/);
  });

  it('drops and counts lines instead of delaying requests while its reader stalls', async () => {
    const { child, server, url } = await startLoggingToPipe();
    const admin_url = await adminUrlOf(server);

    child.stdout?.pause();
    for (let sent = 0; sent < 400; sent++) expect((await fetch(url + LONG_PATH)).status).toBe(404);
    expect(await live(url)).toBe(200);

    child.stdout?.resume();
    const [, dropped] = await server.prints(/"dropped":(\d+)/);
    expect((await readSamples(admin_url))['status_pages_log_lines_dropped_total']).toBe(Number(dropped));
    await live(url);
    await server.prints(/\/health\/live.*\/health\/live/s);
    const lines = server.stdout.trimEnd().split('\n');
    expect(() => lines.map((line) => JSON.parse(line))).not.toThrow();
    const counted = lines.filter((line) => line.includes('"not_found"')).length + Number(dropped);
    expect([400, 401]).toContain(counted); // the line of the first /health/live can also be dropped
    server.kill('SIGTERM');
    expect(await server.exit()).toBe(0);
  });

  it('never delays the shutdown while its reader stalls', async () => {
    const { child, url } = await startLoggingToPipe();
    child.stdout?.pause();
    for (let sent = 0; sent < 100; sent++) await fetch(url + LONG_PATH);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect([child.exitCode, child.signalCode]).toEqual([0, null]);
    child.stdout?.resume();
  });

  it('leaves the service running on a full disk', { tags: ['linux'] }, async () => {
    const { server, url } = await startLoggingTo(openSync('/dev/full', 'w'));
    for (let sent = 0; sent < 20; sent++) expect(await live(url)).toBe(200);
    server.kill('SIGTERM');
    expect([await server.exit(), server.stderr]).toEqual([0, '']);
  });

  it('resumes when the output recovers, after dropping lines', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'status-pages-log-'));
    const fifo = join(directory, 'log');
    execFileSync('mkfifo', [fifo]);
    // A FIFO without a reader is not writable. A new reader makes it writable.
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(fifo, 'w');
    const { server, url } = await startLoggingTo(writer);
    closeSync(reader);
    for (let sent = 0; sent < 200; sent++) await fetch(url + LONG_PATH);

    let log = '';
    createReadStream(fifo, 'utf8').on('data', (text) => (log += String(text)));
    await until(async () => {
      await fetch(`${url}/health/ready`);
      return /"dropped":\d+/.test(log) && log.includes('/health/ready');
    });
    server.kill('SIGTERM');
    expect([await server.exit(), server.stderr]).toEqual([0, '']);
    await rm(directory, { recursive: true });
  });

  it('contains only JSON from the first line to the last', async () => {
    const server = await startProgram({ ...shared.databaseEnv, DEMO: 'false' });
    await live(server.url);
    server.kill('SIGTERM');
    expect(await server.exit()).toBe(0);
    const lines: { level: number; msg: string; version?: string }[] = server.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]?.msg).toMatch(/^Status Pages listens on http:/);
    const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(lines[0]?.version).toBe(version);
    expect(lines.map(({ level }) => level).filter((level) => level > 30)).toEqual([]);
  });

  it('contains the reason of each 503, and one stack for many', { tags: ['postgres'] }, async () => {
    const database = await createDatabase();
    const url = new URL(directly(database.env.DATABASE_URL)); // PgBouncer reports other reasons
    const server = await startProgram({ ...database.env, DATABASE_URL: url.href, DEMO: 'false' });
    const name = url.pathname.slice(1);
    const administrator = new Client(process.env['TEST_DATABASE_URL']);
    await administrator.connect();
    await administrator.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await administrator.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      name,
    ]);
    const headers = { Authorization: `Bearer ${generateKey()}` };
    const statuses: number[] = [];
    for (let sent = 0; sent < 20; sent++)
      statuses.push((await fetch(`${server.url}/v1/me`, { headers })).status);
    await administrator.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await administrator.end();
    expect(new Set(statuses)).toEqual(new Set([503]));
    server.kill('SIGTERM');
    expect(await server.exit()).toBe(0);
    const errors = server.stdout.split('\n').filter((line) => line.includes('"level":50'));
    expect(errors).toHaveLength(20);
    expect(errors.filter((line) => line.includes('"stack"'))).toHaveLength(1);
    for (const line of errors) expect(line).toMatch(/not currently accepting connections/);
    await database.drop();
  });
});
