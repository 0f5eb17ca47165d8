import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { SubscriptionTokens } from '../../src/subscribers/subscription-tokens.js';
import { SubscriptionsService } from '../../src/subscribers/subscriptions.service.js';
import { type Tenant, useTestServer } from '../support/server.js';

const server = useTestServer();
let tenant: Tenant;
let page: { id: string };
let email: string;

beforeAll(async () => {
  tenant = await server.tenant();
});

beforeEach(async () => {
  page = await server.page(tenant);
  email = `Visitor-${randomUUID()}@example.com`;
});

const query = async (text: string, values: unknown[] = []) =>
  server.app.get(DataSource).query<Record<string, unknown>[]>(text, values);

/** Runs a task of the delivering processes until it has nothing to do. */
async function runTask(name: string): Promise<void> {
  const task = server.app.get(PeriodicTasks, { strict: false }).all.find((one) => one.name === name);
  if (!task) throw new Error(`no task "${name}"`);
  while (await task.run());
}

const ALL = { monitor_ids: null, detail: 'all', maintenances: true } as const;

type Form = Partial<Parameters<SubscriptionsService['request']>[1]>;

/** Sends the form. */
const send = (form: Form = {}): Promise<void> =>
  server.app
    .get(SubscriptionsService, { strict: false })
    .request({ ...tenant, ...page }, { email, ...ALL, ...form });

/** Sends the form, and handles it. */
async function request(form: Form = {}): Promise<void> {
  await send(form);
  await runTask('subscription requests');
  await query('SELECT FROM subscription_requests FOR UPDATE'); // waits if the server's own loop has taken it
}

const subscribers = () => query('SELECT * FROM subscribers WHERE status_page_id = $1', [page.id]);

/** The kinds of mail to the subscribers of the page, in order. */
const mails = async (): Promise<unknown[]> =>
  (
    await query(
      `SELECT kind FROM deliveries WHERE recipient_id IN (SELECT id FROM subscribers WHERE status_page_id = $1) ORDER BY id`,
      [page.id],
    )
  ).map(({ kind }) => kind);

describe('a form', () => {
  it('creates, for a new address, a pending subscription and its confirmation', async () => {
    await request({ detail: 'edges' });
    expect(await subscribers()).toMatchObject([
      { email, email_key: email.toLowerCase(), status: 'pending', detail: 'edges', source: 'visitor' },
    ]);
    expect(await mails()).toEqual(['confirmation']);
    expect(await query('SELECT FROM subscription_requests')).toEqual([]);
  });

  it('changes, for a pending address, the choices and sends another confirmation', async () => {
    await request();
    await request({ email: email.toUpperCase(), maintenances: false });
    expect(await subscribers()).toMatchObject([{ email, maintenances: false }]);
    expect(await mails()).toEqual(['confirmation', 'confirmation']);
  });

  it('changes, for an active address, nothing and sends the link', async () => {
    await request();
    const [{ id = '' } = {}] = await subscribers();
    const token = server.app.get(SubscriptionTokens, { strict: false }).create('confirm', String(id));
    await server.app.get(SubscriptionsService, { strict: false }).confirm(token);
    const before = await subscribers();
    await request({ detail: 'edges' });
    expect(await subscribers()).toEqual(before);
    expect(await mails()).toEqual(['confirmation', 'subscription']);
  });

  it('ignores a suppressed address', async () => {
    await request();
    await query(
      `UPDATE subscribers SET status = 'suppressed', suppressed_reason = 'complained' WHERE status_page_id = $1`,
      [page.id],
    );
    await request({ detail: 'edges' });
    expect(await subscribers()).toMatchObject([{ status: 'suppressed', detail: 'all' }]);
    expect(await mails()).toEqual(['confirmation']);
  });

  it('sends at most 5 confirmations to an address in a day, counting all pages', async () => {
    for (let number = 0; number < 5; number++) await request();
    await request();
    expect(await mails()).toHaveLength(5);
    page = await server.page(tenant);
    await request();
    expect(await subscribers()).toEqual([]);
    await query(`
      UPDATE confirmation_mails
         SET created_at = created_at - interval '1 day', id = overlay(id::text PLACING '00000000' FROM 1)::uuid`);
    await runTask('old subscriptions');
    expect(await query('SELECT FROM confirmation_mails')).toEqual([]);
    await request();
    expect(await mails()).toEqual(['confirmation']);
  });

  it('about monitors is about those that still exist', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    await request({ monitor_ids: [randomUUID()] });
    expect(await subscribers()).toEqual([]);
    await request({ monitor_ids: [monitor, randomUUID()] });
    expect(await subscribers()).toMatchObject([{ monitor_ids: [monitor] }]);
  });

  it('ignores a deleted page', async () => {
    await server.ask(`/v1/status-pages/${page.id}`, { method: 'DELETE', key: tenant.key });
    await request();
    expect(await subscribers()).toEqual([]);
  });
});

describe('a form that always fails', () => {
  const constraint = 'subscribers_email_test_check';
  beforeEach(async () => {
    await query(
      `ALTER TABLE subscribers ADD CONSTRAINT ${constraint} CHECK (email NOT LIKE 'broken%') NOT VALID`,
    );
  });
  afterEach(async () => {
    await query(`ALTER TABLE subscribers DROP CONSTRAINT ${constraint}`);
    await query('DELETE FROM subscription_requests');
  });

  const idOf = (hoursAgo: number) => uuidv7({ msecs: Date.now() - hoursAgo * 3_600_000 });

  const forms = () => query('SELECT email, due_at > now() AS is_later FROM subscription_requests');

  it('leaves the others to be handled, and becomes due again after a minute', async () => {
    await send({ email: 'broken@example.com' });
    await send();
    await expect(runTask('subscription requests')).rejects.toThrow('1 subscription forms failed');
    expect(await subscribers()).toMatchObject([{ email }]);
    expect(await forms()).toEqual([{ email: 'broken@example.com', is_later: true }]);
    await runTask('subscription requests');
    await query('UPDATE subscription_requests SET due_at = now() - make_interval(secs => 0.001)');
    await expect(runTask('subscription requests')).rejects.toThrow('1 subscription forms failed');
  });

  it('disappears after a day', async () => {
    await send({ email: 'broken@example.com' });
    await query('UPDATE subscription_requests SET id = $1', [idOf(23)]);
    await runTask('old subscriptions');
    expect(await forms()).toHaveLength(1);
    await query('UPDATE subscription_requests SET id = $1', [idOf(25)]);
    await runTask('old subscriptions');
    expect(await forms()).toEqual([]);
  });
});

describe('a subscription that is not confirmed', () => {
  const age = (interval: string) =>
    query(
      `UPDATE subscribers SET created_at = created_at - $1::interval, updated_at = updated_at - $1::interval`,
      [interval],
    );
  const suppress = (reason: string) =>
    query(
      `UPDATE subscribers SET status = 'suppressed', suppressed_reason = $2, updated_at = updated_at WHERE status_page_id = $1`,
      [page.id, reason],
    );

  it('expires 7 days after the last form', async () => {
    await request();
    await age('6 days 23 hours');
    await runTask('old subscriptions');
    expect(await subscribers()).toHaveLength(1);
    await request();
    await age('1 hour');
    await runTask('old subscriptions');
    expect(await subscribers()).toHaveLength(1);
    await age('6 days 23 hours');
    await runTask('old subscriptions');
    expect(await subscribers()).toEqual([]);
  });

  it('also expires if the mail server has rejected the address, but not if its owner has complained', async () => {
    await request();
    await age('8 days');
    await suppress('complained');
    await runTask('old subscriptions');
    expect(await subscribers()).toHaveLength(1);
    await suppress('bounced');
    await runTask('old subscriptions');
    expect(await subscribers()).toEqual([]);
  });
});
