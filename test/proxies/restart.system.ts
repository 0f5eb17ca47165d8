import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { type Program, startProgram, stop } from '../support/process.js';
import { FrontProxy, PROXIES } from '../support/proxies/front-proxy.js';
import { until, useTenant, useTestServer } from '../support/server.js';

const CLIENTS = 6;

/** Pause of a client after a request of each kind. Starts of processes need the processors. */
const PAUSE_MS = 50;

const JSON_TYPE = { 'Content-Type': 'application/json' };

const server = useTestServer();
const tenant = useTenant(server);

for (const kind of PROXIES)
  describe(`two processes behind ${kind.name}`, { tags: ['postgres', kind.name] }, () => {
    let ports: number[];
    let processes: Program[];
    let proxy: FrontProxy;

    const start = (port: number | undefined) =>
      startProgram({ ...server.databaseEnv, PORT: String(port), DRAIN_DELAY: '5', TRUST_PROXY: '1' });

    beforeAll(async () => {
      ports = [await freePort(), await freePort()];
      processes = await Promise.all(ports.map(start));
      proxy = await FrontProxy.start(kind, ports);
      await until(async () => (await proxy.ask('/v1/me', { key: tenant.key })).status === 200);
    });
    afterAll(async () => {
      await proxy.stop();
      await Promise.all(processes.map((one) => stop(one)));
    });

    it('complete every request while they restart one after the other', async () => {
      const page = await server.page(tenant);
      const list = `/v1/status-pages?project_id=${tenant.project_id}`;
      const statuses = new Map<string, number>();
      const done = new AbortController();
      const ask = async (name: string, ...request: Parameters<FrontProxy['ask']>) => {
        const outcome = await proxy.ask(...request).then(
          ({ status }) => `${name} ${status}`,
          (error: Error) => `${name} ${error.message}`,
        );
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      };
      const client = async () => {
        while (!done.signal.aborted) {
          const { key } = tenant;
          await ask('visit', `/status/${page.slug}?${randomUUID()}`);
          await ask('list', list, { key });
          await ask('update', `/v1/status-pages/${page.id}`, {
            method: 'PATCH',
            key,
            headers: JSON_TYPE,
            body: JSON.stringify({ name: randomUUID() }),
          });
          await ask('create', '/v1/projects', {
            method: 'POST',
            key,
            headers: { ...JSON_TYPE, 'Idempotency-Key': randomUUID() },
            body: '{"name":"New"}',
          });
          await delay(PAUSE_MS);
        }
      };
      const count = () => [...statuses.values()].reduce((sum, one) => sum + one, 0);
      const clients = Array.from({ length: CLIENTS }, client);
      for (const index of [0, 1]) {
        const before = count();
        await until(async () => count() > before + 20 * CLIENTS);
        const [stopping] = processes.splice(index, 1);
        if (stopping) await stop(stopping);
        const started = await start(ports[index]);
        processes.splice(index, 0, started);
        await until(async () => started.stdout.includes('"path":"/v1/')); // the proxy uses it again
      }
      done.abort();
      await Promise.all(clients);
      expect([...statuses.keys()].toSorted()).toEqual(['create 201', 'list 200', 'update 200', 'visit 200']);
    });

    it('cause 503 while both are down, and serve pages after they return', async () => {
      await Promise.all(processes.map((one) => stop(one)));
      const answer = await until(async () => {
        const one = await proxy.ask('/v1/me', { key: tenant.key });
        return one.status === 503 && one;
      });
      expect(answer.headers).toMatchObject({
        'content-type': 'application/problem+json',
        'retry-after': '1',
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
      });
      const problem: unknown = JSON.parse(answer.bytes.toString());
      expect(problem).toMatchObject({ type: '/problems/unavailable', status: 503, code: 'unavailable' });
      const create = await proxy.ask('/v1/projects', {
        method: 'POST',
        key: tenant.key,
        headers: JSON_TYPE,
        body: '{"name":"New"}',
      });
      expect([create.status, create.headers['content-type']]).toEqual([503, 'application/problem+json']);
      processes = await Promise.all(ports.map(start));
      await until(async () => (await proxy.ask('/v1/me', { key: tenant.key })).status === 200);
    });
  });

describe('proxy configurations', { tags: ['postgres'] }, () => {
  it('close idle connections to the service before the service does', () => {
    const { keepAliveTimeout } = server.app.getHttpServer();
    const times = [
      /\bkeepalive_timeout (\d+)s;/.exec(readFileSync('deploy/nginx/status-pages.conf', 'utf8')),
      /\bkeepalive (\d+)s\n/.exec(readFileSync('deploy/caddy/Caddyfile', 'utf8')),
    ].map((found) => Number(found?.[1]) * 1_000);
    for (const time of times) expect(keepAliveTimeout - time).toBeGreaterThanOrEqual(5_000);
  });
});
