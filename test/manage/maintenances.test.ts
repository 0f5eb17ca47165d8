import { beforeAll, describe, expect, it } from 'vitest';
import { type Tenant, useTenant, useTestServer } from '../support/server.js';
import { hiddenIn, type Person, publish, useConsole, valueIn } from './use-console.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let pat: Person;
beforeAll(async () => {
  pat = await person(tenant);
});

const read = async (path: string, { key }: Pick<Tenant, 'key'> = tenant) =>
  (await server.ask<{ data: Record<string, unknown> }>(path.replace('/manage', '/v1'), { key })).body.data;

const pageIn = async (of: Tenant, time_zone: string, name = 'Acme') => {
  const { id } = await server.page(of, { name });
  await server.ask(`/v1/status-pages/${id}/branding`, { method: 'PATCH', key: of.key, json: { time_zone } });
  return id;
};

const NEW = '/manage/maintenances/new';
const fields = (starts_at: string, ends_at: string) => ({
  project_id: tenant.project_id,
  title: 'Database upgrade',
  body: '',
  starts_at,
  ends_at,
});

describe('the times of a maintenance window', () => {
  let newYork: string;
  beforeAll(async () => {
    await pageIn(tenant, 'Europe/Berlin', 'Acme Berlin');
    newYork = await pageIn(tenant, 'America/New_York');
  });

  // New York changes its clocks two weeks before Berlin.
  it.each([
    ['2027-01-10T02:00', '2027-01-10T01:00:00.000Z'],
    ['2027-03-14T02:30', '2027-03-14T01:30:00.000Z'],
    ['2027-03-28T03:00', '2027-03-28T01:00:00.000Z'],
    ['2027-10-31T02:30', '2027-10-31T00:30:00.000Z'],
  ])('%s are in the zone that the form shows, also if another page is chosen', async (typed, starts_at) => {
    const shown = await pat.get(NEW);
    expect(shown.text).toContain('In Europe/Berlin, the time zone of the page “Acme Berlin”.');
    const sent = { ...hiddenIn(shown), ...fields(typed, `${typed.slice(0, 11)}05:00`) };
    for (const status_page_ids of [[], [newYork]]) {
      const path = await publish(pat, '/manage/maintenances', { ...sent, status_page_ids });
      expect([status_page_ids, (await read(path))['starts_at']]).toEqual([status_page_ids, starts_at]);
    }
  });

  it('keep their zone when another page is chosen in an edit', async () => {
    const path = await publish(pat, '/manage/maintenances', {
      ...hiddenIn(await pat.get(NEW)),
      ...fields('2027-01-10T02:00', '2027-01-10T03:00'),
    });
    const opened = await pat.get(`${path}/edit`);
    const sent = { ...hiddenIn(opened), ...fields('2027-01-10T02:00', '2027-01-10T04:00') };
    await publish(pat, `${path}/edit`, { ...sent, status_page_ids: newYork });
    const [starts_at, ends_at] = ['2027-01-10T01:00:00.000Z', '2027-01-10T03:00:00.000Z'];
    expect(await read(path)).toMatchObject({ starts_at, ends_at, status_page_ids: [newYork] });
    const again = await pat.get(`${path}/edit`);
    expect([valueIn(again, 'time_zone'), again.text]).toEqual([
      'America/New_York',
      expect.stringContaining('value="2027-01-09T20:00"'),
    ]);
  });

  it('count in UTC if the project has no page, and the form shows it', async () => {
    const own = await server.tenant();
    expect((await (await person(own)).get(NEW)).text).toContain('In the time zone UTC.');
  });

  it('ignore a zone that does not exist', async () => {
    const typed = fields('2027-01-10T02:00', '2027-01-10T03:00');
    const path = await publish(pat, '/manage/maintenances', { ...typed, time_zone: 'Europe/Nowhere' });
    expect((await read(path))['starts_at']).toBe('2027-01-10T01:00:00.000Z');
  });
});

describe('a maintenance window', () => {
  const HOUR = 3_600_000;
  const created = async (json: object, of = tenant): Promise<string> => {
    const all = { project_id: of.project_id, title: 'By the API', ...json };
    const { body } = await server.ask('/v1/maintenances', { method: 'POST', key: of.key, json: all });
    return `/manage/maintenances/${body.data.id}`;
  };
  const around = (before: number, after: number) => ({
    starts_at: new Date(Date.now() - before).toISOString(),
    ends_at: new Date(Date.now() + after).toISOString(),
  });

  it('shows its actual end if it is ended early, also in the review', async () => {
    const path = await created(around(1.5 * HOUR, 1.5 * HOUR));
    const actual = '1\u00A0h\u00A030\u00A0min';
    const before = await pat.get(path);
    expect([before.text.includes('3\u00A0h'), before.text.includes(actual)]).toEqual([true, false]);
    const end = { updated_at: valueIn(before, 'updated_at'), action: 'end', notify: 'on', back: path };
    const reviewed = await pat.post(`${path}/actions`, end);
    expect([reviewed.status, reviewed.text]).toEqual([200, expect.stringContaining(actual)]);
    await publish(pat, `${path}/actions`, end);
    expect((await pat.get(path)).text).toContain(actual);
  });

  const local = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString().slice(0, 16);
  const review = (from: number, to: number, json: object = {}) =>
    pat.post('/manage/maintenances', {
      ...fields(local(from), local(to)),
      time_zone: 'UTC',
      notify: 'on',
      ...json,
    });
  const WARNINGS = {
    past: 'The end is in the past.',
    started: 'so it starts immediately',
    long: 'Check that the end is right.',
  };
  const warningsIn = (text: string) =>
    Object.entries(WARNINGS).flatMap(([name, words]) => (text.includes(words) ? [name] : []));

  it.each([
    [1, 3, 'Lasts 2 h.', []],
    [-1, 1, 'Lasts 2 h.', ['started']],
    [1, 14, 'Lasts 13 h.', ['long']],
    [-20, 1, 'Lasts 21 h.', ['started', 'long']],
    [-3, -1, 'Lasts 2 h.', ['past']],
  ])(
    'shows its duration and unusual times before it is published (%i to %i h)',
    async (from, to, lasts, warnings) => {
      const { text } = await review(from, to);
      expect([text.includes(lasts), warningsIn(text)]).toEqual([true, warnings]);
    },
  );

  it('shows its pages also if it is over, and why no message is sent', async () => {
    const own = await server.tenant();
    await server.page(own, { name: 'Own page' });
    const by = await person(own);
    const { text } = await by.post('/manage/maintenances', {
      ...fields(local(-3), local(-1)),
      project_id: own.project_id,
      notify: 'on',
    });
    expect(text).toMatch(/<dt>page shows it<\/dt><dd>1<\/dd><dd class="names"><bdi>Own page<\/bdi>/);
    expect(text).toContain('It is over already, so no messages are sent.');
    expect(text).toContain('You chose no monitor: the only page of the project shows it.');
  });

  it('gets an update after a review, which shows that no message is sent', async () => {
    const path = await created(around(HOUR, HOUR));
    const updated_at = valueIn(await pat.get(path), 'updated_at');
    const sent = { updated_at, body: 'Half of it is done.' };
    const { text } = await pat.post(`${path}/updates`, { ...sent, step: 'review' });
    for (const shown of ['Half of it is done.', 'No messages are sent.']) expect(text).toContain(shown);
    expect(await publish(pat, `${path}/updates`, sent)).toBe(path);
    expect((await pat.get(path)).text).toContain('Half of it is done.');
  });

  it('sends no message for an edit that keeps its times, and the review shows it', async () => {
    const path = await created({ ...around(-HOUR, 2 * HOUR), notify: true });
    const shown = await pat.get(`${path}/edit`);
    const times = [...shown.text.matchAll(/name="(starts_at|ends_at)"[^>]* value="([^"]*)"/g)];
    const values = Object.fromEntries(times.map(([, name = '', value = '']) => [name, value]));
    const sent = { ...hiddenIn(shown), title: 'Another title', body: '', notify: 'on', ...values };
    const { text } = await pat.post(`${path}/edit`, sent);
    expect(text).toContain('No messages are sent. It only appears on the page.');
  });

  it('shows when it starts by itself, and offers to start it now last', async () => {
    const own = await server.tenant();
    const path = await created(around(-HOUR, 2 * HOUR), own);
    const { text } = await (await person(own)).get(path);
    expect(text).toMatch(/Starts by itself \d+ \w+, \d\d:\d\d UTC/);
    const buttons = [...text.matchAll(/>(Edit|Start now|Cancel maintenance)</g)].map(([, name]) => name);
    expect(buttons).toEqual(['Edit', 'Cancel maintenance', 'Start now']);
  });

  it('names the action in its review, with a red button if it takes the window away', async () => {
    const path = await created(around(-HOUR, 2 * HOUR));
    const updated_at = valueIn(await pat.get(path), 'updated_at');
    const act = { updated_at, notify: 'on', back: path };
    const { text } = await pat.post(`${path}/actions`, { ...act, action: 'cancel' });
    expect(text).toContain('This is what happens when you press “Cancel maintenance” below.');
    expect(text).toMatch(/<button class="button danger" type="submit" name="step" value="publish">Cancel/);
    const start = await pat.post(`${path}/actions`, { ...act, action: 'start' });
    expect(start.text).not.toContain('danger');
    const done = await pat.post(`${path}/actions`, { ...hiddenIn(start), step: 'publish' });
    expect((await pat.get(done.headers.get('location') ?? '')).text).toContain('role="status">Done.<');
  });

  it('links to the pages that show it, and to no other', async () => {
    const own = await server.tenant();
    const [one = '', other = ''] = await server.monitors(own, 2);
    const page = (name: string, monitor: string) =>
      server.page(own, { name, sections: [{ id: 'a', title: 'A', monitor_ids: [monitor] }] });
    await page('Shows it', one);
    await page('Does not', other);
    const path = await created({ ...around(-HOUR, 2 * HOUR), monitor_ids: [one] }, own);
    const { text } = await (await person(own)).get(path);
    const [, href = ''] = /See it on <a href="([^"]*)"><bdi>Shows it<\/bdi><\/a><\/p>/.exec(text) ?? [];
    expect((await fetch(new URL(href, server.url))).status).toBe(200);
  });

  it.each([
    ['starts_at', 'Start is missing.'],
    ['ends_at', 'End is missing.'],
  ])('keeps its %s if an edit removes it, and shows the error', async (name, error) => {
    const path = await created(around(-HOUR, 2 * HOUR));
    const shown = await pat.get(`${path}/edit`);
    const sent = { ...hiddenIn(shown), ...fields('2027-01-10T02:00', '2027-01-10T03:00'), [name]: '' };
    const { status, text } = await pat.post(`${path}/edit`, sent);
    expect([status, text]).toEqual([400, expect.stringContaining(error)]);
  });
});
