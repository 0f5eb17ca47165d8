import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Tenant, until, useTenant, useTestServer } from '../support/server.js';
import { ATTEMPT } from '../webhooks/use-deliveries.js';
import { DELIVERING, useWebhooks } from '../webhooks/use-webhooks.js';
import { type Fields, hiddenIn, type Person, type Shown, useConsole } from './use-console.js';
import { errorOf, leadsTo, save, summaryOf } from './use-pages.js';

const PATH = '/manage/webhooks';
const URL_OF_TEST = 'https://hooks.example.com/status';
const MAX_BYTES = 30_000;

const server = useTestServer(DELIVERING);
const tenant = useTenant(server);
const webhooks = useWebhooks(server, tenant);
const { person } = useConsole(server);

let admin: Person;
beforeAll(async () => {
  admin = await person(tenant, 'admin');
});

const values = (fields: Fields = {}): Fields => ({
  project_id: tenant.project_id,
  url: URL_OF_TEST,
  description: '',
  format: 'standard',
  events: 'all',
  status_page_id: '',
  ...fields,
});

const newForm = async () => hiddenIn(await admin.get(`${PATH}/new?project=${tenant.project_id}`));

const create = async (fields: Fields = {}): Promise<Shown> =>
  admin.post(PATH, { ...(await newForm()), ...values(fields) });

const idIn = ({ text }: Shown) => /\/manage\/webhooks\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '';

const secretIn = ({ text }: Shown) => /value="(whsec_[\w+/]{43}=)"/.exec(text)?.[1] ?? '';

interface Stored {
  id: string;
  url: string;
  description: string | null;
  event_types: string[];
  format: string;
  status: string;
  disabled_reason: string | null;
  status_page_id: string | null;
}
const stored = async (id: string) =>
  (await server.sql<Stored[]>('SELECT * FROM webhook_endpoints WHERE id = $1', [id]))[0];

/** Sets columns that only the delivery writes. */
const set = (id: string, columns: string) =>
  server.sql(`UPDATE webhook_endpoints SET ${columns} WHERE id = $1`, [id]);

/** Inserts finished deliveries to an endpoint. Returns their IDs, newest first. */
/** Inserts deliveries that began `age` seconds ago. */
async function insert(
  endpoint: string,
  { status = 'failed', count = 1, attempts = [ATTEMPT], age = 0 } = {},
) {
  const rows = await server.sql<{ id: string }[]>(
    `WITH event AS (
       INSERT INTO events (id, organization_id, project_id, type, resource_id)
       SELECT gen_random_uuid(), $1, $2, 'incident.created', gen_random_uuid() FROM generate_series(1, $6) RETURNING id)
     INSERT INTO deliveries (id, organization_id, project_id, channel, event_id, recipient_id, status, attempts, due_at,
                             finished_at, attempt_log, created_at)
     SELECT gen_random_uuid(), $1, $2, 'webhook', id, $3, $4, 1, now(), now(), $5, clock_timestamp() - $7 * interval '1 s' FROM event
     RETURNING id`,
    [tenant.organization_id, tenant.project_id, endpoint, status, JSON.stringify(attempts), count, age],
  );
  return rows.map(({ id }) => id).toReversed();
}

/** Returns the text of the rows, without tags. */
const rowsIn = ({ text }: Shown) =>
  text
    .split('<li class="row">')
    .slice(1)
    .map((row) =>
      (row.split('</li>')[0] ?? '')
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );

describe('a webhook', () => {
  it('shows the secret of a new one once', async () => {
    const sent = { ...(await newForm()), ...values({ url: webhooks.receiver.url('/new') }) };
    const created = await admin.post(PATH, sent);
    const [id, secret] = [idIn(created), secretIn(created)];
    expect([created.status, secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    const again = await admin.post(PATH, sent);
    expect(leadsTo(again)).toEqual([303, `${PATH}/${id}?done=repeated`]);
    for (const path of ['', `/${id}?done=repeated`, `/${id}/edit`, `/${id}/delete`])
      expect((await admin.get(PATH + path)).text).not.toContain('whsec_');
    const kept = "SELECT FROM idempotency_keys WHERE position('whsec_' in body) > 0";
    expect(await server.sql(kept)).toEqual([]);
    const events = await server.sql(
      'SELECT type, via, actor_id FROM events WHERE resource_id = $1 ORDER BY created_at',
      [id],
    );
    expect(events).toEqual([{ type: 'webhook_endpoint.created', via: 'console', actor_id: admin.id }]);
    await admin.post(`${PATH}/${id}/test`);
    const { headers = {}, body = '' } = webhooks.receiver.at('/new').at(-1) ?? {};
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(new Webhook(secret).verify(body, named)).toMatchObject({ type: 'webhook.test' });
  });

  it('stores the chosen format, events and page', async () => {
    const page = (await server.page(tenant, { name: 'Acme <b>' })).id;
    const fields = {
      description: 'Support',
      format: 'slack',
      events: 'some',
      event_types: ['incident.created', 'incident.resolved'],
      status_page_id: page,
    };
    const { status, headers } = await create(fields);
    const path = headers.get('location') ?? '';
    expect([status, path]).toEqual([303, expect.stringMatching(/\?done=added$/)]);
    const id = idIn({ status, headers, text: path });
    const { events: _, ...columns } = fields;
    expect(await stored(id)).toMatchObject({ url: URL_OF_TEST, ...columns });
    const { text } = await admin.get(path);
    for (const part of ['Slack', 'Incident reported, Incident resolved', 'Acme &lt;b>', 'Support'])
      expect(text).toContain(part);
    await server.sql('DELETE FROM status_pages WHERE id = $1', [page]);
    expect((await admin.get(`${PATH}/${id}`)).text).toContain('which may be deleted');
    expect((await admin.get(`${PATH}/${id}/edit`)).text).toContain(`value="${page}" selected`);
  });

  it('shows what is wrong at its field, and keeps the rest', async () => {
    const wrong = await create({ url: '', events: 'some', format: 'x', description: 'x'.repeat(501) });
    expect([wrong.status, errorOf(wrong, 'url')]).toEqual([400, 'URL is missing.']);
    for (const field of ['event_types', 'format', 'description'])
      expect([field, errorOf(wrong, field)]).toEqual([field, expect.stringMatching(/^\w/)]);
    expect(wrong.text).toContain('x'.repeat(501));
    for (const url of ['ftp://example.com', 'https://10.0.0.1/', 'https://a@example.com/', '"><b>']) {
      const shown = await create({ url });
      expect([url, shown.status, errorOf(shown, 'url')]).toEqual([
        url,
        400,
        expect.stringMatching(/^URL must/),
      ]);
      expect(shown.text).not.toContain('"><b>');
    }
    const page = await create({ status_page_id: randomUUID() });
    expect([page.status, errorOf(page, 'status_page_id')]).toEqual([
      400,
      expect.stringContaining('no longer exists'),
    ]);
  });

  it('shows whether it is active, and why not', async () => {
    const { id } = await webhooks.endpoint();
    const state = async () => rowsIn(await admin.get(PATH))[0];
    expect(await state()).toMatch(/^127\.0\.0\.1:\d+\/[\w-]+ Active · Signed JSON$/);
    await set(id, "failing_since = now() - interval '3 hours'");
    expect(await state()).toContain('Active, but fails since ');
    for (const [reason, words] of [
      ['manual', 'Disabled by hand'],
      ['gone', '410 Gone'],
      ['failing', 'for five days'],
    ]) {
      await set(id, `status = 'disabled', disabled_reason = '${reason}'`);
      expect(await state()).toContain(words);
      expect((await admin.get(`${PATH}/${id}`)).text).toContain(words);
    }
  });

  it("shows the path of a chat's URL, and a query, only in the form", async () => {
    const chat = await webhooks.endpoint({
      format: 'slack',
      url: 'https://hooks.slack.com/services/T0/PATH-X',
    });
    const program = await webhooks.endpoint({ url: 'https://example.com/hook?token=QUERY-X' });
    const viewer = await person(tenant, 'viewer');
    for (const { id } of [chat, program])
      for (const by of [admin, viewer])
        for (const path of ['', `/${id}`])
          expect((await by.get(PATH + path)).text).not.toMatch(/PATH-X|QUERY-X/);
    expect((await admin.get(`${PATH}/${chat.id}/delete`)).text).not.toContain('PATH-X');
    expect((await admin.get(PATH)).text).toContain('example.com/hook?…');
    expect((await admin.get(`${PATH}/${chat.id}/edit`)).text).toContain('/services/T0/PATH-X');
    expect((await viewer.get(`${PATH}/${chat.id}/edit`)).status).toBe(403);
  });

  it('changes, also if a delivery has failed since the form was opened', async () => {
    const { id } = await webhooks.endpoint({ event_types: ['incident.created'] });
    const opened = hiddenIn(await admin.get(`${PATH}/${id}/edit`));
    await set(id, "failing_since = now(), updated_at = updated_at + interval '1 second'");
    const saved = await admin.post(`${PATH}/${id}/edit`, { ...opened, ...values({ description: 'New' }) });
    expect(leadsTo(saved)).toEqual([303, `${PATH}/${id}?done=saved`]);
    expect(await stored(id)).toMatchObject({ url: URL_OF_TEST, description: 'New', event_types: [] });
  });

  it("shows another member's change, and overwrites nothing", async () => {
    const { id } = await webhooks.endpoint();
    const path = `${PATH}/${id}/edit`;
    const opened = hiddenIn(await admin.get(path));
    const own = (description: string) =>
      values({ description, events: 'some', event_types: ['incident.created'] });
    await save(await person(tenant, 'admin'), path, values({ description: 'By Sam' }));
    const stale = await admin.post(path, { ...opened, ...own('By Pat') });
    expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('has changed this since')]);
    for (const part of ['>By Sam</blockquote>', '>All events, also kinds that are added later</blockquote>'])
      expect(stale.text).toContain(part);
    expect(stale.text).toContain('value="By Pat"');
    expect(await stored(id)).toMatchObject({ description: 'By Sam' });
    const deletion = await admin.post(`${PATH}/${id}/delete`, { ...opened, step: 'delete' });
    expect([deletion.status, await stored(id)]).toEqual([409, expect.anything()]);
    await admin.post(path, { ...hiddenIn(stale), ...own('By Pat') });
    expect(await stored(id)).toMatchObject({ description: 'By Pat' });
  });

  it('stops and works again by a button', async () => {
    const { id } = await webhooks.endpoint();
    await set(id, 'failing_since = now()');
    const to = (status: string) => admin.post(`${PATH}/${id}/status`, { status });
    expect(leadsTo(await to('disabled'))).toEqual([303, `${PATH}/${id}?done=disabled`]);
    expect(await stored(id)).toMatchObject({ status: 'disabled', disabled_reason: 'manual' });
    expect((await admin.get(`${PATH}/${id}`)).text).toContain('name="status" value="enabled"');
    expect(leadsTo(await to('enabled'))).toEqual([303, `${PATH}/${id}?done=enabled`]);
    expect(await stored(id)).toMatchObject({ status: 'enabled', disabled_reason: null, failing_since: null });
    for (const wrong of ['', 'gone']) expect((await to(wrong)).status).toBe(400);
  });

  it('replaces its secret, and shows the new one once', async () => {
    const { id, secret } = await webhooks.endpoint();
    const shown = await admin.get(`${PATH}/${id}`);
    expect(shown.text).toContain('For 24 hours');
    const sent = hiddenIn(shown);
    const rotated = await admin.post(`${PATH}/${id}/secret`, sent);
    expect([rotated.status, secretIn(rotated)]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    expect(secretIn(rotated)).not.toBe(secret);
    const again = await admin.post(`${PATH}/${id}/secret`, sent);
    expect([...leadsTo(again), again.text.includes('whsec_')]).toEqual([
      303,
      `${PATH}/${id}?done=repeated`,
      false,
    ]);
    expect((await admin.get(`${PATH}/${id}`)).text).toMatch(
      /former secret works until \d+ \w+, \d\d:\d\d UTC/,
    );
    const count = "SELECT FROM events WHERE resource_id = $1 AND type = 'webhook_endpoint.secret_rotated'";
    expect(await server.sql(count, [id])).toHaveLength(1);
  });

  it('disappears after a question', async () => {
    const { id } = await webhooks.endpoint();
    const question = await admin.get(`${PATH}/${id}/delete`);
    expect(question.text).toMatch(/Delete this webhook[?][^]*127\.0\.0\.1:\d+[^]* gets no more messages/);
    const path = `${PATH}/${id}/delete`;
    expect((await admin.post(path, hiddenIn(question))).status).toBe(200);
    expect(await stored(id)).toBeDefined();
    const deleted = await admin.post(path, { ...hiddenIn(question), step: 'delete' });
    expect(leadsTo(deleted)).toEqual([303, `${PATH}?project=${tenant.project_id}&done=deleted`]);
    expect(await stored(id)).toBeUndefined();
  });

  it('shows no form to members who cannot change it', async () => {
    const { id } = await webhooks.endpoint();
    const [delivery] = await insert(id);
    const editor = await person(tenant, 'editor');
    for (const path of [PATH, `${PATH}/${id}`, `${PATH}/${id}/deliveries/${delivery}`]) {
      const { status, text } = await editor.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/action="\/manage\/webhooks|\/webhooks\/new|\/edit"|\/delete"/);
    }
  });
});

describe('a test of a webhook', () => {
  it('shows the response as text, and leaves no delivery', async () => {
    webhooks.receiver.respond = (response) => response.writeHead(202).end('<script>alert(1)</script>');
    const { id, path } = await webhooks.endpoint();
    const { status, text } = await admin.post(`${PATH}/${id}/test`);
    expect([status, text]).toEqual([200, expect.stringContaining('The test works')]);
    expect(text).toContain('&lt;script>alert(1)');
    expect(text).not.toContain('<script>');
    expect(webhooks.receiver.at(path)).toHaveLength(1);
    expect(await webhooks.deliveries({ id })).toEqual([]);
  });

  it('shows why it fails', async () => {
    webhooks.receiver.respond = (response) => response.writeHead(500).end('broken');
    const { id } = await webhooks.endpoint();
    const { status, text } = await admin.post(`${PATH}/${id}/test`);
    expect([status, text]).toEqual([200, expect.stringContaining('The test fails: status 500.')]);
    expect(text).toContain('broken</pre>');
    await server.sql('UPDATE webhook_endpoints SET secret = $2 WHERE id = $1', [id, Buffer.alloc(90, 1)]);
    const conflict = await admin.post(`${PATH}/${id}/test`);
    expect([conflict.status, summaryOf(conflict)]).toEqual([
      400,
      expect.stringContaining('Rotate the secret'),
    ]);
  });

  it('counts like the API, at most ten a minute', async () => {
    const { id, path } = await webhooks.endpoint();
    for (let count = 0; count < 10; count++)
      expect((await admin.post(`${PATH}/${id}/test`)).status).toBe(200);
    expect((await admin.post(`${PATH}/${id}/test`)).status).toBe(429);
    expect(webhooks.receiver.at(path)).toHaveLength(10);
  });
});

describe('deliveries of a webhook', () => {
  it('lists them by state, newest first, and page by page', async () => {
    const { id } = await webhooks.endpoint();
    await insert(id, { status: 'delivered', count: 12, attempts: [], age: 1 });
    const [failed] = await insert(id);
    const first = await admin.get(`${PATH}/${id}`);
    expect(rowsIn(first)).toHaveLength(10);
    expect(rowsIn(first)[0]).toMatch(
      /^Incident reported Failed · (?:now|\d+ seconds? ago) · 1 attempt · status 503$/,
    );
    const next = /href="([^"]*)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(rowsIn(await admin.get(next))).toHaveLength(3);
    const chosen = await admin.get(`${PATH}/${id}?status=failed`);
    expect([rowsIn(chosen).length, chosen.text.includes(`/deliveries/${failed}"`)]).toEqual([1, true]);
    expect(rowsIn(await admin.get(`${PATH}/${id}?status=cancelled`))).toEqual([]);
    expect((await admin.get(`${next}&status=failed`)).status).toBe(400);
  });

  it('shows the attempts of one, newest first, as text', async () => {
    const { id } = await webhooks.endpoint();
    const later = { ...ATTEMPT, status_code: null, response: null, error: 'connect <timeout>' };
    const [delivery] = await insert(id, { attempts: [{ ...ATTEMPT, response: '<b>Busy' }, later] });
    const { status, text } = await admin.get(`${PATH}/${id}/deliveries/${delivery}`);
    expect([status, text]).toEqual([200, expect.stringContaining('<code>incident.created</code>')]);
    const attempts = text.slice(text.indexOf('<ol class="attempts">'));
    expect(attempts).toMatch(
      /connect &lt;timeout>[^]*There was no response[^]*status 503[^]*&lt;b>Busy<\/pre>/,
    );
  });

  it('shows one whose event is no longer stored', async () => {
    const { id } = await webhooks.endpoint();
    const [delivery] = await insert(id);
    await server.sql('DELETE FROM events WHERE id = (SELECT event_id FROM deliveries WHERE id = $1)', [
      delivery,
    ]);
    for (const path of ['', `/deliveries/${delivery}`])
      expect((await admin.get(`${PATH}/${id}${path}`)).text).toContain('Event that no longer exists');
  });

  it('hides deliveries of other webhooks, projects and organizations', async () => {
    const [{ id }, other] = [await webhooks.endpoint(), await webhooks.endpoint()];
    const [delivery] = await insert(other.id);
    const project_id = await server.project(tenant.organization_id);
    const restricted = await person(tenant, 'admin', [project_id]);
    const foreign = await person(await server.tenant(), 'admin');
    const paths: [Person, string][] = [
      [admin, id],
      [restricted, other.id],
      [foreign, other.id],
    ];
    for (const [by, endpoint] of paths) {
      const path = `${PATH}/${endpoint}/deliveries/${delivery}`;
      expect((await by.get(path)).status).toBe(404);
      expect((await by.post(`${path}/retry`, { key: randomUUID() })).status).toBe(404);
    }
    expect(await webhooks.deliveries(other)).toEqual([expect.objectContaining({ status: 'failed' })]);
  });

  it('sends one again once, also if the form is sent twice', async () => {
    const { id, path } = await webhooks.endpoint();
    await webhooks.incident();
    await until(async () => (await webhooks.deliveries({ id }))[0]?.status === 'delivered');
    const [delivery] = await webhooks.deliveries({ id });
    const own = `${PATH}/${id}/deliveries/${delivery?.id}`;
    const sent = hiddenIn(await admin.get(own));
    for (const _ of [1, 2])
      expect(leadsTo(await admin.post(`${own}/retry`, sent))).toEqual([303, `${own}?done=again`]);
    await until(async () => webhooks.receiver.at(path).length === 2);
    await until(async () => (await webhooks.deliveries({ id }))[0]?.status === 'delivered');
    expect(webhooks.receiver.at(path)).toHaveLength(2);
    const retried =
      "SELECT FROM events WHERE resource_id = $1 AND type = 'delivery.retried' AND via = 'console'";
    expect(await server.sql(retried, [delivery?.id])).toHaveLength(1);
  });

  it('sends none again to a disabled webhook, and shows why', async () => {
    const { id } = await webhooks.endpoint();
    const [delivery] = await insert(id);
    const path = `${PATH}/${id}/deliveries/${delivery}`;
    const sent = hiddenIn(await admin.get(path));
    await admin.post(`${PATH}/${id}/status`, { status: 'disabled' });
    expect((await admin.get(path)).text).not.toContain('/retry"');
    const shown = await admin.post(`${path}/retry`, sent);
    expect([shown.status, summaryOf(shown)]).toEqual([400, expect.stringContaining('Enable it first')]);
  });
});

describe('a replay', () => {
  /** A tenant without other events, with a webhook. */
  async function fresh(): Promise<{ by: Person; path: string; own: Tenant }> {
    const own = await server.tenant();
    const json = { project_id: own.project_id, url: webhooks.receiver.url(`/${randomUUID()}`) };
    const made = await server.ask('/v1/webhook-endpoints', { method: 'POST', key: own.key, json });
    return { by: await person(own, 'admin'), path: `${PATH}/${made.body.data.id}`, own };
  }
  const deliveriesOf = (path: string) =>
    server.sql('SELECT FROM deliveries WHERE recipient_id = $1', [path.split('/').at(-1)]);

  it('shows the number of events first, then sends them once', async () => {
    const { by, path, own } = await fresh();
    const insertEvents = `INSERT INTO events (id, organization_id, project_id, type, resource_id, created_at)
      SELECT gen_random_uuid(), $1, $2, 'incident.deleted', gen_random_uuid(), now() - interval '1 hour' FROM generate_series(1, 3)`;
    await server.sql(insertEvents, [own.organization_id, own.project_id]);
    const since = new Date(Date.now() - 7_200_000).toISOString().slice(0, 16);
    const review = await by.post(`${path}/replay`, { since });
    expect([review.status, review.text]).toEqual([
      200,
      expect.stringMatching(/3 events since \d+ \w+, \d\d:\d\d UTC will be sent/),
    ]);
    expect(await deliveriesOf(path)).toEqual([]);
    const sent = { ...hiddenIn(review), step: 'publish' };
    for (const _ of [1, 2])
      expect(leadsTo(await by.post(`${path}/replay`, sent))).toEqual([303, `${path}?done=sent-3`]);
    expect(await deliveriesOf(path)).toHaveLength(3);
    expect((await by.get(`${path}?done=sent-3`)).text).toContain('3 events are sent again.');
    const replays = "SELECT FROM events WHERE organization_id = $1 AND type = 'webhook_endpoint.replayed'";
    expect(await server.sql(replays, [own.organization_id])).toHaveLength(1);
    const empty = await by.post(`${path}/replay`, { since: new Date().toISOString().slice(0, 16) });
    expect([empty.text.includes('No event of this webhook'), empty.text.includes('value="publish"')]).toEqual(
      [true, false],
    );
  });

  it('shows what is wrong with the time at its field', async () => {
    const { by, path } = await fresh();
    for (const since of ['tomorrow', '2020-01-01T00:00', '2199-01-01T00:00']) {
      const shown = await by.post(`${path}/replay`, { since });
      expect([since, shown.status, errorOf(shown, 'since')]).toEqual([
        since,
        400,
        expect.stringMatching(/^Since \(UTC\) must/),
      ]);
    }
  });

  it('needs an active webhook, and counts like the API', async () => {
    const { by, path } = await fresh();
    await by.post(`${path}/status`, { status: 'disabled' });
    expect((await by.get(path)).text).not.toContain('/replay"');
    const disabled = await by.post(`${path}/replay`);
    expect([disabled.status, summaryOf(disabled)]).toEqual([400, expect.stringContaining('Enable it first')]);
    for (let count = 1; count < 10; count++) expect((await by.post(`${path}/replay`)).status).toBe(400);
    expect((await by.post(`${path}/replay`)).status).toBe(429);
  });
});

describe('screens of webhooks', () => {
  it('stay within 30 kB with many long texts', async () => {
    const large = await server.tenant();
    const own = await person(large, 'admin');
    const long = { name: '&'.repeat(200), project_id: large.project_id };
    for (let count = 0; count < 30; count++)
      await server.ask('/v1/status-pages', { method: 'POST', key: large.key, json: long });
    await server.sql(
      `INSERT INTO webhook_endpoints (id, organization_id, project_id, url, description, event_types, secret)
       SELECT gen_random_uuid(), $1, $2, 'https://example.com/' || i || repeat('&', 1900), repeat('"', 500), $3, ''
         FROM generate_series(1, 60) i`,
      [
        large.organization_id,
        large.project_id,
        ['incident.created', 'incident.updated', 'monitor.status_changed'],
      ],
    );
    let path: string | undefined = PATH;
    let count = 0;
    let id = '';
    for (let index = 0; path !== undefined && index < 4; index++) {
      const shown = await own.get(path);
      expect(Buffer.byteLength(shown.text)).toBeLessThanOrEqual(MAX_BYTES);
      count += rowsIn(shown).length;
      id = idIn({ ...shown, text: shown.text.slice(shown.text.indexOf('<li class="row">')) });
      path = /href="([^"]*)" rel="next"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(count).toBe(60);
    const attempt = { ...ATTEMPT, response: '"'.repeat(500), error: '&'.repeat(200) };
    const endpoint = await webhooks.endpoint({ description: '"'.repeat(500) });
    const [delivery] = await insert(endpoint.id, {
      count: 12,
      attempts: Array.from({ length: 10 }, () => attempt),
    });
    for (const [by, one] of [
      [own, `/${id}`],
      [own, `/${id}/edit`],
      [admin, `/${endpoint.id}`],
      [admin, `/${endpoint.id}/deliveries/${delivery}`],
    ] as const) {
      const { status, text } = await by.get(PATH + one);
      expect([one, status, Buffer.byteLength(text) <= MAX_BYTES]).toEqual([one, 200, true]);
    }
  });

  it('change nothing by GET', async () => {
    const { id, path } = await webhooks.endpoint();
    const [delivery] = await insert(id);
    const read = async () => [await stored(id), await webhooks.deliveries({ id })];
    const before = await read();
    const query = '?step=delete&status=disabled&done=added&since=2020-01-01T00:00&key=' + randomUUID();
    const own = ['', '/edit', '/delete', '/status', '/secret', '/test', '/replay', `/deliveries/${delivery}`];
    for (const part of [...own, `/deliveries/${delivery}/retry`])
      expect([200, 404, 405]).toContain((await admin.get(`${PATH}/${id}${part}${query}`)).status);
    expect(await read()).toEqual(before);
    expect(webhooks.receiver.at(path)).toEqual([]);
  });
});
