import { afterEach, describe, expect, it } from 'vitest';
import { Program, stop } from '../support/process.js';
import { until } from '../support/server.js';
import { useCluster } from './support/cluster.js';
import { Endpoints } from './support/endpoints.js';
import { Service } from './support/service.js';
import { type EndpointFault, useWebhookServers, type WebhookServer } from './support/webhook-server.js';

const cluster = useCluster();
const webhookServers = useWebhookServers();
afterEach(() => Program.killAll());

const KILLS = 4;
const EVENTS = 100;

/** Time in which endpoints without a fault get their events, while others hang for 15 seconds. */
const FAST_MS = 10_000;

/** A service that sends nothing, its endpoints, and the environment of a service that sends. */
async function prepare(
  urlsOf: (server: WebhookServer) => Record<string, string>,
): Promise<{ server: WebhookServer; env: NodeJS.ProcessEnv; quiet: Service; endpoints: Endpoints }> {
  const server = await webhookServers.start();
  const env = { ...(await cluster.current.database()), ...server.env };
  const quiet = await Service.start({ ...env, DELIVERY: 'off' }, cluster.current.seed);
  const sql: Parameters<typeof Endpoints.create>[1] = (statement) =>
    cluster.current.sql(statement, env.DATABASE_URL);
  return { server, env, quiet, endpoints: await Endpoints.create(quiet, sql, urlsOf(server)) };
}

/** `count` endpoints without a fault. */
function goodUrls(server: WebhookServer, count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, index) => `good-${index + 1}`);
  return Object.fromEntries(names.map((name) => [name, server.url(name)]));
}

/** Starts a process that only sends, like `npm run start:worker`. */
async function startWorker(env: NodeJS.ProcessEnv): Promise<Program> {
  const worker = Program.run('main.js', ['--worker'], env);
  await worker.prints(/"msg":"Status Pages delivers events"/);
  return worker;
}

describe('webhooks', () => {
  it('survive kill -9 of a process, and repeat only those in flight, with the same webhook-id', async () => {
    const { server, env, quiet, endpoints } = await prepare((one) => goodUrls(one, 20));
    await endpoints.happen(EVENTS);
    const inFlight = new Set<string>();
    let worker = await startWorker(env);
    for (let kills = 1; kills <= KILLS; kills++) {
      await server.accepts(kills * 450);
      worker.kill('SIGKILL');
      await worker.exit();
      await server.isLeft();
      for (const request of await endpoints.unrecorded(await server.receipts())) inFlight.add(request);
      await endpoints.endLeases();
      worker = await startWorker(env);
    }
    expect(inFlight.size).toBeGreaterThan(0);
    await endpoints.isFinished();
    const repeated = await endpoints.expectDelivered(await server.receipts());
    expect([...repeated].filter((request) => !inFlight.has(request))).toEqual([]);
    await stop(worker);
    await quiet.stop();
  });

  it('reach each endpoint once from two processes while other endpoints fail', async () => {
    const accepting: EndpointFault[] = ['large', 'slow', 'old', 'early-body'];
    const failing = {
      hang: 'timeout',
      'slow-head': 'timeout',
      early: 'connection closed',
      '500': 'status 500',
      closed: 'connection refused',
      expired: 'certificate has expired',
    };
    const { server, env, quiet, endpoints } = await prepare((one) => ({
      ...goodUrls(one, 20),
      ...Object.fromEntries([...accepting, ...Object.keys(failing)].map((name) => [name, one.url(name)])),
      closed: one.closedUrl('closed'),
      expired: one.tlsUrl('expired'),
    }));
    const faults: EndpointFault[] = [...accepting, 'hang', 'slow-head', 'early', '500'];
    await server.obey(Object.fromEntries(faults.map((fault) => [fault, fault])));
    const [other, worker] = await Promise.all([Service.start(env, cluster.current.seed), startWorker(env)]);
    await endpoints.happen(5);
    const started = performance.now();
    await endpoints.isFinished(`url LIKE '%/good-%'`);
    expect(performance.now() - started).toBeLessThan(FAST_MS);
    const firstErrors = async () => {
      const tried = await endpoints.deliveries(`jsonb_array_length(attempt_log) > 0`);
      return Object.fromEntries(
        tried.flatMap(({ endpoint, errors: [first] }) => (first === null ? [] : [[endpoint, first]])),
      );
    };
    await until(async () => Object.keys(await firstErrors()).length === Object.keys(failing).length);
    expect(await firstErrors()).toEqual(failing);
    await server.repair();
    await until(async () => {
      await endpoints.hurry();
      return (await endpoints.deliveries(`deliveries.status = 'pending'`)).length === 0;
    });
    expect(await endpoints.expectDelivered(await server.receipts())).toEqual(new Set());
    await Promise.all([quiet.stop(), other.stop(), stop(worker)]);
  });
});
