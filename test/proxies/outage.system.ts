import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Program, startProgram } from '../support/process.js';
import { DatabaseProxy } from '../support/proxy.js';
import { FrontProxy, PROXIES } from '../support/proxies/front-proxy.js';
import { until, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

for (const kind of PROXIES)
  describe(`outage of the database behind ${kind.name}`, { tags: ['postgres', kind.name] }, () => {
    let database: DatabaseProxy;
    let program: Program & { url: string };
    let proxy: FrontProxy;

    beforeAll(async () => {
      database = await DatabaseProxy.start(server.databaseEnv['DATABASE_URL'] ?? '');
      program = await startProgram({ ...server.databaseEnv, DATABASE_URL: database.url, TRUST_PROXY: '1' });
      proxy = await FrontProxy.start(kind, [Number(new URL(program.url).port)]);
    });
    afterAll(async () => {
      await proxy.stop();
      program.kill('SIGKILL');
      await program.exit();
      await database.stop();
    });

    it('serves visitors their pages and returns 503 with Retry-After to API requests', async () => {
      const { key } = tenant;
      const { slug } = await server.page(tenant);
      await until(async () => (await proxy.ask(`/status/${slug}`)).status === 200);
      await until(async () => (await proxy.ask('/v1/me', { key })).status === 200);
      database.cut();
      const answer = await until(async () => {
        const one = await proxy.ask(`/v1/status-pages?project_id=${tenant.project_id}`, { key });
        return one.status !== 200 && one;
      });
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
      expect(answer.headers['content-type']).toContain('application/problem+json');
      await until(async () => (await fetch(`${program.url}/health/ready`)).status === 503);
      const typeOfAnswer = async () => (await proxy.ask('/v1/me', { key })).headers['content-type'];
      // nginx keeps all processes. Caddy, which checks their readiness, removes all of them.
      if (kind.name === 'caddy')
        await until(async () => (await typeOfAnswer()) === 'application/problem+json');
      else
        for (let request = 0; request < 5; request += 1)
          expect(await typeOfAnswer()).toBe('application/problem+json; charset=utf-8');
      for (let visit = 0; visit < 10; visit += 1)
        expect((await proxy.ask(`/status/${slug}?visit=${visit}`)).status).toBe(200);
    });
  });
