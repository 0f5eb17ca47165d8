import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { Program, useDirectory } from '../support/process.js';
import { until, useTestServer } from '../support/server.js';
import { pidsOf, startWorkers } from './use-workers.js';

const server = useTestServer();
const directory = useDirectory();

/** Longer than a test may take: a start that fails must not wait for it. */
const LONG_DELAY = '300';

/** The variables of workers that fail, by their number. */
function faults(byNumber: Record<number, string>): Record<string, string> {
  const hook = pathToFileURL(join(import.meta.dirname, 'faulty-worker.mjs')).href;
  return { NODE_OPTIONS: `--import=${hook}`, WORKER_FAULTS: JSON.stringify(byNumber) };
}

describe('a worker', () => {
  it('that replaces another one and fails during the start is replaced, too', async () => {
    const released = join(directory.path, 'released');
    const PORT = String(await freePort());
    const program = Program.run('main.js', [], {
      ...server.databaseEnv,
      PORT,
      WEB_CONCURRENCY: '2',
      ...faults({ 2: released, 3: 'cannot start' }),
    });
    const live = `http://127.0.0.1:${PORT}/health/live`;
    await until(() =>
      fetch(live).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const [, pid] = await program.prints(/"pid":(\d+)[^\n]*"path":"\/health\/live"/);
    const first = Number(pid);
    process.kill(first, 'SIGKILL');
    await program.prints(/"reason":"a worker ended with exit code 3 [^\n]*a new worker could not start/);
    await writeFile(released, '');
    const [line] = await program.prints(/^.*listens on.*$/m);
    expect(pidsOf(line)).toHaveLength(2);
    expect(pidsOf(line)).not.toContain(first);
    program.kill('SIGTERM');
    expect([await program.exit(), program.stderr]).toEqual([0, '']);
  });

  it('whose stop fails is logged, and fails the stop of the server', async () => {
    const { program, pids } = await startWorkers(server, faults({ 2: 'cannot stop' }));
    program.kill('SIGTERM');
    expect(await program.exit()).toBe(1);
    const [line = '{}'] = /^.*the stop of a worker has failed.*$/m.exec(program.stdout) ?? [];
    const logged: { level: number; worker_pid: number; code: number; signal: null } = JSON.parse(line);
    expect(logged).toMatchObject({ level: 50, code: 7, signal: null });
    expect(pids).toContain(logged.worker_pid);
    expect(program.stderr).toBe(`Status Pages could not stop: worker ${logged.worker_pid}: exit code 7\n`);
  });

  it('that is killed during the stop fails the stop of the server, and the others stop as usual', async () => {
    const { program, url, pids } = await startWorkers(server, { DRAIN_DELAY: '10' });
    const [killed = 0] = pids;
    program.kill('SIGTERM');
    await program.prints(/stopping after the running requests/);
    process.kill(killed, 'SIGKILL');
    await program.prints(new RegExp(`"worker_pid":${killed},"code":null,"signal":"SIGKILL"`));
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toBe(`Status Pages could not stop: worker ${killed}: SIGKILL\n`);
  });
});

describe('a worker that dies during the first start', () => {
  it.each(['cannot start', 'is killed'])('after another one listens is replaced (%s)', async (fault) => {
    const { program, url, pids } = await startWorkers(server, { DRAIN_DELAY: '0', ...faults({ 2: fault }) });
    expect(pids).toHaveLength(2);
    expect(program.stdout.match(/a new worker could not start: the primary tries again/g)).toHaveLength(1);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    program.kill('SIGTERM');
    expect([await program.exit(), program.stderr]).toEqual([0, '']);
  });

  it('before any listens fails the start', async () => {
    const program = Program.run('main.js', [], {
      ...server.databaseEnv,
      PORT: '0',
      WEB_CONCURRENCY: '2',
      ...faults({ 1: 'is killed' }),
    });
    expect([await program.exit(), program.stderr]).toEqual([
      1,
      'Status Pages could not start: a worker ended with SIGKILL before it listened\n',
    ]);
  });
});

describe('a start of several workers that fails after the first one listens', () => {
  const start = (env: NodeJS.ProcessEnv) =>
    Program.run('main.js', [], {
      ...server.databaseEnv,
      PORT: '0',
      WEB_CONCURRENCY: '2',
      DRAIN_DELAY: LONG_DELAY,
      ...env,
    });

  it('because another worker cannot start, and says why, ends with its reason without DRAIN_DELAY', async () => {
    const program = start(faults({ 2: 'refuses to start' }));
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toBe('Status Pages could not start: the worker refuses\n');
    expect(program.stdout).not.toMatch(/"level":[456]0/);
  });

  it('because ADMIN_PORT is in use ends without DRAIN_DELAY', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const ADMIN_PORT = String(typeof address === 'object' && address ? address.port : 0);
    const program = start({ ADMIN_PORT });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(/^Status Pages could not start: .*ADMIN_PORT.*\n$/);
    taken.close();
  });
});
