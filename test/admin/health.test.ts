import { once } from 'node:events';
import { createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { AdminServer } from '../../src/admin/admin-server.js';
import { Program, startProgram, stop, useDirectory } from '../support/process.js';
import { adminUrlOf } from '../support/metrics.js';
import { DatabaseProxy } from '../support/proxy.js';
import { useTestServer } from '../support/server.js';
import { useAdmin } from './use-admin.js';

const directory = useDirectory();
const opened = new Set<AdminServer>();
afterEach(async () => {
  for (const server of opened) await server.close();
  opened.clear();
});

async function open(
  sources: Partial<ConstructorParameters<typeof AdminServer>[0]>,
  stuckMs?: number,
): Promise<string> {
  const server = new AdminServer({ metrics: async () => '', ready: async () => true, ...sources }, stuckMs);
  opened.add(server);
  return `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
}

const statusOf = async (url: string, init?: RequestInit): Promise<number> => (await fetch(url, init)).status;

describe('the port for operators', () => {
  it('has three paths, for GET and HEAD', async () => {
    const url = await open({ metrics: async () => 'up 1\n' });
    const metrics = await fetch(`${url}/metrics`);
    expect([metrics.status, await metrics.text()]).toEqual([200, 'up 1\n']);
    const live = await fetch(`${url}/health/live`);
    expect([live.status, await live.text()]).toEqual([200, '{"status":"ok"}']);
    expect(await statusOf(`${url}/health/ready`, { method: 'HEAD' })).toBe(200);
    for (const path of ['/', '/v1/me', '/metrics/', '/health', '/constructor'])
      expect([path, await statusOf(url + path)]).toEqual([path, 404]);
    const post = await fetch(`${url}/metrics`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is not ready if the service is not, and has no metrics if they fail', async () => {
    const url = await open({
      ready: async () => false,
      metrics: () => Promise.reject(new Error('secret')),
    });
    expect(await statusOf(`${url}/health/ready`)).toBe(503);
    const metrics = await fetch(`${url}/metrics`);
    expect([metrics.status, await metrics.text()]).toEqual([503, '{"status":"unavailable"}']);
    expect(await statusOf(`${url}/health/live`)).toBe(200);
  });

  it('answers /health/live while the event loop is blocked, and 503 if that lasts', async () => {
    const url = await open({}, 3_000);
    const results = new Int32Array(new SharedArrayBuffer(12)); // 200s, 503s, end
    const visitor = new Worker(
      `const { workerData: { url, results } } = require('node:worker_threads');
       const visit = async () => {
         const { status } = await fetch(url);
         Atomics.add(results, status === 200 ? 0 : 1, 1);
         if (status === 200) return setTimeout(visit, 20);
         Atomics.store(results, 2, 1);
         Atomics.notify(results, 2);
       };
       visit();`,
      { eval: true, workerData: { url: `${url}/health/live`, results } },
    );
    await once(visitor, 'online');
    Atomics.wait(results, 2, 0, 60_000); // blocks this thread
    expect([Number(results[0]) > 0, results[1]]).toEqual([true, 1]);
    await expect.poll(() => statusOf(`${url}/health/live`), { timeout: 10_000 }).toBe(200);
    await visitor.terminate();
  });
});

describe('a server with ADMIN_PORT', () => {
  const server = useAdmin();

  it('is live and ready, and closes the port at its end', async () => {
    for (const path of ['/health/live', '/health/ready'])
      expect([path, await statusOf(server.admin_url + path)]).toEqual([path, 200]);
    await stop(server.program);
    await expect(fetch(`${server.admin_url}/health/live`)).rejects.toThrow('fetch failed');
  });

  it('does not start if the port is in use, and names the variable', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const ADMIN_PORT = String(typeof address === 'object' && address ? address.port : 0);
    const program = Program.run('main.js', [], {
      DATA_DIR: await directory.migrated(),
      PORT: '0',
      ADMIN_PORT,
    });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toContain('ADMIN_PORT');
    taken.close();
  });
});

describe('a server with ADMIN_PORT whose database is away', { tags: ['postgres'] }, () => {
  const shared = useTestServer();

  it('is live, but not ready, until the database is back', async () => {
    const proxy = await DatabaseProxy.start(shared.databaseEnv['DATABASE_URL'] ?? '');
    const env = { ...shared.databaseEnv, DATABASE_URL: proxy.url, ADMIN_PORT: '0' };
    const program = await startProgram(env);
    try {
      const url = await adminUrlOf(program);
      const statuses = async () => [
        await statusOf(`${url}/health/live`),
        await statusOf(`${url}/health/ready`),
      ];
      expect(await statuses()).toEqual([200, 200]);
      proxy.cut();
      await expect.poll(statuses, { timeout: 20_000 }).toEqual([200, 503]);
      proxy.mend();
      await expect.poll(statuses, { timeout: 20_000 }).toEqual([200, 200]);
    } finally {
      await stop(program);
      await proxy.stop();
    }
  });
});

describe('a server without ADMIN_PORT and OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('loads neither prom-client nor OpenTelemetry', async () => {
    const loaded = async (name: string, env: Record<string, string>): Promise<string[]> => {
      const LOADED_MODULES = join(directory.path, name);
      const hook = pathToFileURL(join(process.cwd(), 'test/support/loaded-modules.mjs')).href;
      const program = await startProgram({
        DATA_DIR: await directory.migrated(`${name}-data`),
        DEMO: 'false',
        NODE_OPTIONS: `--import=${hook}`,
        LOADED_MODULES,
        ...env,
      });
      if ('ADMIN_PORT' in env) await adminUrlOf(program);
      await stop(program);
      const modules = await readFile(LOADED_MODULES, 'utf8');
      return ['prom-client/', '@opentelemetry/', 'express/'].filter((one) =>
        modules.includes(`node_modules/${one}`),
      );
    };
    expect(await loaded('without', {})).toEqual(['express/']);
    const env = { ADMIN_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    expect(await loaded('with', env)).toEqual(['prom-client/', '@opentelemetry/', 'express/']);
  });
});
