import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { DatabaseProxy } from '../../support/proxy.js';
import { type Tenant, TestServer, until } from '../../support/server.js';
import { domainsOf } from '../../domains/use-domains.js';
import { visit } from '../cache/use-visits.js';
import { newDomain } from './use-domain.js';

/** Time after which the cached copies and lookups are out of date. */
const OUT_OF_DATE_MS = 3_000;

describe('a page on its domain while the database is down', { tags: ['postgres'] }, () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let server: TestServer;
  let tenant: Tenant;
  beforeAll(async () => {
    database = await createDatabase();
    proxy = await DatabaseProxy.start(database.env.DATABASE_URL);
    server = await TestServer.start({ DATABASE_URL: proxy.url });
    tenant = await server.tenant();
  });
  afterAll(async () => {
    await server.stop();
    await proxy.stop();
    await database.drop();
  });

  const on = (host: string, path: string) => visit(server.url + path, { host });

  it('remains available, and returns 503 for parts without a copy', async () => {
    const domain = newDomain();
    const { id } = await domainsOf(server).page(tenant, domain, { name: 'Before' });
    const shown = await on(domain, '/');
    expect(shown.status).toBe(200);
    proxy.cut();
    await until(async () => (await fetch(`${server.url}/health/ready`)).status === 503);
    const started = performance.now();
    while (performance.now() - started < OUT_OF_DATE_MS) {
      expect((await on(domain, '/')).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await on(domain, '/feed.rss')).status).toBe(503);
    expect((await on(newDomain(), '/')).status).toBe(404);
    proxy.mend();
    await until(async () => (await server.patch(tenant, id, { name: 'Afterwards' })).status === 200);
    await until(async () => (await on(domain, '/')).text.includes('Afterwards'));
    expect((await on(domain, '/feed.rss')).status).toBe(200);
  });
});
