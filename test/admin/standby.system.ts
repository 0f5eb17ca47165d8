import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startWorkers } from '../cluster/use-workers.js';
import { useVisits, visit } from '../public-page/cache/use-visits.js';
import { startProgram, stop, useDirectory } from '../support/process.js';
import { DatabaseProxy } from '../support/proxy.js';
import { until } from '../support/server.js';
import { adminUrlOf } from '../support/metrics.js';

const { server, page } = useVisits();
const directory = useDirectory();

/** The variables of a server with an admin port, and a proxy that can disconnect it from its database. */
async function prepare() {
  const proxy = await DatabaseProxy.start(server.databaseEnv['DATABASE_URL'] ?? '');
  return { proxy, env: { DATABASE_URL: proxy.url, DATA_DIR: directory.path, ADMIN_PORT: '0' } };
}

const savedFiles = () => readdir(join(directory.path, 'pages')).catch(() => []);

/** Visits a status page until its copy is saved on disk. */
async function keepCopy(url: string): Promise<void> {
  const { slug } = await page();
  expect((await visit(`${url}/status/${slug}`)).status).toBe(200);
  // A file has another name until it is complete.
  await until(async () => (await savedFiles()).some((name) => name.endsWith('.page')));
}

const statusesOf = async (url: string): Promise<number[]> => [
  (await visit(`${url}/health/live`)).status,
  (await visit(`${url}/health/ready`)).status,
  (await visit(`${url}/metrics`)).status,
];

describe('admin server without the database', { tags: ['postgres'] }, () => {
  it('returns live, not ready and the metrics of Node.js on startup', async () => {
    const { proxy, env } = await prepare();
    const first = await startProgram(env);
    await keepCopy(first.url);
    await stop(first);
    proxy.cut();
    const second = await startProgram(env);
    const admin = await adminUrlOf(second);
    expect(await statusesOf(admin)).toEqual([200, 503, 200]);
    expect((await visit(`${admin}/metrics`)).text).toContain('process_resident_memory_bytes');
    const before = second.stdout.length;
    proxy.mend();
    await second.prints(/the database is available; serving all requests/);
    await until(async () => second.stdout.slice(before).includes('"admin_url"'));
    const [, later = ''] = /"admin_url":"([^"]+)"/.exec(second.stdout.slice(before)) ?? [];
    await until(async () => (await statusesOf(later)).every((status) => status === 200));
    expect((await visit(`${later}/metrics`)).text).toContain('status_pages_');
    await expect(visit(`${admin}/health/live`)).rejects.toThrow('ECONNREFUSED');
    await stop(second);
    await proxy.stop();
  });

  it('returns the metrics of all workers if one serves only saved copies', async () => {
    const { proxy, env } = await prepare();
    const { program, url, pids } = await startWorkers(server, env);
    const admin = await adminUrlOf(program);
    await keepCopy(url);
    proxy.cut();
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await program.prints(/serves only saved copies because the database is unavailable/);
    const metrics = await visit(`${admin}/metrics`);
    expect([metrics.status, metrics.text.includes('status_pages_')]).toEqual([200, true]);
    proxy.mend();
    await program.prints(/replacement worker is ready/);
    expect(await statusesOf(admin)).toEqual([200, 200, 200]);
    await stop(program);
    await proxy.stop();
  });
});
