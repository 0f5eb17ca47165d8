import { mkdtempSync, rmSync } from 'node:fs';
import { type Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openConnections, startWorkers, workersIn } from '../../cluster/use-workers.js';
import { Program, startProgram } from '../../support/process.js';
import { Redis } from '../../support/redis.js';
import { useTenant, useTestServer } from '../../support/server.js';
import { onceAnswered, textOf } from '../../support/http-agent.js';

const server = useTestServer();
const tenant = useTenant(server);
const mails = mkdtempSync(join(tmpdir(), 'mails-'));
const SETTINGS = { MAIL_DIR: mails, TRUST_PROXY: '1', DELIVERY: 'off', LOG_LEVEL: 'info' };

afterEach(() => Program.killAll());
afterAll(() => rmSync(mails, { recursive: true, force: true }));

const page = () => server.page(tenant, { subscribe_enabled: true });

/** Counts the statuses of 30 forms from one network, `send` each. */
async function statusesOf(send: (form: string) => Promise<number>): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  for (let count = 0; count < 30; count++) {
    const status = await send(
      new URLSearchParams({ email: `a${count}@example.com`, detail: 'all' }).toString(),
    );
    found[status] = (found[status] ?? 0) + 1;
  }
  return found;
}

const headersFrom = (address: string) => ({
  'Content-Type': 'application/x-www-form-urlencoded',
  'X-Forwarded-For': address,
});

/** Sends a form on a connection of the agent. */
async function sendOn(agent: Agent | undefined, url: string, body: string): Promise<number> {
  const sent = request(url, { agent, method: 'POST', headers: headersFrom('192.0.2.1') });
  sent.end(body);
  const [response] = await onceAnswered(sent);
  await textOf(response);
  return response.statusCode ?? 0;
}

describe('two workers', () => {
  it('accept 20 subscriptions of a client network together', async () => {
    const { slug } = await page();
    const { program, url } = await startWorkers(server, SETTINGS);
    const connections = openConnections(6);
    let next = 0;
    const path = `/status/${slug}/subscribe`;
    const statuses = await statusesOf((body) =>
      sendOn(connections[(next += 1) % connections.length], url + path, body),
    );
    for (const agent of connections) agent.destroy();
    expect(statuses).toEqual({ 200: 20, 429: 10 });
    expect(workersIn(program, path)).toHaveLength(2);
  });
});

describe('two processes with one REDIS_URL', { tags: ['redis'] }, () => {
  it('accept 20 subscriptions of a client network together', async () => {
    const { slug } = await page();
    const redis = await Redis.start();
    try {
      const start = () => startProgram({ ...server.databaseEnv, ...SETTINGS, REDIS_URL: redis.url });
      const programs = await Promise.all([start(), start()]);
      let next = 0;
      const statuses = await statusesOf(async (body) => {
        const program = programs[(next += 1) % 2];
        const init = { method: 'POST', body, headers: headersFrom('192.0.2.2') };
        return (await fetch(`${program?.url}/status/${slug}/subscribe`, init)).status;
      });
      expect(statuses).toEqual({ 200: 20, 429: 10 });
    } finally {
      await redis.remove();
    }
  });
});
