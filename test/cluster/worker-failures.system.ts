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

/** Longer than the timeout of a test. A failed startup must not wait for it. */
const LONG_DELAY = '300';

/** Returns the environment that makes the workers with these numbers fail. */
function faults(byNumber: Record<number, string>): Record<string, string> {
  const hook = pathToFileURL(join(import.meta.dirname, 'faulty-worker.mjs')).href;
  return { NODE_OPTIONS: `--import=${hook}`, WORKER_FAULTS: JSON.stringify(byNumber) };
}

describe('worker', () => {
  it('gets replaced again if it fails during its startup as a replacement', async () => {
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
    await program.prints(
      /"reason":"worker exited before it could accept connections \(exit code 3\)[^\n]*worker could not start/,
    );
    await writeFile(released, '');
    const [line] = await program.prints(/^.*listens on.*$/m);
    expect(pidsOf(line)).toHaveLength(2);
    expect(pidsOf(line)).not.toContain(first);
    program.kill('SIGTERM');
    expect([await program.exit(), program.stderr]).toEqual([0, '']);
  });

  it('causes a log message and a failed shutdown if it fails to stop', async () => {
    const { program, pids } = await startWorkers(server, faults({ 2: 'cannot stop' }));
    program.kill('SIGTERM');
    expect(await program.exit()).toBe(1);
    const [line = '{}'] = /^.*worker did not shut down cleanly.*$/m.exec(program.stdout) ?? [];
    const logged: { level: number; worker_pid: number; code: number; signal: null } = JSON.parse(line);
    expect(logged).toMatchObject({ level: 50, code: 7, signal: null });
    expect(pids).toContain(logged.worker_pid);
    expect(program.stderr).toBe(`Status Pages could not stop: worker ${logged.worker_pid}: exit code 7\n`);
  });

  it("fails the server's shutdown if killed, while the others stop normally", async () => {
    const { program, url, pids } = await startWorkers(server, { DRAIN_DELAY: '10' });
    const [killed = 0] = pids;
    program.kill('SIGTERM');
    await program.prints(/shutting down; finishing in-flight requests/);
    process.kill(killed, 'SIGKILL');
    await program.prints(new RegExp(`"worker_pid":${killed},"code":null,"signal":"SIGKILL"`));
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toBe(`Status Pages could not stop: worker ${killed}: SIGKILL\n`);
  });
});

describe('worker that exits during the first startup', () => {
  it.each(['cannot start', 'is killed'])(
    'gets replaced if another one already listens (%s)',
    async (fault) => {
      const { program, url, pids } = await startWorkers(server, {
        DRAIN_DELAY: '0',
        ...faults({ 2: fault }),
      });
      expect(pids).toHaveLength(2);
      expect(program.stdout.match(/worker could not start; retrying/g)).toHaveLength(1);
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      program.kill('SIGTERM');
      expect([await program.exit(), program.stderr]).toEqual([0, '']);
    },
  );

  it('fails the startup if none listens yet', async () => {
    const program = Program.run('main.js', [], {
      ...server.databaseEnv,
      PORT: '0',
      WEB_CONCURRENCY: '2',
      ...faults({ 1: 'is killed' }),
    });
    expect([await program.exit(), program.stderr]).toEqual([
      1,
      'Status Pages could not start: worker exited before it could accept connections (SIGKILL)\n',
    ]);
  });
});

describe('startup of several workers that fails after the first one listens', () => {
  const start = (env: NodeJS.ProcessEnv) =>
    Program.run('main.js', [], {
      ...server.databaseEnv,
      PORT: '0',
      WEB_CONCURRENCY: '2',
      DRAIN_DELAY: LONG_DELAY,
      ...env,
    });

  it('fails immediately with the reason of the worker that could not start', async () => {
    const program = start(faults({ 2: 'refuses to start' }));
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toBe('Status Pages could not start: the worker refuses\n');
    expect(program.stdout).not.toMatch(/"level":[456]0/);
  });

  it('ends without DRAIN_DELAY if ADMIN_PORT is in use', async () => {
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
