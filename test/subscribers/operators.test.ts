import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { SubscriptionTokens } from '../../src/subscribers/subscription-tokens.js';
import { SubscriptionsService } from '../../src/subscribers/subscriptions.service.js';
import { contentsOf, hashesOf } from '../support/catalogue.js';
import { type Answer, type ListPage, useTestServer } from '../support/server.js';
import { useResource } from '../support/use-resource.js';

interface Subscriber {
  id: string;
  email: string;
  status: string;
  suppressed_reason: string | null;
  updated_at: string;
}

interface Refusal {
  detail: string;
  errors: { code: string; pointer: string }[];
}

const { server, tenant, ask } = useResource<Subscriber>('/v1/subscribers');
let page: { id: string };

beforeAll(async () => {
  page = await server.page(tenant);
});

const address = (): string => `${randomUUID().slice(-12)}@example.com`;

const post = <B = { data: Subscriber }>(
  fields: Record<string, unknown>,
  status_page_id = page.id,
): Promise<Answer<B>> => ask<B>('POST', '', { status_page_id, ...fields });

async function make(fields: Record<string, unknown> = {}, status_page_id = page.id): Promise<Subscriber> {
  const { status, text, body } = await post({ email: address(), confirmed: true, ...fields }, status_page_id);
  if (status !== 201) throw new Error(text);
  return body.data;
}

const list = (query: Record<string, string>): Promise<Answer<ListPage<Subscriber>>> =>
  ask<ListPage<Subscriber>>('GET', `?${new URLSearchParams({ status_page_id: page.id, ...query })}`);

const rowOf = async (id: string): Promise<Record<string, unknown> | undefined> =>
  (await server.sql<Record<string, unknown>[]>('SELECT * FROM subscribers WHERE id = $1', [id]))[0];

/** The kinds of the mail that a subscriber gets. */
const mailTo = async (id: string): Promise<string[]> =>
  (await server.sql<{ kind: string }[]>('SELECT kind FROM deliveries WHERE recipient_id = $1', [id])).map(
    ({ kind }) => kind,
  );

const confirm = (id: string) => {
  const token = server.app.get(SubscriptionTokens, { strict: false }).create('confirm', id);
  return server.app.get(SubscriptionsService, { strict: false }).confirm(token);
};

describe('POST /v1/subscribers', () => {
  it('activates a confirmed subscriber immediately, without mail, and records the key', async () => {
    const email = `Ada.${address()}`;
    const { status, body } = await post({ email, confirmed: true });
    expect([status, body.data]).toMatchObject([
      201,
      {
        email,
        status: 'active',
        suppressed_reason: null,
        monitor_ids: null,
        detail: 'all',
        maintenances: true,
        source: 'api',
        confirmed_at: expect.any(String) as string,
        last_sent_at: null,
        status_page_id: page.id,
        project_id: tenant.project_id,
      },
    ]);
    const key = await server.ask<{ data: { id: string } }>('/v1/me', { key: tenant.key });
    expect(await rowOf(body.data.id)).toMatchObject({ confirmed_by: key.body.data.id });
    expect(await mailTo(body.data.id)).toEqual([]);
  });

  it('sends a confirmation without confirmed, and only its link activates the subscriber', async () => {
    const subscriber = await make({ confirmed: false, detail: 'edges', maintenances: false });
    expect(subscriber).toMatchObject({
      status: 'pending',
      confirmed_at: null,
      detail: 'edges',
      maintenances: false,
    });
    expect(await mailTo(subscriber.id)).toEqual(['confirmation']);
    await confirm(subscriber.id);
    const { body } = await ask('GET', `/${subscriber.id}`);
    expect(body.data.status).toBe('active');
    expect(await rowOf(subscriber.id)).toMatchObject({ confirmed_by: null });
  });

  it('sends an address at most 5 confirmations a day', async () => {
    const email = address();
    const sent: number[] = [];
    for (let number = 0; number < 6; number++) {
      const { id } = await make({ email, confirmed: false });
      sent.push((await mailTo(id)).length);
      await ask('DELETE', `/${id}`);
    }
    expect(sent).toEqual([1, 1, 1, 1, 1, 0]);
  });

  it('responds with 409 and the ID for an address of the page in another spelling', async () => {
    const { id, email } = await make({ email: `Grace@${randomUUID()}.Example` });
    for (const confirmed of [true, false]) {
      const { status, text, body } = await post<Refusal>({ email: email.toLowerCase(), confirmed });
      expect([status, body.errors]).toMatchObject([409, [{ code: 'taken', pointer: '#/email' }]]);
      expect(body.detail).toContain(id);
      expect(text.toLowerCase()).not.toContain(email.toLowerCase());
    }
    expect(await mailTo(id)).toEqual([]);
    await make({ email }, (await server.page(tenant)).id);
  });

  it('adds an unsubscribed address only with a new confirmation', async () => {
    const { id, email } = await make();
    await ask('DELETE', `/${id}`);
    const refused = await post<Refusal>({ email: email.toUpperCase(), confirmed: true });
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('unsubscribed')]);
    const pending = await make({ email, confirmed: false });
    expect(await mailTo(pending.id)).toEqual(['confirmation']);
    await confirm(pending.id);
    await server.sql('DELETE FROM subscribers WHERE id = $1', [pending.id]);
    await make({ email }); // its owner has consented again
  });

  it('responds with 400 and the pointer for an invalid address, without the address', async () => {
    for (const email of ['ada', 'ada@', '@example.com', 'ada@exam ple.com', 'ada@-a.example', 'a@1.2.3.4']) {
      const { status, text, body } = await post<Refusal>({ email, confirmed: true });
      expect([email, status, body.errors]).toMatchObject([
        email,
        400,
        [{ code: 'invalid_format', pointer: '#/email' }],
      ]);
      expect(JSON.parse(text)).not.toHaveProperty('email');
      expect(text.replaceAll('ada@example.com', '')).not.toContain(email);
    }
  });

  it('responds with 400 for monitors of another project', async () => {
    const [own = ''] = await server.monitors(tenant, 1);
    const [foreign = ''] = await server.monitors(await server.tenant(), 1);
    const { status, body } = await post<Refusal>({ email: address(), monitor_ids: [own, foreign] });
    expect([status, body.errors]).toMatchObject([
      400,
      [{ code: 'unknown_monitor', pointer: '#/monitor_ids/1' }],
    ]);
  });

  it('creates one subscriber for concurrent requests with one address', async () => {
    const email = address();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post<Refusal>({ email, confirmed: true })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  });
});

describe('GET /v1/subscribers', () => {
  it('filters by status, and by address regardless of its spelling', async () => {
    const [active, pending, suppressed] = [
      await make({ email: `ADA@${randomUUID()}.example` }),
      await make({ confirmed: false }),
      await make(),
    ];
    await ask('PATCH', `/${suppressed.id}`, { status: 'suppressed' });
    const ids = async (query: Record<string, string>) =>
      (await list({ limit: '100', ...query })).body.data.map(({ id }) => id);
    expect((await ids({ status: 'suppressed' }))[0]).toBe(suppressed.id);
    expect(await ids({ status: 'active' })).not.toContain(suppressed.id);
    expect((await ids({ status: 'pending' }))[0]).toBe(pending.id);
    expect(await ids({ email: active.email.toLowerCase() })).toEqual([active.id]);
    expect(await ids({ email: active.email, status: 'pending' })).toEqual([]);
    expect(await ids({ email: address() })).toEqual([]);
  });

  it('rejects a cursor of the list with another filter', async () => {
    await make();
    await make();
    const { body } = await list({ limit: '1', status: 'active' });
    const cursor = String(body.pagination.next_cursor);
    expect((await list({ cursor, status: 'active' })).status).toBe(200);
    expect((await list({ cursor })).status).toBe(400);
  });
});

describe('PATCH /v1/subscribers/{id}', () => {
  it('suppresses and lifts, and keeps another reason', async () => {
    const { id } = await make();
    const set = async (status: string) => (await ask('PATCH', `/${id}`, { status })).body.data;
    expect(await set('suppressed')).toMatchObject({ status: 'suppressed', suppressed_reason: 'manual' });
    expect(await set('active')).toMatchObject({ status: 'active', suppressed_reason: null });
    await server.sql(
      `UPDATE subscribers SET status = 'suppressed', suppressed_reason = 'bounced', last_bounced_at = now() WHERE id = $1`,
      [id],
    );
    expect(await set('suppressed')).toMatchObject({ suppressed_reason: 'bounced' });
    expect(await set('active')).toMatchObject({ status: 'active', suppressed_reason: null });
    expect(await rowOf(id)).toMatchObject({ last_bounced_at: null });
  });

  it('responds with 409 to a status for a subscriber that has never confirmed', async () => {
    const { id } = await make({ confirmed: false });
    for (const status of ['active', 'suppressed'])
      expect((await ask('PATCH', `/${id}`, { status })).status).toBe(409);
    await server.sql(
      `UPDATE subscribers SET status = 'suppressed', suppressed_reason = 'bounced' WHERE id = $1`,
      [id],
    );
    expect((await ask('PATCH', `/${id}`, { status: 'active' })).status).toBe(409);
    expect(await rowOf(id)).toMatchObject({ status: 'suppressed' });
  });
});

describe('DELETE /v1/subscribers/{id}', () => {
  it('erases the address from all tables', async () => {
    const { id, email } = await make({ confirmed: false });
    expect(JSON.stringify(await contentsOf(server))).toContain(email);
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    expect(JSON.stringify(await contentsOf(server))).not.toContain(email);
  });

  it('remembers nothing after a stale If-Match', async () => {
    const { id, email } = await make();
    const stale = await ask('DELETE', `/${id}`, undefined, { 'If-Match': '"2026-01-01T00:00:00.000Z"' });
    expect(stale.status).toBe(412);
    await server.sql('DELETE FROM subscribers WHERE id = $1', [id]);
    await make({ email });
  });
});

describe('a deleted status page', () => {
  it('hides its subscribers until it is restored', async () => {
    const deleted = await server.page(tenant);
    const subscriber = await make({}, deleted.id);
    const path = `/v1/status-pages/${deleted.id}`;
    await server.ask(path, { method: 'DELETE', key: tenant.key });
    const hidden = [
      await ask('GET', `/${subscriber.id}`),
      await ask('PATCH', `/${subscriber.id}`, { detail: 'edges' }),
      await ask('PATCH', `/${subscriber.id}`, { status: 'suppressed' }),
      await ask('DELETE', `/${subscriber.id}`),
      await list({ status_page_id: deleted.id }),
      await post({ email: address(), confirmed: true }, deleted.id),
    ];
    expect(hidden.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    await server.ask(`${path}/restore`, { method: 'POST', key: tenant.key, json: {} });
    expect((await ask('GET', `/${subscriber.id}`)).body.data).toEqual(subscriber);
  });
});

describe('a status page with the maximum number of subscribers', () => {
  const limited = useTestServer({ MAX_SUBSCRIBERS: '3' });

  it('gets no more, also by concurrent requests, and names the room that is left', async () => {
    const owner = await limited.tenant();
    const { key } = owner;
    const { id } = await limited.page(owner);
    const send = (path: string, json: object) =>
      limited.ask<Refusal>(`/v1/subscribers${path}`, {
        method: 'POST',
        key,
        json: { status_page_id: id, confirmed: true, ...json },
      });
    const many = Array.from({ length: 4 }, () => ({ email: address() }));
    const tooMany = await send('/batch', { subscribers: many });
    expect([tooMany.status, tooMany.body.detail]).toEqual([409, expect.stringContaining('room for 3 more')]);
    const answers = await Promise.all(many.map((one) => send('', one)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409]);
    const known = many[answers.findIndex(({ status }) => status === 201)];
    expect((await send('', { ...known })).body.errors).toMatchObject([{ code: 'taken' }]);
  });
});

interface Batch {
  created: number;
  existing: number;
  erased: number;
  results: { id: string | null; result: string }[];
}

describe('POST /v1/subscribers/batch', () => {
  const batch = <B = { data: Batch }>(
    subscribers: unknown[],
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<B>> =>
    ask<B>('POST', '/batch', { status_page_id: page.id, confirmed: true, subscribers, ...fields }, headers);

  it('adds new addresses in order, and skips existing and erased ones without mail', async () => {
    const known = await make();
    const erased = await make();
    await ask('DELETE', `/${erased.id}`);
    const [monitor = ''] = await server.monitors(tenant, 1);
    const { status, body } = await batch(
      [
        { email: address(), monitor_ids: [monitor], detail: 'edges' },
        { email: known.email.toUpperCase() },
        { email: erased.email },
        { email: address() },
      ],
      { confirmed: false },
    );
    expect([status, body.data]).toMatchObject([
      200,
      {
        created: 2,
        existing: 1,
        erased: 1,
        results: [
          { result: 'created' },
          { result: 'existing', id: known.id },
          { result: 'erased', id: null },
          { result: 'created' },
        ],
      },
    ]);
    const [first, , , last] = body.data.results.map(({ id }) => String(id));
    expect((await ask('GET', `/${first}`)).body.data).toMatchObject({
      status: 'pending',
      monitor_ids: [monitor],
      detail: 'edges',
    });
    expect(await mailTo(String(last))).toEqual(['confirmation']);
    expect(await mailTo(known.id)).toEqual([]);
  });

  it('names each invalid entry in one 400, without addresses, and adds nothing', async () => {
    const before = await hashesOf(server);
    const twice = address();
    const { status, text, body } = await batch<Refusal>([
      { email: twice },
      { email: 'nobody' },
      { email: address(), detail: 'some' },
      { email: twice.toUpperCase() },
      { email: address(), monitor_ids: [] },
      { name: 'Ada' },
      5,
    ]);
    const found = body.errors.map(({ code, pointer }) => `${pointer} ${code}`);
    expect([status, found.toSorted()]).toEqual([
      400,
      [
        '#/subscribers/1/email invalid_format',
        '#/subscribers/2/detail invalid_format',
        '#/subscribers/3/email duplicate',
        '#/subscribers/4/monitor_ids too_short',
        '#/subscribers/5/email required',
        '#/subscribers/5/name unknown_field',
        '#/subscribers/6 invalid_type',
      ],
    ]);
    expect(text).not.toMatch(new RegExp(`nobody|${twice}`, 'i'));
    expect(await hashesOf(server)).toEqual(before);
  });

  it('adds nothing if a monitor is unknown', async () => {
    const before = await hashesOf(server);
    const { status, body } = await batch<Refusal>([
      { email: address() },
      { email: address(), monitor_ids: [randomUUID()] },
    ]);
    expect([status, body.errors]).toMatchObject([
      400,
      [{ code: 'unknown_monitor', pointer: '#/subscribers/1/monitor_ids/0' }],
    ]);
    expect(await hashesOf(server)).toEqual(before);
  });

  it('adds 1,000 addresses in one request, and sends no second confirmation for a repeated one', async () => {
    const many = Array.from({ length: 1_000 }, (_, number) => ({ email: `${number}@${page.id}.example` }));
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await batch(many, { confirmed: false }, headers);
    expect([first.status, first.body.data.created]).toEqual([200, 1_000]);
    const again = await batch(many, { confirmed: false });
    expect(again.body.data).toMatchObject({ created: 0, existing: 1_000 });
    const [sent] = await server.sql<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM deliveries WHERE recipient_id = ANY($1::uuid[])`,
      [first.body.data.results.map(({ id }) => id)],
    );
    expect(sent?.count).toBe(1_000);
    const tooMany = await batch<Refusal>([...many, { email: address() }]);
    expect([tooMany.status, tooMany.body.errors]).toMatchObject([
      400,
      [{ code: 'too_long', pointer: '#/subscribers' }],
    ]);
  });

  it('rejects 1,000 invalid addresses in a few seconds at most', async () => {
    const many = Array.from({ length: 1_000 }, (_, number) => ({ email: `${number}@` }));
    const started = performance.now();
    const { status, body } = await batch<Refusal>(many);
    expect([status, body.errors.length]).toEqual([400, 1_000]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
