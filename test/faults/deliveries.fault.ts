import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { Program, stop, useDirectory } from '../support/process.js';
import { until } from '../support/server.js';
import { Audience } from './support/audience.js';
import { useCluster } from './support/cluster.js';
import { type MailServer, useMailServers } from './support/mail-server.js';
import { Service } from './support/service.js';

const cluster = useCluster();
const directory = useDirectory();
const mailServers = useMailServers();
afterEach(() => Program.killAll());

/** Number of connections of a process to the mail server. */
const CONNECTIONS = 10;

/** Maximum number of messages of a process that are in flight, or accepted but not recorded yet. */
const MAX_OPEN = 4 * CONNECTIONS;

/** Kills of a sending process. Each has mail in flight, so one is enough for most defects. */
const KILLS = 8;

/** Takes a minute and a half on an idle machine, because of a lease at the end. */
const TIMEOUT_MS = 600_000;

const EVENTS = ['Outage 1', 'Outage 2', 'Outage 3', 'Outage 4'];

/** A service that sends nothing, its audience, and the environment of a service that sends. */
async function prepare(subscribers: number): Promise<{
  mail: MailServer;
  env: NodeJS.ProcessEnv;
  quiet: Service;
  audience: Audience;
}> {
  const mail = await mailServers.start();
  const env = { ...(await cluster.current.database()), ...mail.env };
  const quiet = await Service.start({ ...env, DELIVERY: 'off' }, cluster.current.seed);
  const audience = await Audience.create(
    quiet,
    (statement) => cluster.current.sql(statement, env.DATABASE_URL),
    { reader: subscribers },
  );
  return { mail, env, quiet, audience };
}

/** Starts a process that only sends, like `npm run start:worker`. */
async function startWorker(env: NodeJS.ProcessEnv): Promise<Program> {
  const worker = Program.run('main.js', ['--worker'], env);
  await worker.prints(/"msg":"Status Pages delivers events"/);
  return worker;
}

/** Starts a server that also sends. */
const startServer = (env: NodeJS.ProcessEnv, flags?: string[]): Promise<Service> =>
  Service.start(env, cluster.current.seed, flags);

describe('kill -9 of a sending process, eight times during 4,000 mails,', () => {
  it('loses no mail, and repeats only mail in flight', { timeout: TIMEOUT_MS }, async () => {
    const { mail, env, quiet, audience } = await prepare(1_000);
    await audience.happen(...EVENTS);
    const inFlight = new Set<string>();
    let worker = await startWorker(env);
    for (let kills = 1; kills <= KILLS; kills++) {
      await mail.accepts(kills * 450);
      worker.kill('SIGKILL');
      await worker.exit();
      await mail.isLeft();
      for (const message of await audience.unrecorded(await mail.receipts())) inFlight.add(message);
      worker = await startWorker(env);
    }
    expect(inFlight.size).toBeGreaterThan(0);
    await audience.isFinished();
    const repeated = audience.expectDelivered(await mail.receipts());
    expect([...repeated].filter((message) => !inFlight.has(message))).toEqual([]);
    expect(repeated.size).toBeLessThanOrEqual(KILLS * MAX_OPEN);
    await stop(worker);
    await quiet.stop();
  });
});

describe('deliveries', () => {
  it('repeat nothing while two processes send', async () => {
    const { mail, env, quiet, audience } = await prepare(750);
    const [server, worker] = await Promise.all([startServer(env), startWorker(env)]);
    await audience.happen(...EVENTS);
    await audience.isFinished();
    expect(audience.expectDelivered(await mail.receipts())).toEqual(new Set());
    expect((await mail.state()).most_connections).toBeGreaterThan(CONNECTIONS);
    await Promise.all([quiet.stop(), server.stop(), stop(worker)]);
  });

  it('repeat nothing after an outage of PostgreSQL', async () => {
    const { mail, env, quiet, audience } = await prepare(750);
    const [server, worker] = await Promise.all([startServer(env), startWorker(env)]);
    await audience.happen(...EVENTS);
    await quiet.stop();
    for (const accepted of [300, 1_200]) {
      await mail.accepts(accepted);
      await cluster.current.stopAtOnce();
      await delay(2_000);
      await cluster.current.start();
    }
    await audience.isFinished();
    expect(audience.expectDelivered(await mail.receipts())).toEqual(new Set());
    await Promise.all([server.stop(), stop(worker)]);
  });

  it('keep their time and repeat nothing while the clock jumps an hour back and forth', async () => {
    const CLOCK_FILE = join(directory.path, 'clock');
    const { mail, env, quiet, audience } = await prepare(200);
    await quiet.stop();
    const flags = ['--import', join(process.cwd(), 'test/faults/support/shifted-clock.mjs')];
    const server = await startServer({ ...env, CLOCK_FILE }, flags);
    for (const [index, seconds] of ['3600', '0', '-3600', '3600', '-3600', '0'].entries()) {
      await writeFile(CLOCK_FILE, seconds);
      server.signal('SIGUSR2');
      await until(async () => (await readFile(`${CLOCK_FILE}.set`, 'utf8').catch(() => '')) === seconds);
      await audience.with(server).happen(`Jump ${index}`);
      await mail.accepts(200 * index + 100); // the next jump is in the middle of it
    }
    await audience.isFinished();
    expect(audience.expectDelivered(await mail.receipts())).toEqual(new Set());
    await server.stop();
  });
});
