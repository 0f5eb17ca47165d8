import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminUrlOf, readSamples } from '../support/metrics.js';
import { Program, startProgram, stop, useDirectory } from '../support/process.js';
import { DatabaseProxy } from '../support/proxy.js';
import { Redis } from '../support/redis.js';
import { until, useTestServer } from '../support/server.js';
import { newSlug } from '../public-page/cache/use-visits.js';

const server = useTestServer();

describe('metrics of Redis', { tags: ['redis'] }, () => {
  let redis: Redis;
  beforeAll(async () => {
    redis = await Redis.start(['--requirepass', 'sesame']);
  });
  afterAll(async () => {
    await Program.killAll();
    await redis.remove();
  });

  it('contain the connection state and the requests counted without Redis', async () => {
    const { key } = await server.tenant();
    const program = await startProgram({
      ...server.databaseEnv,
      ADMIN_PORT: '0',
      RATE_LIMIT: '100',
      REDIS_URL: redis.url.replace('//', '//:sesame@'),
      WEB_CONCURRENCY: '2',
    });
    const admin_url = await adminUrlOf(program);
    const connected = `status_pages_redis_connected{redis="127.0.0.1:${redis.port}"}`;
    const ask = async (times: number) => {
      const headers = { Authorization: `Bearer ${key}`, Connection: 'close' };
      for (let time = 0; time < times; time++)
        expect((await fetch(`${program.url}/v1/me`, { headers })).status).toBe(200);
    };
    await ask(4);
    const before = await readSamples(admin_url);
    expect([before[connected], before['status_pages_redis_fallbacks_total']]).toEqual([1, 0]);
    await redis.stop();
    await until(async () => (await readSamples(admin_url))[connected] === 0);
    await ask(4);
    const during = await readSamples(admin_url);
    expect([during[connected], during['status_pages_redis_fallbacks_total']]).toEqual([0, 4]);
    expect(await (await fetch(`${admin_url}/metrics`)).text()).not.toContain('sesame');
    await redis.start();
    await until(async () => (await readSamples(admin_url))[connected] === 1);
    await ask(4);
    expect((await readSamples(admin_url))['status_pages_redis_fallbacks_total']).toBe(4);
  });
});

describe('metrics of saved copies', () => {
  const directory = useDirectory();
  afterAll(() => Program.killAll());

  async function start(env: Record<string, string>): Promise<Program & { url: string }> {
    return startProgram({ ...server.databaseEnv, DATA_DIR: directory.path, ADMIN_PORT: '0', ...env });
  }

  /** Visits a public page. Returns a function that visits it again. */
  async function visitOn({ url }: { url: string }): Promise<() => Promise<number>> {
    const { slug } = await server.page(await server.tenant(), { slug: newSlug(), is_public: true });
    const visit = async () => (await fetch(`${url}/status/${slug}`)).status;
    expect(await visit()).toBe(200);
    return visit;
  }

  it('contain the number of copies on disk, which workers share', async () => {
    const kept = 'status_pages_page_cache_kept_copies';
    const program = await start({});
    await visitOn(program);
    const admin_url = await adminUrlOf(program);
    await until(async () => (await readSamples(admin_url))[kept] === 1);
    await stop(program);
    // Each worker finds the copy on startup.
    const workers = await adminUrlOf(await start({ WEB_CONCURRENCY: '2' }));
    expect((await readSamples(workers))[kept]).toBe(1);
  });

  it('contain visits of stale copies while the database is down', { tags: ['postgres'] }, async () => {
    const proxy = await DatabaseProxy.start(server.databaseEnv['DATABASE_URL'] ?? '');
    try {
      const program = await start({ DATABASE_URL: proxy.url });
      const visit = await visitOn(program);
      const admin_url = await adminUrlOf(program);
      expect((await readSamples(admin_url))['status_pages_page_cache_outage']).toBe(0);
      proxy.cut();
      await until(async () => (await readSamples(admin_url))['status_pages_page_cache_outage'] === 1);
      expect(await visit()).toBe(200);
      proxy.mend();
      await until(async () => (await readSamples(admin_url))['status_pages_page_cache_outage'] === 0);
    } finally {
      await Program.killAll();
      await proxy.stop();
    }
  });
});
