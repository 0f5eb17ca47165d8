import { mkdtempSync, rmSync } from 'node:fs';
import { type Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { MAX_PER_ADDRESS } from '../../src/visitors/email/email-entry.js';
import { MAX_OF_NETWORK } from '../../src/visitors/password/password-entry.js';
import { openConnections, startWorkers, workersIn } from '../cluster/use-workers.js';
import { onceAnswered, textOf } from '../support/http-agent.js';
import { Program, startProgram } from '../support/process.js';
import { Redis } from '../support/redis.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useAccess } from './use-access.js';
import { PASSWORD } from './use-gate.js';

const server = useTestServer();
const tenant = useTenant(server);
const access = useAccess(server, tenant);
const mails = mkdtempSync(join(tmpdir(), 'mails-'));
const SETTINGS = { MAIL_DIR: mails, TRUST_PROXY: '1', DELIVERY: 'off', LOG_LEVEL: 'info' };

const EMAIL = 'jane@acme.example';
const QUARTER_HOUR_SECONDS = 900;

afterEach(() => Program.killAll());
afterAll(() => rmSync(mails, { recursive: true, force: true }));

/** A place to which forms are sent: a connection to a worker, or a process. */
type Place = { url: string; agent?: Agent };

/** Sends a form from a client network. */
async function send(
  { url, agent }: Place,
  path: string,
  fields: Record<string, string>,
  address: string,
): Promise<{ status: number; retryAfter: number }> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': address };
  const sent = request(url + path, { agent, method: 'POST', headers });
  sent.end(new URLSearchParams(fields).toString());
  const [response] = await onceAnswered(sent);
  await textOf(response);
  return { status: response.statusCode ?? 0, retryAfter: Number(response.headers['retry-after'] ?? 0) };
}

/** Checks that the places count wrong passwords and forms for links by mail together, each for a quarter of an hour. */
async function expectTogether(places: Place[], paths: { password: string; email: string }): Promise<void> {
  const at = (index: number): Place => places[index % places.length] ?? { url: '' };
  const address = '192.0.2.1';
  for (let count = 0; count < MAX_OF_NETWORK; count++)
    expect((await send(at(count), paths.password, { password: 'wrong' }, address)).status).toBe(403);
  for (let count = 0; count < places.length; count++) {
    const { status, retryAfter } = await send(at(count), paths.password, { password: PASSWORD }, address);
    expect([status, retryAfter]).toEqual([429, expect.toSatisfy(isInQuarterHour)]);
  }
  for (let count = 0; count < MAX_PER_ADDRESS; count++)
    expect((await send(at(count), paths.email, { email: EMAIL }, `198.51.100.${count}`)).status).toBe(200);
  for (let count = 0; count < places.length; count++) {
    const { status, retryAfter } = await send(at(count), paths.email, { email: EMAIL }, `203.0.113.${count}`);
    expect([status, retryAfter]).toEqual([429, expect.toSatisfy(isInQuarterHour)]);
  }
}

/** Returns whether a window has begun within the last minutes. Shorter windows would be the ones of other limits. */
const isInQuarterHour = (seconds: number) =>
  seconds > QUARTER_HOUR_SECONDS - 300 && seconds <= QUARTER_HOUR_SECONDS;

async function gatedPaths(): Promise<{ password: string; email: string }> {
  const { id, slug } = await server.page(tenant, { is_public: false });
  expect((await access.put(id, { password: PASSWORD, emails: [EMAIL] })).status).toBe(200);
  return { password: `/status/${slug}/access/password`, email: `/status/${slug}/access/email` };
}

describe('two workers', () => {
  it('count wrong passwords and forms for links by mail together', async () => {
    const paths = await gatedPaths();
    const { program, url } = await startWorkers(server, SETTINGS);
    const connections = openConnections(4);
    await expectTogether(
      connections.map((agent) => ({ url, agent })),
      paths,
    );
    for (const agent of connections) agent.destroy();
    for (const path of Object.values(paths)) expect(workersIn(program, path)).toHaveLength(2);
  });
});

describe('two processes with one REDIS_URL', { tags: ['redis'] }, () => {
  it('count wrong passwords and forms for links by mail together', async () => {
    const paths = await gatedPaths();
    const redis = await Redis.start();
    try {
      const start = () => startProgram({ ...server.databaseEnv, ...SETTINGS, REDIS_URL: redis.url });
      await expectTogether(await Promise.all([start(), start()]), paths);
    } finally {
      await redis.remove();
    }
  });
});
