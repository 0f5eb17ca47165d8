import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { Program, stop } from '../support/process.js';
import { until } from '../support/server.js';
import { Audience, keyOf } from './support/audience.js';
import { useCluster } from './support/cluster.js';
import { type MailServer, type Rule, useMailServers } from './support/mail-server.js';
import { jump, SHIFTED_CLOCK, startWorker, useSendingPair } from './support/sending-pair.js';
import { Service } from './support/service.js';

const cluster = useCluster();

/** Number of connections of a process to the mail server. */
const CONNECTIONS = 10;

/** Maximum number of messages of a process that are in flight, or accepted but not recorded yet. */
const MAX_OPEN = 4 * CONNECTIONS;

/** Kills of a sending process. Each has mail in flight, so one is enough for most defects, and `.ci/run` does three. */
const KILLS = Number(process.env['KILLS'] ?? 8);

/** Mails between two kills. */
const MAILS = 450;

/** Takes a minute and a half on an idle machine, because of a lease at the end. */
const TIMEOUT_MS = 600_000;

/** Time after which a process gives back what it has claimed, but not begun. */
const MAX_QUEUED_MS = 5_000;

const EVENTS = ['Outage 1', 'Outage 2', 'Outage 3', 'Outage 4'];

/** Subscribers of whom each kill and the end get {@link MAILS}. */
const READERS = (MAILS * (KILLS + 1)) / EVENTS.length;

/** Starts a server with an audience. The variables of a service that sends are in `env`, those in `own` only for the server. */
async function prepare(
  mail: MailServer,
  subscribers: number,
  own: NodeJS.ProcessEnv,
  flags?: string[],
): Promise<{ env: NodeJS.ProcessEnv; server: Service; audience: Audience }> {
  const env = { ...(await cluster.current.database()), ...mail.env };
  const server = await Service.start({ ...env, ...own }, cluster.current.seed, flags);
  const sql: Parameters<typeof Audience.create>[1] = (statement) =>
    cluster.current.sql(statement, env.DATABASE_URL);
  return { env, server, audience: await Audience.create(server, sql, { reader: subscribers }) };
}

describe(`kill -9 of a sending process, ${KILLS} times,`, () => {
  const mailServers = useMailServers();
  afterEach(() => Program.killAll());

  it('loses no mail, and repeats only mail in flight', { timeout: TIMEOUT_MS }, async () => {
    const mail = await mailServers.start();
    const { env, server: quiet, audience } = await prepare(mail, READERS, { DELIVERY: 'off' });
    await audience.happen(...EVENTS);
    const inFlight = new Set<string>();
    let worker = await startWorker(env);
    for (let kills = 1; kills <= KILLS; kills++) {
      await mail.accepts(kills * MAILS);
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
  const mailServers = useMailServers();
  afterEach(() => Program.killAll());

  it('keep their time and repeat nothing while the clock jumps an hour back and forth', async () => {
    const mail = await mailServers.start();
    const CLOCK_FILE = join(mail.directory, 'clock');
    const { server, audience } = await prepare(mail, 200, { CLOCK_FILE }, [SHIFTED_CLOCK]);
    for (const [index, seconds] of [3_600, 0, -3_600, 3_600, -3_600, 0].entries()) {
      await jump(server, CLOCK_FILE, seconds);
      await audience.happen(`Jump ${index}`);
      await mail.accepts(200 * index + 100); // the next jump is in the middle of it
    }
    await audience.isFinished();
    expect(audience.expectDelivered(await mail.receipts())).toEqual(new Set());
    await server.stop();
  });
});

describe('a server and a worker', () => {
  const pair = useSendingPair(cluster);

  it('repeat nothing while both send', async () => {
    const { mail } = pair.current;
    const audience = await pair.current.audience('Both', { reader: 750 });
    await audience.happen(...EVENTS);
    await audience.isFinished();
    expect(audience.expectDelivered(await mail.receipts())).toEqual(new Set());
    expect((await mail.state()).most_connections).toBeGreaterThan(CONNECTIONS);
  });

  it('repeat nothing after an outage of PostgreSQL', async () => {
    const { mail } = pair.current;
    const audience = await pair.current.audience('Outage', { reader: 750 });
    const { length } = await mail.receipts();
    await audience.happen(...EVENTS);
    for (const accepted of [300, 1_200]) {
      await mail.accepts(length + accepted);
      await cluster.current.stopAtOnce();
      await delay(2_000);
      await cluster.current.start();
    }
    await audience.isFinished();
    expect(audience.expectDelivered(await mail.receipts())).toEqual(new Set());
  });

  it('repeat only mail in flight after one is suspended for longer than its leases, and keep newer results', async () => {
    const { mail, server, worker } = pair.current;
    const audience = await pair.current.audience('Suspended', { reader: 60 });
    worker.kill('SIGSTOP');
    await mail.obey({ at: 'data', late_ms: 3_000 });
    const { length } = await mail.receipts();
    await audience.happen('Before');
    await mail.accepts(length + CONNECTIONS);
    server.signal('SIGSTOP'); // has 10 mails in flight, and has claimed 30 others
    const suspendedAt = performance.now();
    const inFlight = audience.ofPage(await mail.receipts());

    const deferred = inFlight.slice(0, 5).map(({ to }) => to);
    await mail.obey(
      ...deferred.map((to): Rule => ({ at: 'rcpt', to, reply: [450, '4.2.0 try later'], times: 1 })),
    );
    await audience.endLeases();
    worker.kill('SIGCONT');
    const isDeferred = `deliveries.status = 'pending' AND error IS NOT NULL`;
    await until(async () => (await audience.deliveries(`deliveries.status = 'delivered'`)).length >= 55);
    await until(async () => (await audience.deliveries(isDeferred)).length === deferred.length);
    await until(async () => performance.now() - suspendedAt > MAX_QUEUED_MS);
    worker.kill('SIGSTOP');
    server.signal('SIGCONT');
    await audience.happen('After'); // the server sends it alone, so it has written the results of 'Before'
    await until(async () => (await audience.deliveries(`deliveries.status = 'delivered'`)).length >= 115);
    expect(await audience.deliveries(isDeferred)).toEqual(
      deferred.toSorted().map((to) => expect.objectContaining({ to, attempts: 2 })),
    );

    worker.kill('SIGCONT');
    await audience.isFinished({ isHurried: true });
    const receipts = await mail.receipts();
    expect(audience.expectDelivered(receipts)).toEqual(new Set(inFlight.map((mails) => keyOf(mails))));
    expect(audience.ofPage(receipts)).toHaveLength(120 + inFlight.length);
  });

  it('send nothing early, and take no lease early, while the clock of one is ahead', async () => {
    const { mail, worker } = pair.current;
    const audience = await pair.current.audience('Ahead', { reader: 60 });
    const windows = await pair.current.audience('Windows', { reader: 5 });
    worker.kill('SIGSTOP');
    await mail.obey(
      { at: 'rcpt', to: 'reader-60@', reply: [450, '4.2.0 try later'], times: 1 },
      { at: 'data', late_ms: 6_000, times: CONNECTIONS },
    );
    const { length } = await mail.receipts();
    await audience.happen('Leased');
    await mail.accepts(length + CONNECTIONS); // the server waits for their responses
    worker.kill('SIGCONT');

    await pair.current.setWorkerAhead(5);
    // On a busy machine, the announcement takes seconds.
    const startsAt = await windows.plan('Soon', 15_000);
    await windows.plan('Later', 1_800_000);
    await audience.happen('Five seconds');
    await mail.accepts(length + 20 + 60 + 10);
    await pair.current.setWorkerAhead(3_600);
    await audience.happen('An hour');
    await until(async () => windows.ofPage(await mail.receipts()).length >= 15); // including the start of the first window
    await until(async () => (await audience.deliveries(`deliveries.status = 'delivered'`)).length >= 179);

    expect(await audience.deliveries(`deliveries.status = 'pending'`)).toMatchObject([
      { to: 'reader-60@example.org', attempts: 1 },
    ]);
    await audience.isFinished({ isHurried: true });
    const receipts = await mail.receipts();
    expect(audience.expectDelivered(receipts)).toEqual(new Set());
    const sent = windows.ofPage(receipts).map(({ subject, at }) => `${subject} ${at >= startsAt.getTime()}`);
    const each = (line: string) => Array.from({ length: 5 }, () => line);
    expect(sent.toSorted()).toEqual([
      ...each('[Windows] In progress: Soon true'),
      ...each('[Windows] Maintenance: Later false'),
      ...each('[Windows] Maintenance: Soon false'),
    ]);
    await pair.current.setWorkerAhead(0);
  });

  it('create one delivery for each of 5,000 subscribers although one is killed while it creates them', async () => {
    const { mail, server, worker, sql } = pair.current;
    const audience = await pair.current.audience('Crowd', { crowd: 5_000 });
    // Without mail, so that all deliveries can be created. The third statement, and each one after it, takes seconds.
    await sql(`
      CREATE FUNCTION finish() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.status := 'delivered'; NEW.finished_at := now(); RETURN NEW; END $$;
      CREATE TRIGGER finish BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION finish();
      CREATE FUNCTION take_time() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF (SELECT count(*) FROM deliveries WHERE event_id = (SELECT event_id FROM added LIMIT 1)) > 500
            THEN PERFORM pg_sleep(3.5);
          END IF;
          RETURN NULL;
        END $$;
      CREATE TRIGGER take_time AFTER INSERT ON deliveries REFERENCING NEW TABLE AS added EXECUTE FUNCTION take_time()`);
    const created = async () => {
      const [row] = await sql<{ rows: number; recipients: number }>(
        `SELECT count(*)::integer AS rows, count(DISTINCT recipient_id)::integer AS recipients
           FROM deliveries JOIN subscribers ON subscribers.id = recipient_id WHERE email LIKE 'crowd-%'`,
      );
      return row;
    };
    worker.kill('SIGSTOP');
    await audience.happen('Crowded');
    const active = `datname = current_database() AND query LIKE 'INSERT INTO deliveries%' AND wait_event = 'PgSleep'`;
    await until(async () => (await sql(`SELECT FROM pg_stat_activity WHERE ${active}`)).length === 1);
    await server.kill();
    // The statement ends with its connection, which PostgreSQL would notice only afterwards.
    const ended = await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${active}`);
    expect(ended).toHaveLength(1);
    await sql('DROP TRIGGER take_time ON deliveries');
    expect(await created()).toEqual({ rows: 500, recipients: 500 });
    worker.kill('SIGCONT');
    await audience.isFinished();
    expect(await created()).toEqual({ rows: 5_000, recipients: 5_000 });
    expect(audience.ofPage(await mail.receipts())).toEqual([]);
  });
});
