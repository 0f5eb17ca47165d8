import { describe, expect, it } from 'vitest';
import type { MonitorStatus } from '../../clients/typescript/src/index.js';
import { useVisits } from '../public-page/use-visits.js';
import { type One, until } from '../support/server.js';

const { send, dayAt, daysOf, monitor, monitorIn, pageOf, incident, summaryOf, visit } = useVisits();

/** Returns the time in the given number of seconds. */
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

const statusOf = async (id: string): Promise<MonitorStatus> =>
  (await send<One<MonitorStatus>>('GET', `/v1/monitors/${id}/status`)).body.data;

/** Returns the seconds in which a monitor had an outage today. */
async function outageToday(id: string): Promise<number> {
  const { body } = await daysOf(id, `?from=${dayAt(0)}`);
  return body.data.days.reduce((sum, { major_outage }) => sum + major_outage, 0);
}

/** Posts an update of an incident. */
const update = (id: string, fields: object) =>
  send('POST', `/v1/incidents/${id}/updates`, { body: 'An update.', ...fields });

describe('an incident that starts in the future', () => {
  it('affects no monitors and appears on no page', async () => {
    const one = await monitorIn('operational');
    const { id, slug } = await pageOf([one]);
    const { id: ahead } = await incident({ [one]: 'major_outage' }, { started_at: inSeconds(240) });
    expect(await statusOf(one)).toMatchObject({ status: 'operational', incident_ids: [] });
    expect(await outageToday(one)).toBe(0);
    expect(await summaryOf(id)).toMatchObject({
      headline: { status: 'operational', text: 'All systems operational' },
      incidents: [],
    });
    expect((await visit(slug)).text).not.toContain(ahead);
    for (const path of ['/feed.atom', '/api/v2/summary.json'])
      expect((await visit(`${slug}${path}`)).text).not.toContain(ahead);
  });

  it('appears on no page even if it is already resolved', async () => {
    const { id, slug } = await pageOf([await monitorIn('operational')]);
    const fields = { status: 'resolved', started_at: inSeconds(240), status_page_ids: [id] };
    const { id: ahead } = await incident({}, fields);
    for (const path of ['', '/history', '/feed.atom', '/api/v2/incidents.json'])
      expect((await visit(`${slug}${path}`)).text).not.toContain(ahead);
  });

  it('affects its monitors and page from its start', async () => {
    const one = await monitorIn('operational');
    const { id, slug } = await pageOf([one]);
    const { id: ahead } = await incident({ [one]: 'major_outage' }, { started_at: inSeconds(240) });
    expect((await visit(slug)).text).not.toContain(ahead);
    const started_at = inSeconds(0.5);
    expect((await send('PATCH', `/v1/incidents/${ahead}`, { started_at })).status).toBe(200);
    await until(async () => (await statusOf(one)).status === 'major_outage');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(started_at));
    expect((await summaryOf(id)).incidents).toMatchObject([{ id: ahead }]);
    await until(async () => (await visit(slug)).text.includes(ahead));
    expect(Date.now()).toBeLessThan(Date.parse(started_at) + 30_000);
  });
});

describe('an incident update in the future', () => {
  it('leaves the incident open before its time', async () => {
    const [one, other] = [await monitor(), await monitorIn('operational')];
    const { id, slug } = await pageOf([one, other]);
    const started_at = inSeconds(-60);
    const { id: open } = await incident({ [one]: 'major_outage' }, { started_at });
    await update(open, { status: 'identified', monitors: [{ monitor_id: one, status: 'partial_outage' }] });
    await update(open, { status: 'resolved', posted_at: inSeconds(240) });
    expect(await statusOf(one)).toMatchObject({ status: 'partial_outage', incident_ids: [open] });
    const { incidents, headline } = await summaryOf(id);
    expect(incidents).toMatchObject([
      {
        id: open,
        status: 'identified',
        monitors: [{ monitor_id: one, status: 'partial_outage' }],
        last_update: { status: 'identified' },
      },
    ]);
    expect(headline.text).toBe('Partial outage');
    const { text } = await visit(`${slug}/api/v2/incidents/unresolved.json`);
    expect(JSON.parse(text)).toMatchObject({
      incidents: [{ id: open, status: 'identified', resolved_at: null, incident_updates: [{}, {}] }],
    });
  });

  it('leaves the incident resolved before its time', async () => {
    const one = await monitorIn('operational');
    const { id, slug } = await pageOf([one]);
    const { id: again } = await incident({ [one]: 'major_outage' }, { started_at: inSeconds(-60) });
    await update(again, { status: 'resolved' });
    await update(again, { status: 'investigating', posted_at: inSeconds(240) });
    expect(await statusOf(one)).toMatchObject({ status: 'operational', incident_ids: [] });
    expect((await summaryOf(id)).incidents).toEqual([]);
    const { text } = await visit(`${slug}/api/v2/incidents.json`);
    expect(JSON.parse(text)).toMatchObject({ incidents: [{ id: again, status: 'resolved' }] });
  });
});
