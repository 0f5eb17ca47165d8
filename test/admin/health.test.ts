import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { AdminServer } from '../../src/platform/admin/admin-server.js';

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

describe('admin server', () => {
  it('serves three paths for GET and HEAD', async () => {
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

  it('returns 503 for readiness if the service is not ready', async () => {
    const url = await open({
      ready: async () => false,
      metrics: () => Promise.reject(new Error('secret')),
    });
    expect(await statusOf(`${url}/health/ready`)).toBe(503);
    const metrics = await fetch(`${url}/metrics`);
    expect([metrics.status, await metrics.text()]).toEqual([503, '{"status":"unavailable"}']);
    expect(await statusOf(`${url}/health/live`)).toBe(200);
  });

  it('returns 200 while the event loop is blocked briefly, then 503', async () => {
    const url = await open({}, 500);
    const results = new Int32Array(new SharedArrayBuffer(12)); // 200s, 503s, end
    const visitor = new Worker(
      `const { parentPort, workerData: { url, results } } = require('node:worker_threads');
       const visit = async () => {
         const { status } = await fetch(url);
         Atomics.add(results, status === 200 ? 0 : 1, 1);
         if (status === 200) return setTimeout(visit, 20);
         Atomics.store(results, 2, 1);
         Atomics.notify(results, 2);
       };
       fetch(url).then(() => {
         parentPort.postMessage('ready'); // the first request loads modules
         visit();
       });`,
      { eval: true, workerData: { url: `${url}/health/live`, results } },
    );
    await once(visitor, 'message');
    Atomics.wait(results, 2, 0, 60_000); // blocks this thread
    expect([Number(results[0]) > 0, results[1]]).toEqual([true, 1]);
    await expect.poll(() => statusOf(`${url}/health/live`), { timeout: 10_000 }).toBe(200);
    await visitor.terminate();
  });
});
