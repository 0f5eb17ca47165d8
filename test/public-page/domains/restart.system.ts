import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Program, startProgram, stop, useDirectory } from '../../support/process.js';
import { DatabaseProxy } from '../../support/proxy.js';
import { until, useTenant, useTestServer } from '../../support/server.js';
import { visit } from '../cache/use-visits.js';
import { newDomain } from './use-domain.js';

const server = useTestServer();
const tenant = useTenant(server);
const directory = useDirectory();
afterEach(() => Program.killAll());

describe('a page on its domain, after a restart without the database', { tags: ['postgres'] }, () => {
  it('serves its saved copies, and follows what has changed in the meantime', async () => {
    const [domain, lost] = [newDomain(), newDomain()];
    for (const custom_domain of [domain, lost]) await server.page(tenant, { custom_domain });
    await server.sql(`UPDATE status_page_domains SET status = 'verified' WHERE domain = ANY($1)`, [
      [domain, lost],
    ]);
    const proxy = await DatabaseProxy.start(server.databaseEnv['DATABASE_URL'] ?? '');
    const env = { DATABASE_URL: proxy.url, DATA_DIR: directory.path };
    const first = await startProgram(env);
    for (const host of [domain, lost])
      for (const path of ['/', '/feed.rss'])
        expect((await visit(first.url + path, { host })).status).toBe(200);
    await until(async () => (await readdir(directory.path)).some((name) => name.endsWith('.jsonl')));
    await until(async () => (await readdir(join(directory.path, 'pages'))).length >= 4);
    proxy.cut();
    await stop(first);
    const second = await startProgram(env);
    for (const host of [domain, lost]) {
      const { status, text } = await visit(`${second.url}/`, { host });
      expect([status, text.includes(`href="http://${host}/"`)]).toEqual([200, true]);
      expect((await visit(`${second.url}/feed.rss`, { host })).status).toBe(200);
      expect((await visit(`${second.url}/history`, { host })).status).toBe(503);
    }
    await server.sql(`UPDATE status_page_domains SET status = 'lost' WHERE domain = $1`, [lost]);
    proxy.mend();
    // The server of the saved copies closes its connections when the service starts.
    const statusOf = (host: string) => visit(`${second.url}/`, { host }).catch(() => ({ status: 0 }));
    await until(async () => (await statusOf(lost)).status === 404);
    expect((await visit(`${second.url}/history`, { host: domain })).status).toBe(200);
    await until(async () => (await readdir(join(directory.path, 'pages'))).length <= 3);
    await stop(second);
    await proxy.stop();
  });
});
