import { beforeAll, describe, expect, it } from 'vitest';
import { until, useTenant, useTestServer } from '../support/server.js';
import { hiddenIn, type Person, publish, type Shown, useConsole, valueIn } from './use-console.js';

const WEBHOOK_ALLOWED_NETWORKS = '127.0.0.0/8';
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'status@example.com', NOTIFY_DELAY: '0' };
const server = useTestServer({ ...MAIL, WEBHOOK_ALLOWED_NETWORKS, DELIVERY: 'on' });
const tenant = useTenant(server);
const { ask, person } = useConsole(server);

const SUBSCRIBERS = 7;
const HOSTILE = '<script>alert(1)</script>"\'&';

let pat: Person;
let monitors: string[];
beforeAll(async () => {
  pat = await person(tenant);
  monitors = await server.monitors(tenant, 3);
  const sections = [{ id: 'a', title: 'A', monitor_ids: monitors }];
  const page = await server.page(tenant, { name: 'Acme', sections, subscribe_enabled: true });
  await server.sql(
    `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, source)
     SELECT gen_random_uuid(), $1, $2, $3, n || '@example.com', n || '@example.com', 'active', 'api'
       FROM generate_series(1, $4::integer) AS n`,
    [tenant.organization_id, tenant.project_id, page.id, SUBSCRIBERS],
  );
  const endpoint = { project_id: tenant.project_id, url: 'http://127.0.0.1:1/', event_types: [] };
  await server.ask('/v1/webhook-endpoints', { method: 'POST', key: tenant.key, json: endpoint });
});

const form = (fields: Record<string, string> = {}) => ({
  project_id: tenant.project_id,
  title: 'Payments fail',
  body: 'We look for the cause.',
  status: 'investigating',
  [`monitor.${monitors[0]}`]: 'major_outage',
  notify: 'on',
  ...fields,
});

const counts = async (title: string) =>
  (await server.sql<unknown[]>('SELECT FROM incidents WHERE title = $1', [title])).length;

/** Numbers of a review: people, webhooks, pages. */
const numbersIn = ({ text }: Shown) =>
  [...text.matchAll(/<dd>([\d,]+)<\/dd>/g)].map(([, number]) => Number(number));

describe('POST /manage/incidents', () => {
  it('shows what will happen, and changes nothing before it is published', async () => {
    const title = 'Only reviewed';
    const reviewed = await pat.post('/manage/incidents', form({ title }));
    expect(reviewed.text).toContain(title);
    expect(reviewed.text).toContain('Affects <bdi>Monitor 1</bdi>');
    expect(numbersIn(reviewed)).toEqual([SUBSCRIBERS, 1, 1]);
    expect(await counts(title)).toBe(0);
  });

  it('publishes what was reviewed, to as many as the review shows', async () => {
    const title = 'Counted';
    const reviewed = await pat.post('/manage/incidents', form({ title }));
    const [people = 0, webhooks = 0] = numbersIn(reviewed);
    const { headers } = await pat.post('/manage/incidents', { ...hiddenIn(reviewed), step: 'publish' });
    const id = headers.get('location')?.split('/').at(-1);
    const sent = await until(async () => {
      const rows = await server.sql<{ channel: string; number: number }[]>(
        `SELECT channel, count(*)::integer AS number FROM deliveries
          WHERE event_id IN (SELECT id FROM events WHERE resource_id = $1) GROUP BY channel ORDER BY channel`,
        [id],
      );
      return rows.length === 2 && rows;
    });
    expect(sent).toEqual([
      { channel: 'email', number: people },
      { channel: 'webhook', number: webhooks },
    ]);
    const [event] = await server.sql<{ via: string; actor_type: string; actor_id: string }[]>(
      'SELECT via, actor_type, actor_id FROM events WHERE resource_id = $1',
      [id],
    );
    expect(event).toEqual({ via: 'console', actor_type: 'member', actor_id: pat.id });
  });

  it('publishes a form once that is sent twice, one after the other and at the same time', async () => {
    for (const isParallel of [false, true]) {
      const title = `Sent twice ${isParallel}`;
      const reviewed = await pat.post('/manage/incidents', form({ title }));
      const send = () => pat.post('/manage/incidents', { ...hiddenIn(reviewed), step: 'publish' });
      const [one, other] = isParallel ? await Promise.all([send(), send()]) : [await send(), await send()];
      expect([one.status, other.status]).toEqual([303, 303]);
      expect(other.headers.get('location')).toBe(one.headers.get('location'));
      expect(await counts(title)).toBe(1);
    }
  });

  it('publishes nothing else by the same form', async () => {
    const reviewed = await pat.post('/manage/incidents', form({ title: 'First' }));
    const fields = { ...hiddenIn(reviewed), step: 'publish' };
    await pat.post('/manage/incidents', fields);
    const changed = await pat.post('/manage/incidents', { ...fields, title: 'Second' });
    expect([changed.status, await counts('Second')]).toEqual([422, 0]);
  });

  it('shows at each field what is wrong, in words, and keeps the rest', async () => {
    const { status, text } = await pat.post('/manage/incidents', form({ title: ' ', body: 'Kept text' }));
    expect(status).toBe(400);
    expect(text).toContain('Title needs some text.');
    expect(text).toContain('Title needs your attention');
    expect(text).toContain('Kept text');
    expect(text).toMatch(/id="title"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="title"/);
    const long = await pat.post('/manage/incidents', form({ title: 'x'.repeat(201) }));
    expect(long.text).toMatch(/Title must have [^<]*200 characters/);
  });

  it('shows the errors of the service at their fields', async () => {
    const other = await server.tenant();
    const [foreign = ''] = await server.monitors(other, 1);
    const { status, text } = await pat.post(
      '/manage/incidents',
      form({ [`monitor.${foreign}`]: 'major_outage' }),
    );
    expect([status, text]).toEqual([400, expect.stringContaining('belongs to another project')]);
  });

  it('escapes every text', async () => {
    const path = await publish(pat, '/manage/incidents', form({ title: HOSTILE, body: HOSTILE }));
    for (const shown of [path, '/manage', `${path}/edit`, `${path}/postmortem`]) {
      const { text } = await pat.get(shown);
      expect([shown, text.includes('<script>')]).toEqual([shown, false]);
      expect(text).toContain('&lt;script');
    }
    const reviewed = await pat.post(
      '/manage/incidents',
      form({ title: HOSTILE, body: HOSTILE, find: HOSTILE }),
    );
    expect(reviewed.text).not.toContain('<script>');
    const again = await pat.post(
      '/manage/incidents',
      form({ title: HOSTILE, body: HOSTILE, find: HOSTILE, step: 'find' }),
    );
    expect(again.text).not.toContain('<script>');
    expect((await pat.get('/manage')).text).toContain('Pat &lt;responder>');
  });

  it('keeps what was written if the session ends in the meantime', async () => {
    const gone = await person(tenant);
    const fields = {
      ...form({ title: 'Kept', body: 'Line 1\r\nLine 2' }),
      token: hiddenIn(await gone.get('/manage'))['token'] ?? '',
    };
    await server.sql('DELETE FROM member_sessions WHERE member_id = $1', [gone.id]);
    const refused = await ask('/manage/incidents', { cookie: gone.cookie, form: fields });
    expect(refused.status).toBe(403);
    const kept = new URLSearchParams(String(hiddenIn(refused)['kept']));
    expect([kept.get('title'), kept.get('body')]).toEqual(['Kept', 'Line 1\r\nLine 2']);
    expect(valueIn(refused, 'kept_to')).toBe('/manage/incidents');
    // after another sign-in, the same form continues with the token of the new session
    const { token: _, ...sent } = fields;
    const resumed = await pat.post('/manage/incidents', { ...sent, token: '' });
    const continued = await pat.post('/manage/incidents', hiddenIn(resumed));
    expect([continued.status, continued.text]).toEqual([200, expect.stringContaining('Kept')]);
  });

  it('reviews a form again that was published with another session', async () => {
    const title = 'Published by whom?';
    const reviewed = await pat.post('/manage/incidents', form({ title }));
    const sent = { ...hiddenIn(reviewed), step: 'publish', token: '' };
    const withoutSession = await ask('/manage/incidents', { form: sent });
    expect(new URLSearchParams(String(hiddenIn(withoutSession)['kept'])).has('step')).toBe(false);
    const other = await person(tenant);
    const continued = await other.post(
      '/manage/incidents',
      hiddenIn(await other.post('/manage/incidents', sent)),
    );
    expect([continued.status, continued.text]).toEqual([
      200,
      expect.stringContaining('Nothing has been sent'),
    ]);
    expect(await counts(title)).toBe(0);
  });
});

describe('an open incident', () => {
  it('gets updates, is resolved, and gets a postmortem', async () => {
    const path = await publish(pat, '/manage/incidents', form({ title: 'A whole night' }));
    const version = async () => valueIn(await pat.get(path), 'updated_at');
    const updated_at = await version();
    await publish(pat, `${path}/updates`, {
      updated_at,
      status: 'identified',
      body: 'It is the disk.',
      notify: 'on',
      [`monitor.${monitors[0]}`]: 'partial_outage',
    });
    await publish(pat, `${path}/updates`, {
      updated_at: await version(),
      status: 'resolved',
      body: '',
      notify: 'on',
    });
    const { text } = await pat.get(path);
    expect(text).toContain('It is the disk.');
    expect(text).toContain('This incident is resolved.');
    await publish(pat, `${path}/postmortem`, {
      updated_at: await version(),
      postmortem: 'The disk was full.',
      notify: 'on',
    });
    await publish(pat, `${path}/edit`, { updated_at: await version(), title: 'A whole night (disk)' });
    const { body } = await server.ask<{ data: object }>(path.replace('/manage', '/v1'), { key: tenant.key });
    expect(body.data).toMatchObject({
      title: 'A whole night (disk)',
      status: 'resolved',
      postmortem: 'The disk was full.',
    });
  });

  it("shows another member's change beside one's own text, and loses neither", async () => {
    const path = await publish(pat, '/manage/incidents', form({ title: 'Two people' }));
    const updated_at = valueIn(await pat.get(path), 'updated_at');
    const sam = await person(tenant, 'editor');
    await publish(sam, `${path}/updates`, {
      updated_at,
      status: 'identified',
      body: 'Text of Sam',
      notify: 'on',
    });
    const conflict = await pat.post(`${path}/updates`, {
      updated_at,
      status: 'monitoring',
      body: 'Text of Pat',
    });
    expect(conflict.status).toBe(409);
    expect(conflict.text).toContain('Pat &lt;editor> has changed this');
    for (const text of ['Text of Sam', 'Text of Pat']) expect(conflict.text).toContain(text);
    const next = valueIn(conflict, 'updated_at');
    await publish(pat, `${path}/updates`, { updated_at: next, status: 'monitoring', body: 'Text of Pat' });
    const { text } = await pat.get(path);
    for (const one of ['Text of Sam', 'Text of Pat']) expect(text).toContain(one);
  });

  it('finds a change also between the review and the publication', async () => {
    const path = await publish(pat, '/manage/incidents', form({ title: 'Late change' }));
    const updated_at = valueIn(await pat.get(path), 'updated_at');
    const reviewed = await pat.post(`${path}/edit`, { updated_at, title: 'By Pat' });
    await publish(await person(tenant, 'editor'), `${path}/edit`, { updated_at, title: 'By Sam' });
    const { status, text } = await pat.post(`${path}/edit`, { ...hiddenIn(reviewed), step: 'publish' });
    expect(status).toBe(409);
    for (const title of ['By Pat', 'By Sam']) expect(text).toContain(title);
  });
});

describe('the screen of an incident', () => {
  it('links to the public page that shows it, and to no private page', async () => {
    const own = await server.tenant();
    const [shown = '', hidden = ''] = await server.monitors(own, 2);
    const page = (name: string, monitor: string, is_public: boolean) =>
      server.page(own, { name, is_public, sections: [{ id: 'a', title: 'A', monitor_ids: [monitor] }] });
    const { slug } = await page('Open page', shown, true);
    await page('Closed page', hidden, false);
    const member = await person(own);
    const screenOf = async (monitor_id: string) => {
      const affected = [{ monitor_id, status: 'major_outage' }];
      const json = { project_id: own.project_id, title: 'Down', monitors: affected };
      const { body } = await server.ask('/v1/incidents', { method: 'POST', key: own.key, json });
      return { id: body.data.id, text: (await member.get(`/manage/incidents/${body.data.id}`)).text };
    };
    const open = await screenOf(shown);
    const [, path = ''] = /<a href="([^"]*)">See it on Open page</.exec(open.text) ?? [];
    expect(path).toContain(`/status/${slug}/incidents/${open.id}`);
    expect((await screenOf(hidden)).text).not.toContain('See it on');
  });
});

describe('GET /manage/incidents/new', () => {
  it('fills the form from a template and from a monitor', async () => {
    const json = {
      project_id: tenant.project_id,
      name: 'API',
      title: 'API is down',
      body: 'From the template',
      monitors: [],
    };
    const { body } = await server.ask('/v1/incident-templates', { method: 'POST', key: tenant.key, json });
    const query = new URLSearchParams({
      project: tenant.project_id,
      template: body.data.id,
      monitor: monitors[1] ?? '',
    });
    const { text } = await pat.get(`/manage/incidents/new?${query}`);
    expect(text).toContain('value="API is down"');
    expect(text).toContain('From the template');
    expect(text).toMatch(new RegExp(`name="monitor.${monitors[1]}" value="major_outage" checked`));
  });

  it('finds monitors by name and keeps the chosen ones', async () => {
    const { text } = await pat.post('/manage/incidents', form({ step: 'find', find: 'monitor 3' }));
    expect(text).toMatch(new RegExp(`name="monitor.${monitors[0]}" value="major_outage" checked`));
    expect(text).toContain(`name="monitor.${monitors[2]}"`);
    expect(text).not.toContain(`name="monitor.${monitors[1]}"`);
  });
});
