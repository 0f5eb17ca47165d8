import { describe, expect, it } from 'vitest';
import type { Incident, IncidentUpdate } from '../../clients/typescript/src/index.js';
import { useVisits } from '../public-page/use-visits.js';
import type { One } from '../support/server.js';

const { tenant, send, incident, monitorIn, pageOf, summaryOf, visit } = useVisits();

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** Creates an incident with two updates, the later one created first, and deletes its first update. */
async function withoutFirst(monitorId: string, later: string, earlier: string): Promise<Incident> {
  const { id } = await incident({ [monitorId]: 'major_outage' }, { started_at: ago(60) });
  const updates = `/v1/incidents/${id}/updates`;
  const [first] = (await send<{ data: IncidentUpdate[] }>('GET', updates)).body.data;
  const monitors = [{ monitor_id: monitorId, status: 'partial_outage' }];
  const changes = [
    { status: later, body: 'The later one.', monitors, posted_at: ago(20) },
    { status: earlier, body: 'The earlier one.', monitors, posted_at: ago(40) },
  ];
  for (const change of changes) expect((await send('POST', updates, change)).status).toBe(201);
  expect((await send('DELETE', `${updates}/${first?.id}`)).status).toBe(204);
  return (await send<One<Incident>>('GET', `/v1/incidents/${id}`)).body.data;
}

describe('an incident whose first update was deleted and whose other updates were posted out of order', () => {
  it('also appears resolved on its pages', async () => {
    const one = await monitorIn('operational');
    const { id, slug } = await pageOf([one]);
    const { id: ended, status, resolved_at } = await withoutFirst(one, 'resolved', 'identified');
    expect(status).toBe('resolved');
    expect((await summaryOf(id)).incidents).toEqual([]);
    const { incidents } = JSON.parse((await visit(`${slug}/api/v2/incidents.json`)).text);
    expect(incidents).toMatchObject([{ id: ended, status: 'resolved', resolved_at }]);
  });

  it('also appears open on its pages', async () => {
    const one = await monitorIn('operational');
    const { id, slug } = await pageOf([one]);
    const { id: open, status } = await withoutFirst(one, 'investigating', 'resolved');
    expect(status).toBe('investigating');
    expect((await summaryOf(id)).incidents).toMatchObject([{ id: open, status: 'investigating' }]);
    const { incidents } = JSON.parse((await visit(`${slug}/api/v2/incidents/unresolved.json`)).text);
    expect(incidents).toMatchObject([{ id: open, status: 'investigating', resolved_at: null }]);
  });
});

describe('an incident whose monitors were never affected for any time', () => {
  const isShown = async (page: { id: string; slug: string }, id: string): Promise<void> => {
    expect((await visit(`${page.slug}/incidents/${id}`)).status).toBe(200);
    expect((await visit(`${page.slug}/feed.atom`)).text).toContain(id);
    const { body } = await send<{ data: Incident[] }>(
      'GET',
      `/v1/incidents?project_id=${tenant.project_id}&status_page_id=${page.id}`,
    );
    expect(body.data.map((one) => one.id)).toContain(id);
  };

  it('appears on the pages of its monitors if it is entered as resolved', async () => {
    const one = await monitorIn('operational');
    const [page, other] = [await pageOf([one]), await pageOf([await monitorIn('operational')])];
    const { id } = await incident({ [one]: 'major_outage' }, { status: 'resolved', started_at: ago(120) });
    await isShown(page, id);
    expect((await visit(`${other.slug}/incidents/${id}`)).status).toBe(404);
  });

  it('appears on the pages of its monitors if a false alarm is resolved at its start', async () => {
    const one = await monitorIn('operational');
    const page = await pageOf([one]);
    const started_at = ago(5);
    const { id } = await incident({ [one]: 'major_outage' }, { started_at });
    const resolved = { status: 'resolved', body: 'A false alarm.', posted_at: started_at };
    expect((await send('POST', `/v1/incidents/${id}/updates`, resolved)).status).toBe(201);
    await isShown(page, id);
    const path = `/v1/monitors/${one}/days`;
    const { days } = (await send<One<{ days: { major_outage: number }[] }>>('GET', path)).body.data;
    expect(days.every((day) => day.major_outage === 0)).toBe(true);
  });
});

describe('an open incident whose only monitor is deleted', () => {
  it('stays on the pages that showed the monitor, also after its end, and on no other', async () => {
    const [doomed, other] = [await monitorIn('operational'), await monitorIn('operational')];
    const [page, elsewhere] = [await pageOf([doomed, other]), await pageOf([other])];
    const { id } = await incident({ [doomed]: 'major_outage' }, { started_at: ago(60) });
    const { id: ended } = await incident(
      { [doomed]: 'major_outage' },
      { status: 'resolved', started_at: ago(90) },
    );
    expect((await send('DELETE', `/v1/monitors/${doomed}`)).status).toBe(204);
    expect((await summaryOf(page.id)).incidents).toMatchObject([{ id, monitors: [] }]);
    expect((await summaryOf(elsewhere.id)).incidents).toEqual([]);
    expect((await send('POST', `/v1/incidents/${id}/updates`, { status: 'resolved' })).status).toBe(201);
    const statuses = async (one: string) =>
      Promise.all(
        [page, elsewhere].map(async ({ slug }) => (await visit(`${slug}/incidents/${one}`)).status),
      );
    expect(await statuses(id)).toEqual([200, 404]);
    expect((await visit(`${page.slug}/feed.atom`)).text).toContain(id);
    expect(await statuses(ended)).toEqual([404, 404]);
  });
});
