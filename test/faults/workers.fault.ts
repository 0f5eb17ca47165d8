import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, onTestFailed } from 'vitest';
import { answerOn, onceAnswered } from '../support/http-agent.js';
import { Program, stop, useDirectory } from '../support/process.js';
import { until } from '../support/server.js';
import { useCluster } from './support/cluster.js';
import { Service } from './support/service.js';
import { expectSoundPages, Stream, Writer } from './support/writers.js';

const cluster = useCluster();
const directory = useDirectory();
afterEach(() => Program.killAll());

/** A pause of a second, and the startup of a worker on a busy machine. */
const MAX_GAP_MS = 10_000;
const WORKERS = { WEB_CONCURRENCY: '2' };

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('kill -9 of a process of WEB_CONCURRENCY=2', () => {
  it('loses no acknowledged update if it is a worker, which is replaced', async () => {
    const service = await Service.start(
      { ...(await cluster.current.database()), ...WORKERS },
      cluster.current.seed,
    );
    const writers = await Writer.create(service, 8);
    for (let round = 0; round < 2; round++) {
      const stream = new Stream(service, writers);
      await stream.reaches(40);
      const before = await childrenOf(service.pid);
      const [victim = 0] = before;
      process.kill(victim, 'SIGKILL');
      await stream.reaches(40);
      await until(async () => {
        const now = await childrenOf(service.pid);
        return now.length === 2 && !now.includes(victim);
      });
      await stream.stop();
      await expectSoundPages(writers);
    }
    await service.program.prints(/"msg":"replacement worker is ready"/);
    expect(service.program.stdout.match(/worker exited unexpectedly; starting a replacement/g)).toHaveLength(
      2,
    );
    await service.recovers();
    await service.stop();
  });

  it('stops the workers without losing an update if it is the primary', async () => {
    const env = { ...(await cluster.current.database()), ...WORKERS };
    const first = await Service.start(env, cluster.current.seed);
    const writers = await Writer.create(first, 8);
    const stream = new Stream(first, writers);
    await stream.reaches(40);
    const workers = await childrenOf(first.pid);
    await first.kill();
    await stream.stop();
    await until(async () => !workers.some(isRunning));
    const { port } = new URL(first.url);
    const next = await Service.start({ ...env, PORT: port }, cluster.current.seed);
    for (const writer of writers) writer.use(next);
    await expectSoundPages(writers);
    await next.stop();
  });

  it('lets a worker complete a half-sent request if it is the primary', async () => {
    const service = await Service.start(
      { ...(await cluster.current.database()), ...WORKERS },
      cluster.current.seed,
    );
    const workers = await childrenOf(service.pid);
    const half = request(`${service.url}/v1/projects/${service.seed.project}`, {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${service.seed.key}`,
        'Content-Type': 'application/json',
        'Content-Length': '19',
        Expect: '100-continue',
      },
    });
    half.flushHeaders();
    await once(half, 'continue'); // a worker receives it
    half.write('{"name":"T');
    await service.kill();
    half.end('he end"} ');
    const [answer] = await onceAnswered(half);
    expect([answer.statusCode, (await text(answer)).includes('"name":"The end"')]).toEqual([200, true]);
    await until(async () => !workers.some(isRunning));
  });
});

describe('WEB_CONCURRENCY=2', () => {
  const hook = pathToFileURL(join(import.meta.dirname, 'support/busy-worker.mjs')).href;
  /** 15 heartbeat intervals, and the startup of a worker on a busy machine. */
  const REPLACED_MS = 60_000;
  const KILL = /"worker_pid":(\d+)[^\n]*worker does not respond to the primary; killing it/;

  it('replaces a stopped worker (SIGSTOP), which delays at most one connection', async () => {
    const env = { ...(await cluster.current.database()), ...WORKERS };
    const service = await Service.start(env, cluster.current.seed, [`--import=${hook}`]);
    const [busy = 0, stopped = 0] = await childrenOf(service.pid);
    process.kill(busy, 'SIGUSR2');
    process.kill(stopped, 'SIGSTOP');
    onTestFailed(() => void process.kill(stopped, 'SIGKILL'));
    const stoppedAt = performance.now();
    const connections = Array.from({ length: 12 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    let answered = 0;
    const asked = connections.map(async (agent) => {
      // No error is counted either, because the connection can be reset when the worker is killed.
      const { status } = await answerOn(agent, `${service.url}/health/ready`).catch(() => ({ status: 0 }));
      if (status === 200) answered += 1;
    });
    await until(async () => answered >= connections.length - 1);
    expect(service.program.stdout).not.toMatch(KILL);
    await until(async () => {
      const now = await childrenOf(service.pid);
      return now.length === 2 && !now.includes(stopped);
    });
    expect(performance.now() - stoppedAt).toBeLessThan(REPLACED_MS);
    await service.program.prints(/"msg":"replacement worker is ready"/);
    expect(KILL.exec(service.program.stdout)?.[1]).toBe(String(stopped));
    expect(await childrenOf(service.pid)).toContain(busy);
    expect(service.program.stdout.match(/worker exited unexpectedly; starting a replacement/g)).toHaveLength(
      1,
    );
    for (const agent of connections) agent.destroy();
    await Promise.allSettled(asked);
    await service.recovers();
    await service.stop();
  });

  it('keeps serving within a few seconds under random kills of workers', async () => {
    const env = { ...(await cluster.current.database()), ...WORKERS };
    const service = await Service.start(env, cluster.current.seed);
    for (let kill = 0; kill < 10; kill++) {
      const workers = await childrenOf(service.pid);
      const victim = workers[Math.floor(Math.random() * workers.length)];
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
      await delay(1_500); // a stream of kills, including workers that are starting
    }
    const end = performance.now();
    await until(async () =>
      fetch(`${service.url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    expect(performance.now() - end).toBeLessThan(MAX_GAP_MS);
    await service.stop();
  });
});

describe('workers that start without PostgreSQL', () => {
  it('serve all saved copies until PostgreSQL recovers', async () => {
    const env = { ...(await cluster.current.database()), ...WORKERS, DATA_DIR: directory.path };
    const service = await Service.start(env, cluster.current.seed);
    const project = cluster.current.seed.project;
    const { body } = await service.ask<{ data: { id: string; slug: string }[] }>(
      `/v1/status-pages?project_id=${project}`,
    );
    const { id = '', slug = '' } = body.data[0] ?? {};
    await service.ask(`/v1/status-pages/${id}`, { method: 'PATCH', json: { is_public: true } });
    await until(async () => (await service.ask(`/status/${slug}`)).status === 200);
    await service.stop();
    await cluster.current.stopAtOnce();

    const program = Program.run('main.js', [], { PORT: '0', DEMO: 'false', RATE_LIMIT: '0', ...env });
    const [, url = ''] = await program.prints(
      /listens on (http:\S+) and serves only saved copies because the database is unavailable"/,
    );
    const connections = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const visit = () => Promise.all(connections.map((agent) => answerOn(agent, `${url}/status/${slug}`)));
    await until(async () => {
      const lines = program.stdout.match(/"path":"\/status\/.*$/gm) ?? [];
      expect((await visit()).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      return (
        new Set(lines.map((line) => line.length > 0)).size > 0 &&
        program.stdout.match(/"copies":/g)?.length === 2
      );
    });
    await cluster.current.start();
    await program.prints(/listens on (\S+) with 2 workers/);
    expect((await visit()).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await stop(program);
    for (const agent of connections) agent.destroy();
  });
});
