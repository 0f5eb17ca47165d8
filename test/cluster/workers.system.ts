import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEnv } from '../../src/platform/config/env.js';
import { answerOn } from '../support/http-agent.js';
import { Program } from '../support/process.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { askAll, openConnections, startWorkers, type Workers, workersIn } from './use-workers.js';

const server = useTestServer();
const tenant = useTenant(server);

const LIMIT = 20;
const LARGE_LIMIT = 200;

const HOME_PAGE = 'home-of-workers';

/** The maximum time for which another process can accept a revoked key (docs/api/keys-and-imports.md). */
const REVOCATION_MS = 2_000;

const WARNING = /"level":[456]0/;

function countOf(statuses: (number | undefined)[], status: number): number {
  return statuses.filter((one) => one === status).length;
}

describe('WEB_CONCURRENCY=2', () => {
  let workers: Workers;
  beforeAll(async () => {
    const limits = { RATE_LIMIT: String(LIMIT), AUTH_RATE_LIMIT: String(LIMIT) };
    workers = await startWorkers(server, { ...limits, HOME_PAGE });
  });
  afterAll(() => Program.killAll());

  it('serves one port with two processes, and logs this once', async () => {
    const { program, url, pids } = workers;
    expect(program.stdout.match(/listens on/g)).toHaveLength(1);
    const connections = openConnections(4);
    expect(await askAll(connections, `${url}/health/ready`)).toEqual([200, 200, 200, 200]);
    await until(async () => workersIn(program, '/health/ready').length === 2);
    expect(workersIn(program, '/health/ready').toSorted()).toEqual(pids.toSorted());
    for (const agent of connections) agent.destroy();
  });

  it('serves the page of HOME_PAGE at / in every process', async () => {
    const { program, url } = workers;
    const { slug } = await server.page(tenant, { slug: HOME_PAGE });
    const connections = openConnections(4);
    await until(async () => (await askAll(connections, `${url}/`)).every((status) => status === 200));
    expect(await askAll(connections, `${url}/status/${slug}`)).toEqual([308, 308, 308, 308]);
    await until(async () => workersIn(program, '/').length === workers.pids.length);
    for (const agent of connections) agent.destroy();
  });

  it('counts the requests of a key over all workers', async () => {
    const { key } = await server.tenant();
    const connections = openConnections(2 * LIMIT);
    const statuses = await askAll(connections, `${workers.url}/v1/me`, key);
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([LIMIT, LIMIT]);
    const { headers } = await fetch(`${workers.url}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
    expect(headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    for (const agent of connections) agent.destroy();
  });

  it('counts the failed authentications of an address over all workers', async () => {
    const connections = openConnections(2 * LIMIT);
    const statuses = await askAll(connections, `${workers.url}/v1/me`);
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([LIMIT, LIMIT]);
    for (const agent of connections) agent.destroy();
  });
});

describe('workers of a server', () => {
  let workers: Workers;
  beforeAll(async () => {
    workers = await startWorkers(server, { RATE_LIMIT: String(LARGE_LIMIT) });
  });
  afterAll(() => Program.killAll());

  it('exceed a large limit together by at most 2 %', async () => {
    const { key } = await server.tenant();
    const connections = openConnections(16);
    let allowed = 0;
    for (let sent = 0; sent < LARGE_LIMIT + 30; sent += connections.length)
      allowed += countOf(await askAll(connections, `${workers.url}/v1/me`, key), 200);
    expect(allowed).toBeGreaterThanOrEqual(LARGE_LIMIT);
    expect(allowed).toBeLessThanOrEqual(1.02 * LARGE_LIMIT);
    for (const agent of connections) agent.destroy();
  });

  it('reject a key revoked by one of them, usually immediately', async () => {
    const { organization_id, key: admin } = await server.tenant();
    const connections = openConnections(8);
    let refusedAtOnce = 0;
    for (let round = 0; round < 5; round++) {
      const { key, id } = await server.key(organization_id);
      const url = `${workers.url}/v1/me`;
      expect(new Set(await askAll(connections, url, key))).toEqual(new Set([200]));
      const revoked = await fetch(`${workers.url}/v1/api-keys/${id}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${admin}` },
      });
      expect(revoked.status).toBe(204);
      const revokedAt = performance.now();
      let asked = revokedAt;
      for (let tries = 1; ; tries++) {
        asked = performance.now();
        if (countOf(await askAll(connections, url, key), 200) > 0) {
          expect(asked - revokedAt).toBeLessThan(REVOCATION_MS);
          continue;
        }
        if (tries === 1) refusedAtOnce += 1;
        break;
      }
    }
    expect(refusedAtOnce).toBeGreaterThan(0);
    for (const agent of connections) agent.destroy();
  });

  it('stop together under load without a failed request or a warning', async () => {
    const { program, url, pids } = workers;
    const page = await server.page(tenant, { is_public: true });
    const paths = [`/v1/status-pages/${page.id}`, `/status/${page.slug}`, '/health/live'];
    const outcomes = new Set<string>();
    let answered = 0;
    const client = async (agent: (typeof connections)[number]) => {
      for (let turn = 0, isRefused = false; !isRefused; turn++) {
        const outcome = await answerOn(agent, url + paths[turn % paths.length], tenant.key).then(
          ({ status }) => String(status),
          (error: NodeJS.ErrnoException) => String(error.code),
        );
        outcomes.add(outcome);
        // When the port closes, the kernel resets connections that are not accepted yet. DRAIN_DELAY is for these.
        isRefused = outcome === 'ECONNREFUSED' || outcome === 'ECONNRESET';
        answered += 1;
      }
    };
    const connections = openConnections(8);
    const running = connections.map(client);
    await until(async () => answered > 100);
    program.kill('SIGTERM');
    await Promise.all(running);
    expect([await program.exit(), program.stderr]).toEqual([0, '']);
    const expected = new Set(['200', 'ECONNREFUSED', 'ECONNRESET']);
    expect([...outcomes].filter((outcome) => !expected.has(outcome))).toEqual([]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    for (const line of program.stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
    expect(program.stdout).not.toMatch(WARNING);
    for (const agent of connections) agent.destroy();
  });
});

describe('startup of several workers', () => {
  it('fails with an error message and exit code 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = String(typeof address === 'object' && address ? address.port : 0);
    const away = 'postgres://somebody:sesame@127.0.0.1:1/nowhere';
    const starts = [
      {
        env: { DATABASE_URL: away },
        reason: /PostgreSQL at 127\.0\.0\.1:1, database "nowhere": connection refused/,
      },
      { env: { ...server.databaseEnv, PORT: port }, reason: /EADDRINUSE.*\. Set another HOST or PORT/ },
    ];
    for (const { env, reason } of starts) {
      const program = Program.run('main.js', [], { PORT: '0', WEB_CONCURRENCY: '2', ...env });
      expect(await program.exit()).toBe(1);
      expect(program.stderr).toMatch(new RegExp(`^Status Pages could not start: .*${reason.source}\\n$`));
    }
    taken.close();
  });

  it('requires PostgreSQL instead of the embedded database', () => {
    expect(() => loadEnv({ EMBEDDED: 'true', WEB_CONCURRENCY: '2' })).toThrow(
      'WEB_CONCURRENCY must be 1 with the embedded PostgreSQL, which supports only one process',
    );
  });
});
