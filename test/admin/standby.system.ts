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

/** The variables of a server with a port for operators, and a proxy that can cut it off its database. */
async function prepare() {
  const proxy = await DatabaseProxy.start(server.databaseEnv['DATABASE_URL'] ?? '');
  return { proxy, env: { DATABASE_URL: proxy.url, DATA_DIR: directory.path, ADMIN_PORT: '0' } };
}

/** Visits a page until its copy is on the disk. */
async function keepCopy(url: string): Promise<void> {
  const { slug } = await page();
  expect((await visit(`${url}/status/${slug}`)).status).toBe(200);
  await until(async () => (await readdir(join(directory.path, 'pages')).catch(() => [])).length > 0);
}

const statusesOf = async (url: string): Promise<number[]> => [
  (await visit(`${url}/health/live`)).status,
  (await visit(`${url}/health/ready`)).status,
  (await visit(`${url}/metrics`)).status,
];

describe('the port for operators without the database', { tags: ['postgres'] }, () => {
  it('is open from the start: live, not ready, with the metrics of Node.js, and ready later', async () => {
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
    await second.prints(/takes over from the kept copies/);
    await until(async () => second.stdout.slice(before).includes('"admin_url"'));
    const [, later = ''] = /"admin_url":"([^"]+)"/.exec(second.stdout.slice(before)) ?? [];
    await until(async () => (await statusesOf(later)).every((status) => status === 200));
    expect((await visit(`${later}/metrics`)).text).toContain('status_pages_');
    await expect(visit(`${admin}/health/live`)).rejects.toThrow('ECONNREFUSED');
    await stop(second);
    await proxy.stop();
  });

  it('has the metrics of all workers while one of them serves kept copies only', async () => {
    const { proxy, env } = await prepare();
    const { program, url, pids } = await startWorkers(server, env);
    const admin = await adminUrlOf(program);
    await keepCopy(url);
    proxy.cut();
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await program.prints(/serves kept copies only: the database is unavailable/);
    const metrics = await visit(`${admin}/metrics`);
    expect([metrics.status, metrics.text.includes('status_pages_')]).toEqual([200, true]);
    proxy.mend();
    await program.prints(/a new worker serves/);
    expect(await statusesOf(admin)).toEqual([200, 200, 200]);
    await stop(program);
    await proxy.stop();
  });
});
