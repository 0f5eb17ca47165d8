import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { RecipientsService } from '../../src/subscribers/recipients.service.js';
import { SubscriptionTokens } from '../../src/subscribers/subscription-tokens.js';
import { SubscriptionsService } from '../../src/subscribers/subscriptions.service.js';
import { type Tenant, useTestServer } from '../support/server.js';

const server = useTestServer();
let tenant: Tenant;
let page: { id: string };
let subscriptions: SubscriptionsService;
let recipients: RecipientsService;
let tokens: SubscriptionTokens;

beforeAll(async () => {
  tenant = await server.tenant();
  page = await server.page(tenant);
  subscriptions = server.app.get(SubscriptionsService, { strict: false });
  recipients = server.app.get(RecipientsService, { strict: false });
  tokens = server.app.get(SubscriptionTokens, { strict: false });
});

/** Inserts a subscriber, and returns its ID. */
async function subscriber(columns: Record<string, unknown> = {}): Promise<string> {
  const id = uuidv7();
  const email = `${randomUUID()}@example.com`;
  const row = {
    id,
    organization_id: tenant.organization_id,
    project_id: tenant.project_id,
    status_page_id: page.id,
    email,
    email_key: email,
    status: 'active',
    source: 'visitor',
    ...columns,
  };
  const names = Object.keys(row);
  await server.sql(
    `INSERT INTO subscribers (${names.join()}) VALUES (${names.map((_, index) => `$${index + 1}`).join()})`,
    Object.values(row),
  );
  return id;
}

const rowOf = async (id: string): Promise<Record<string, unknown> | undefined> =>
  (
    await server.app
      .get(DataSource)
      .query<Record<string, unknown>[]>('SELECT * FROM subscribers WHERE id = $1', [id])
  )[0];

const erasures = async (pageId = page.id): Promise<number> =>
  (
    await server.app
      .get(DataSource)
      .query<unknown[]>('SELECT FROM erased_subscribers WHERE status_page_id = $1', [pageId])
  ).length;

const matching = async (
  audience: Partial<Parameters<RecipientsService['matching']>[0]>,
  after: string | null = null,
  limit = 1000,
) => {
  const { organization_id } = tenant;
  const shown = { id: page.id, monitor_ids: null };
  const { ids, last } = await recipients.matching(
    { organization_id, page: shown, is_maintenance: false, is_edge: true, ...audience },
    after,
    limit,
    server.app.get(DataSource).manager,
  );
  expect(last).toBe(ids.length < limit ? null : ids.at(-1));
  return ids;
};

describe('the subscription of a link', () => {
  it('accepts a confirmation by its own token only, and only once', async () => {
    const id = await subscriber({ status: 'pending' });
    const token = tokens.create('confirm', id);
    expect(await subscriptions.confirm(tokens.create('manage', id))).toBeUndefined();
    expect(await subscriptions.confirm(tokens.create('confirm', randomUUID()))).toBeUndefined();
    expect(await subscriptions.confirm(token.slice(0, -1))).toBeUndefined();
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      if (!token.endsWith(last))
        expect(await subscriptions.confirm(token.slice(0, -1) + last)).toBeUndefined();
    expect(await rowOf(id)).toMatchObject({ status: 'pending', confirmed_at: null });
    expect(await subscriptions.confirm(token)).toMatchObject({ id, status: 'active' });
    const confirmed = await rowOf(id);
    expect(confirmed).toMatchObject({ status: 'active', confirmed_at: expect.any(Date) as Date });
    await subscriptions.confirm(token);
    expect(await rowOf(id)).toEqual(confirmed);
  });

  it('stays suppressed if the link of the confirmation is used', async () => {
    const id = await subscriber({ status: 'suppressed', suppressed_reason: 'complained' });
    expect(await subscriptions.confirm(tokens.create('confirm', id))).toMatchObject({ status: 'suppressed' });
  });

  it('changes, without monitors that do not exist', async () => {
    const id = await subscriber();
    const [monitor = ''] = await server.monitors(tenant, 1);
    const changed = await subscriptions.change(tokens.create('manage', id), {
      monitor_ids: [monitor, randomUUID()],
      detail: 'edges',
      maintenances: false,
    });
    const wanted = { monitor_ids: [monitor], detail: 'edges', maintenances: false };
    expect(changed).toMatchObject(wanted);
    expect(changed).not.toHaveProperty('email_key');
    expect(await rowOf(id)).toMatchObject(wanted);
  });

  it('ends with its address erased, except a keyed hash, which a confirmed subscription deletes', async () => {
    const email_key = `${randomUUID()}@example.com`;
    const id = await subscriber({ email: email_key, email_key });
    const token = tokens.create('manage', id);
    const before = await erasures();
    expect(await subscriptions.unsubscribe(token)).toBe(true);
    expect(await subscriptions.unsubscribe(token)).toBe(true);
    expect(await subscriptions.unsubscribe(tokens.create('confirm', id))).toBe(false);
    expect(await rowOf(id)).toBeUndefined();
    expect(await subscriptions.find('manage', token)).toBeUndefined();
    expect(await erasures()).toBe(before + 1);
    const again = await subscriber({ status: 'pending', email: email_key, email_key });
    await subscriptions.confirm(tokens.create('confirm', again));
    expect(await erasures()).toBe(before);
  });

  it('disappears while the page is deleted, but can be ended', async () => {
    const { id: status_page_id } = await server.page(tenant);
    const id = await subscriber({ status_page_id });
    const token = tokens.create('manage', id);
    expect(await subscriptions.find('manage', token)).toMatchObject({ id });
    await server.ask(`/v1/status-pages/${status_page_id}`, { method: 'DELETE', key: tenant.key });
    expect(await subscriptions.find('manage', token)).toBeUndefined();
    expect(await subscriptions.unsubscribe(token)).toBe(true);
    expect(await rowOf(id)).toBeUndefined();
  });

  it('loses a deleted monitor, and ends with its only one', async () => {
    const [first = '', second = ''] = await server.monitors(tenant, 2);
    const both = await subscriber({ monitor_ids: [first, second] });
    const one = await subscriber({ monitor_ids: [first] });
    await server.ask(`/v1/monitors/${first}`, { method: 'DELETE', key: tenant.key });
    expect(await rowOf(both)).toMatchObject({ monitor_ids: [second] });
    expect(await rowOf(one)).toBeUndefined();
  });
});

describe('recipients', () => {
  it('include only active subscribers that have chosen it, in order', async () => {
    page = await server.page(tenant);
    const [monitor = '', other = ''] = await server.monitors(tenant, 2);
    const all = await subscriber();
    const edges = await subscriber({ detail: 'edges' });
    const chosen = await subscriber({ monitor_ids: [monitor], maintenances: false });
    await subscriber({ status: 'pending' });
    await subscriber({ status: 'suppressed', suppressed_reason: 'manual' });
    await subscriber({ status_page_id: (await server.page(tenant)).id });
    expect(await matching({})).toEqual([all, edges, chosen]);
    expect(await matching({}, all)).toEqual([edges, chosen]);
    expect(await matching({}, null, 2)).toEqual([all, edges]);
    expect(await matching({ page: { id: page.id, monitor_ids: [] } })).toEqual([all, edges]);
    expect(await matching({ is_edge: false })).toEqual([all, chosen]);
    expect(await matching({ is_maintenance: true })).toEqual([all, edges]);
    expect(await matching({ page: { id: page.id, monitor_ids: [other] } })).toEqual([all, edges]);
    expect(await matching({ page: { id: page.id, monitor_ids: [monitor, other] } })).toEqual([
      all,
      edges,
      chosen,
    ]);
  });

  it('become suppressed by the second rejection in a row on another day, or by a final one', async () => {
    const id = await subscriber();
    const yesterday = () =>
      server.sql(`UPDATE subscribers SET last_bounced_at = now() - interval '1 day' WHERE id = $1`, [id]);
    await recipients.refused(id, false);
    await recipients.refused(id, false);
    expect(await rowOf(id)).toMatchObject({ status: 'active' });
    await yesterday();
    await recipients.delivered([id]);
    await recipients.refused(id, false);
    expect(await rowOf(id)).toMatchObject({ status: 'active', last_sent_at: expect.any(Date) as Date });
    await yesterday();
    await recipients.refused(id, false);
    expect(await rowOf(id)).toMatchObject({ status: 'suppressed', suppressed_reason: 'bounced' });
    const final = await subscriber();
    await recipients.refused(final, true);
    expect((await recipients.find([final]))[0]).toMatchObject({ id: final, status: 'suppressed' });
  });
});
