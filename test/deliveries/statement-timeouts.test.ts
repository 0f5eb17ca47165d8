import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { type Sink, startSink } from '../mail/sink.js';
import { passTime } from '../support/clock.js';
import { type Tenant, until, useTenant, useTestServer } from '../support/server.js';
import { EventReceiver } from '../webhooks/receiver.js';
import { FailingStatements, type SentStatement } from '../support/failing-statements.js';
import { useWorkers } from './use-workers.js';

const WEBHOOK_ALLOWED_NETWORKS = '127.0.0.0/8';
const server = useTestServer({ DELIVERY: 'off', NOTIFY_DELAY: '0', WEBHOOK_ALLOWED_NETWORKS });
const victim = useTenant(server);
const other = useTenant(server);
const workers = useWorkers(server, victim);

let statements: FailingStatements;
let sink: Sink;
let receiver: EventReceiver;
beforeAll(async () => {
  statements = FailingStatements.install();
  [sink, receiver] = [await startSink(), await EventReceiver.start()];
});
afterEach(() => statements.uninstall());
afterAll(() => Promise.all([sink.close(), receiver.stop()]));

/** Each statement has its own incident. A busy machine takes minutes. */
const TIMEOUT_MS = 300_000;

/** More than are sent at a time. */
const SUBSCRIBERS = 12;

/** Maximum number of rounds until each periodic statement has timed out once. */
const MAX_ROUNDS = 60;

/** Driven time, which includes the time that a busy machine takes. */
const MAX_DELAY_MS = 15_000;

async function create({ key, project_id }: Tenant, path: string, fields: object): Promise<string> {
  const options = { method: 'POST', key, json: { project_id, ...fields } };
  const { status, text, body } = await server.ask<{ data: { id: string } }>(path, options);
  if (status !== 201) throw new Error(text);
  return body.data.id;
}

/** Creates subscribers of a new page, and an endpoint whose path is the organization. */
async function subscribe(tenant: Tenant, count: number): Promise<void> {
  const { organization_id, project_id } = tenant;
  const page = await server.page(tenant, { name: 'Page', slug: randomUUID(), subscribe_enabled: true });
  await server.sql(
    `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, source)
     SELECT gen_random_uuid(), $1, $2, $3, n || $4, n || $4, 'active', 'api' FROM generate_series(1, $5::integer) AS n`,
    [organization_id, project_id, page.id, `@${organization_id}.example`, count],
  );
  const url = receiver.url(`/${organization_id}`);
  await create(tenant, '/v1/webhook-endpoints', { url, event_types: ['incident.created'] });
}

/** Creates work for periodic tasks, which otherwise run only one statement: a form of a visitor, and a deferred status change. */
async function createWork(monitor: string): Promise<void> {
  await server.sql(
    `INSERT INTO subscription_requests (id, organization_id, project_id, status_page_id, email, detail, maintenances)
     SELECT gen_random_uuid(), organization_id, project_id, id, gen_random_uuid() || '@form.example', 'all', true
       FROM status_pages WHERE organization_id = $1`,
    [victim.organization_id],
  );
  await server.sql(
    `INSERT INTO deferred_status_changes (organization_id, monitor_id, due_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING`,
    [victim.organization_id, monitor],
  );
}

let incidents = 0;

/** Creates an incident of each organization. Returns the title of both. */
async function happen(): Promise<string> {
  const title = `Incident ${++incidents}.`;
  for (const tenant of [victim, other]) await create(tenant, '/v1/incidents', { title, body: 'Text' });
  return title;
}

/** The recipients of an incident in an organization, in the order of their messages. */
function reached({ organization_id }: Tenant, title: string): string[] {
  const mails = sink.received.filter(({ message }) => message.includes(title));
  const addresses = mails.flatMap(({ to }) => to).filter((to) => to.endsWith(`@${organization_id}.example`));
  const webhooks = receiver.at(`/${organization_id}`).filter(({ body }) => body.includes(`"${title}"`));
  return [...addresses, ...webhooks.map(({ path }) => path)];
}

/** Ends all pauses, and the leases that began more than two seconds ago. Returns whether all work is done. */
async function isIdle(): Promise<boolean> {
  const isNew = `due_at BETWEEN now() + interval '58 seconds' AND now() + interval '61 seconds'`;
  await server.sql(
    `UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001) WHERE status = 'pending' AND due_at > now() AND NOT (${isNew})`,
  );
  for (const table of ['events', 'subscription_requests'])
    await server.sql(
      `UPDATE ${table} SET due_at = now() - make_interval(secs => 0.001) WHERE due_at > now()`,
    );
  const [left] = await server.sql<{ count: number }[]>(
    `SELECT (SELECT count(*) FROM events WHERE due_at IS NOT NULL)::integer
          + (SELECT count(*) FROM deliveries WHERE status = 'pending')::integer
          + (SELECT count(*) FROM subscription_requests)::integer
          + (SELECT count(*) FROM deferred_status_changes)::integer AS count`,
  );
  return left?.count === 0;
}

/** Lets seconds pass until all work is done. */
const finish = () =>
  until(async () => {
    await passTime(1_000);
    return isIdle();
  });

const isOf = ({ values }: SentStatement, { organization_id }: Tenant) => values.includes(organization_id);

describe('a timeout of any statement of the worker', { tags: ['postgres'] }, () => {
  it(
    'loses and repeats nothing, and holds up no other organization if the statement is for one',
    { timeout: TIMEOUT_MS },
    async () => {
      await subscribe(victim, SUBSCRIBERS);
      await subscribe(other, 1);
      const monitor = await create(victim, '/v1/monitors', { name: 'Monitor' });
      const env = { SMTP_URL: sink.url, MAIL_FROM: 'status@example.com', WEBHOOK_ALLOWED_NETWORKS };
      const app = await statements.observe(() => workers.start([], env));
      const { all: tasks } = app.get(PeriodicTasks);
      /** Runs the periodic tasks now, regardless of their intervals, and lets a second pass for the loops. */
      const work = async () => {
        for (const task of tasks) await statements.observe(() => task.run()).catch(() => undefined);
        await passTime(1_000);
      };
      const fail = (text: string) => {
        const before = statements.failed;
        statements.fails = (sent) => sent.text === text && (isOf(sent, victim) || !isOf(sent, other));
        return async () => statements.failed > before;
      };

      // The statements, as the worker sends them.
      const textsOf = (calls: SentStatement[]) => [...new Set(calls.map(({ text }) => text))];
      const textsDuring = async (action: () => Promise<unknown>) => {
        statements.sent.splice(0);
        await action();
        await finish();
        return textsOf(statements.sent);
      };
      const idle = await textsDuring(work);
      const delivering = await textsDuring(() => happen());
      const calls = statements.sent.splice(0);
      // On a busy machine, a statement can come once by chance, such as one that gives back what has waited for seconds.
      const again = await textsDuring(() => happen());
      const working = await textsDuring(async () => {
        await createWork(monitor);
        await work();
      });
      const ofDeliveries = delivering.filter((text) => again.includes(text) && !idle.includes(text));
      const periodic = [
        ...idle,
        ...working.filter((text) => !idle.includes(text) && !delivering.includes(text)),
      ];
      expect(ofDeliveries.length).toBeGreaterThan(15);
      expect(periodic.length).toBeGreaterThan(15);

      // Each of the periodic statements times out once. A task reaches its next statement only after the first one succeeds.
      const left = new Set(periodic);
      statements.fails = ({ text }) => left.delete(text);
      let rounds = 0;
      for (; left.size > 0 && rounds < MAX_ROUNDS; rounds++) {
        await createWork(monitor);
        await work();
      }
      expect([...left]).toEqual([]);

      // Each statement of deliveries times out whenever it is for the first organization, or for all.
      const wrong: object[] = [];
      for (const text of ofDeliveries) {
        const hasFailed = fail(text);
        const isOfOne = calls.every((sent) => sent.text !== text || isOf(sent, victim) || isOf(sent, other));
        const title = await happen();
        const startedAt = performance.now();
        if (isOfOne) {
          await until(async () => reached(other, title).length >= 2);
          if (performance.now() - startedAt > MAX_DELAY_MS) wrong.push({ text, is: 'late' });
        }
        await until(hasFailed);
        statements.fails = () => false;
        await finish();
        for (const [tenant, count] of [
          [victim, SUBSCRIBERS + 1],
          [other, 2],
        ] as const)
          if (reached(tenant, title).length !== count || new Set(reached(tenant, title)).size !== count)
            wrong.push({ text, reached: reached(tenant, title) });
      }
      expect(wrong).toEqual([]);
      const forms = () => sink.received.flatMap(({ to }) => to).filter((to) => to.endsWith('@form.example'));
      await until(async () => {
        await finish();
        return new Set(forms()).size === rounds + 1;
      });
    },
  );
});
