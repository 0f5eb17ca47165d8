import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startWorkers } from '../cluster/use-workers.js';
import { newSlug } from '../public-page/cache/use-visits.js';
import { adminUrlOf } from '../support/metrics.js';
import { Program, startProgram, stop, useDirectory } from '../support/process.js';
import { DatabaseProxy } from '../support/proxy.js';
import { until, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);
const directory = useDirectory();
afterEach(() => Program.killAll());

const setStatus = (domain: string, status: string) =>
  server.sql('UPDATE status_page_domains SET status = $2 WHERE domain = $1', [domain, status]);

/** Creates a page with a verified domain. Returns the domain. */
async function verified(): Promise<string> {
  const custom_domain = `${newSlug()}.example`;
  await server.page(tenant, { custom_domain });
  await setStatus(custom_domain, 'verified');
  return custom_domain;
}

const ask = async (url: string, domain: string): Promise<number> =>
  (await fetch(`${url}/tls/ask?domain=${domain}`)).status;

/** The variables of a server with an admin port, and a proxy that can disconnect it from its database. */
async function prepare() {
  const proxy = await DatabaseProxy.start(server.databaseEnv['DATABASE_URL'] ?? '');
  return { proxy, env: { DATABASE_URL: proxy.url, DATA_DIR: directory.path, ADMIN_PORT: '0' } };
}

/** Waits until the domains are saved in `DATA_DIR`. */
const isSaved = () =>
  until(async () => (await readdir(directory.path)).some((name) => /^domains-.*\.jsonl$/.test(name)));

describe('GET /tls/ask of a server', { tags: ['postgres'] }, () => {
  it('returns 200 for a verified domain within two seconds, and until it is lost', async () => {
    const before = await verified();
    const { proxy, env } = await prepare();
    const program = await startProgram(env);
    const url = await adminUrlOf(program);
    expect(await ask(url, before)).toBe(200); // immediately
    const custom_domain = `${newSlug()}.example`;
    await server.page(tenant, { custom_domain });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await ask(url, custom_domain)).toBe(404);
    await setStatus(custom_domain, 'verified');
    await expect.poll(() => ask(url, custom_domain), { timeout: 2_000 }).toBe(200);
    await setStatus(custom_domain, 'lost');
    await expect.poll(() => ask(url, custom_domain), { timeout: 2_000 }).toBe(404);
    await stop(program);
    await proxy.stop();
  });

  it('returns the same while the database is unavailable, also after a restart', async () => {
    const domain = await verified();
    const { proxy, env } = await prepare();
    const first = await startProgram(env);
    await isSaved();
    proxy.cut();
    const url = await adminUrlOf(first);
    await until(async () => (await fetch(`${url}/health/ready`)).status === 503);
    expect([await ask(url, domain), await ask(url, 'other.example')]).toEqual([200, 404]);
    await stop(first);
    const second = await startProgram(env);
    const standby = await adminUrlOf(second);
    expect([await ask(standby, domain), await ask(standby, 'other.example')]).toEqual([200, 404]);
    const printed = second.stdout.length;
    proxy.mend();
    const later = await until(async () => /"admin_url":"([^"]+)"/.exec(second.stdout.slice(printed))?.[1]);
    expect(await ask(later, domain)).toBe(200);
    await stop(second);
    await proxy.stop();
  });

  it('returns the same from the primary of a cluster, and follows changes', async () => {
    const domain = await verified();
    const { proxy, env } = await prepare();
    const { program } = await startWorkers(server, env);
    const url = await adminUrlOf(program);
    expect([await ask(url, domain), await ask(url, 'other.example')]).toEqual([200, 404]);
    const added = await verified();
    await expect.poll(() => ask(url, added), { timeout: 2_000 }).toBe(200);
    await setStatus(domain, 'lost');
    await expect.poll(() => ask(url, domain), { timeout: 2_000 }).toBe(404);
    await new Promise((resolve) => setTimeout(resolve, 6_000)); // the file is written
    proxy.cut();
    await stop(program);
    const { program: second } = await startWorkers(server, env);
    const standby = await adminUrlOf(second);
    expect([await ask(standby, added), await ask(standby, domain)]).toEqual([200, 404]);
    await stop(second);
    await proxy.stop();
  });
});
