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

const pageIn = async (of: Tenant, time_zone: string) => {
  const { id } = await server.page(of);
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
    await pageIn(tenant, 'Europe/Berlin');
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
    expect(shown.text).toContain('In the time zone of the page: Europe/Berlin');
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
