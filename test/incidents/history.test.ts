import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { IncidentsService } from '../../src/incidents/incidents.service.js';
import { PageIncidentsService } from '../../src/incidents/page-incidents.service.js';
import { affected, useIncidents } from './use-incidents.js';

const { server, tenant, ask, at, make, get, post, update, updatesOf, stretchesOf, monitor } = useIncidents();

const MINOR = 'degraded_performance';
const MAJOR = 'partial_outage';
const CRITICAL = 'major_outage';

describe('the updates of an incident', () => {
  it('set its status, what is affected, its impact and when it was resolved', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 10, 'identified', { [one]: CRITICAL, [two]: MAJOR });
    expect(await get(id)).toMatchObject({
      status: 'identified',
      impact: 'critical',
      monitors: affected({ [one]: CRITICAL, [two]: MAJOR }),
      resolved_at: null,
    });
    await update(id, 20, 'monitoring', { [two]: MINOR });
    expect(await get(id)).toMatchObject({
      status: 'monitoring',
      impact: 'critical',
      monitors: affected({ [two]: MINOR }),
    });
    await update(id, 30, 'resolved');
    expect(await get(id)).toMatchObject({
      status: 'resolved',
      impact: 'critical',
      monitors: [],
      resolved_at: at(30),
    });
  });

  it('keep each stretch of a status: severity over time, not only the last', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 10, 'identified', { [one]: CRITICAL, [two]: MAJOR });
    await update(id, 20, 'monitoring', { [two]: MAJOR });
    expect(await stretchesOf(id, one)).toEqual([
      [MINOR, 0, 10],
      [CRITICAL, 10, 20],
    ]);
    expect(await stretchesOf(id, two)).toEqual([[MAJOR, 10, null]]);
    await update(id, 30, 'resolved');
    expect(await stretchesOf(id, two)).toEqual([[MAJOR, 10, 30]]);
  });

  it('write only the stretches that change', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 10, 'identified', { [one]: CRITICAL });
    await update(id, 20, 'identified', { [one]: MAJOR });
    const writesOf = () =>
      server.sql<{ write: string }[]>(
        'SELECT xmin::text AS write FROM incident_impacts WHERE incident_id = $1 ORDER BY started_at',
        [id],
      );
    const [, ...others] = await writesOf();
    expect((await ask('PATCH', `/${id}`, { started_at: at(-5) })).status).toBe(200);
    expect(await stretchesOf(id, one)).toEqual([
      [MINOR, -5, 10],
      [CRITICAL, 10, 20],
      [MAJOR, 20, null],
    ]);
    expect((await writesOf()).slice(1)).toEqual(others);
  });

  it('without monitors leave what is affected as it was, as does null; an empty list ends it', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'identified');
    await post(id, { posted_at: at(20), monitors: null });
    expect((await get(id)).monitors).toEqual(affected({ [one]: MAJOR }));
    expect(await stretchesOf(id, one)).toEqual([[MAJOR, 0, null]]);
    await update(id, 30, 'monitoring', {});
    expect(await get(id)).toMatchObject({ status: 'monitoring', impact: 'major', monitors: [] });
    expect(await stretchesOf(id, one)).toEqual([[MAJOR, 0, 30]]);
    expect((await updatesOf(id)).map(({ monitors }) => monitors)).toEqual([
      [],
      null,
      null,
      affected({ [one]: MAJOR }),
    ]);
  });

  it('with a status other than resolved open it again, with the monitors of the updates before', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'resolved');
    await update(id, 20, 'investigating');
    expect(await get(id)).toMatchObject({
      status: 'investigating',
      monitors: affected({ [one]: MAJOR }),
      resolved_at: null,
    });
    expect(await stretchesOf(id, one)).toEqual([
      [MAJOR, 0, 10],
      [MAJOR, 20, null],
    ]);
    await update(id, 30, 'resolved');
    expect((await get(id)).resolved_at).toBe(at(30));
  });

  it('that open it again may name other monitors, as may the one that resolves it', async () => {
    const [one, two, three] = [await monitor(), await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'resolved', { [two]: MINOR });
    expect((await get(id)).monitors).toEqual([]);
    await update(id, 20, 'identified');
    expect((await get(id)).monitors).toEqual(affected({ [two]: MINOR }));
    await update(id, 30, 'resolved');
    await update(id, 40, 'identified', { [three]: CRITICAL });
    expect((await get(id)).monitors).toEqual(affected({ [three]: CRITICAL }));
    expect(await stretchesOf(id, one)).toEqual([[MAJOR, 0, 10]]);
    expect(await stretchesOf(id, two)).toEqual([[MINOR, 20, 30]]);
    expect(await stretchesOf(id, three)).toEqual([[CRITICAL, 40, null]]);
  });

  it('may resolve it twice: the first counts', async () => {
    const { id } = await make();
    await update(id, 10, 'resolved');
    await update(id, 20, 'resolved');
    expect(await get(id)).toMatchObject({ status: 'resolved', resolved_at: at(10) });
  });

  it('count in the order of their times, in whichever order they were posted', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 30, 'resolved');
    await update(id, 10, 'identified', { [one]: CRITICAL });
    await update(id, 20, 'monitoring', { [one]: MAJOR });
    expect(await get(id)).toMatchObject({ status: 'resolved', impact: 'critical', resolved_at: at(30) });
    expect(await stretchesOf(id, one)).toEqual([
      [MINOR, 0, 10],
      [CRITICAL, 10, 20],
      [MAJOR, 20, 30],
    ]);
  });

  it('of equal times count in the order in which they were posted, and make no stretch without a length', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'identified', { [one]: CRITICAL, [two]: MAJOR });
    await update(id, 10, 'monitoring', { [one]: MAJOR });
    expect(await get(id)).toMatchObject({ status: 'monitoring', impact: 'critical' });
    expect(await stretchesOf(id, one)).toEqual([[MAJOR, 0, null]]);
    expect(await stretchesOf(id, two)).toEqual([]);
    await update(id, 0, 'investigating', { [one]: MINOR });
    expect(await stretchesOf(id, one)).toEqual([
      [MINOR, 0, 10],
      [MAJOR, 10, null],
    ]);
  });

  it('are as of their posting: one in the last is inserted, and later ones without monitors follow it', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 20, 'monitoring');
    await update(id, 10, 'identified', { [one]: MAJOR });
    expect((await get(id)).monitors).toEqual(affected({ [one]: MAJOR }));
    expect(await stretchesOf(id, one)).toEqual([
      [MINOR, 0, 10],
      [MAJOR, 10, null],
    ]);
  });
});

describe('the impact of an incident', () => {
  it('that is set stays, whatever the updates say; null goes back to what they say', async () => {
    const one = await monitor();
    const { id } = await make({ impact: 'minor', monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'identified', { [one]: CRITICAL });
    expect((await get(id)).impact).toBe('minor');
    expect((await ask('PATCH', `/${id}`, { impact: null })).body.data).toMatchObject({ impact: 'critical' });
    expect((await ask('PATCH', `/${id}`, { impact: 'none' })).body.data).toMatchObject({ impact: 'none' });
    await update(id, 20, 'resolved');
    expect((await get(id)).impact).toBe('none');
  });

  it('falls when the worst update is deleted', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    const worst = await update(id, 10, 'identified', { [one]: CRITICAL });
    expect((await get(id)).impact).toBe('critical');
    await ask('DELETE', `/${id}/updates/${worst.id}`);
    expect((await get(id)).impact).toBe('minor');
  });
});

describe('the start of an incident', () => {
  it('moves the first stretch, back and forth', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 30, 'resolved');
    for (const minute of [-60, 20, 30, 0]) {
      const { status, body } = await ask('PATCH', `/${id}`, { started_at: at(minute) });
      expect([status, body.data.started_at, body.data.resolved_at]).toEqual([200, at(minute), at(30)]);
      expect(await stretchesOf(id, one)).toEqual(minute === 30 ? [] : [[MAJOR, minute, 30]]);
    }
  });

  it('is where the update counts from that was created first, whenever it was posted', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    const [first] = await updatesOf(id);
    expect(first?.posted_at).toBe(at(0));
    await update(id, 10, 'identified', { [one]: MINOR });
    const { status } = await ask('PATCH', `/${id}/updates/${first?.id}`, { posted_at: at(100) });
    expect(status).toBe(200);
    expect((await get(id)).status).toBe('identified');
    expect(await stretchesOf(id, one)).toEqual([
      [MAJOR, 0, 10],
      [MINOR, 10, null],
    ]);
  });

  it('is that of the second update once the first one is deleted', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MAJOR }) });
    await update(id, 10, 'identified', { [two]: MINOR });
    const first = (await updatesOf(id)).at(-1);
    expect((await ask('DELETE', `/${id}/updates/${first?.id}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ status: 'identified', impact: 'minor', started_at: at(0) });
    expect(await stretchesOf(id, one)).toEqual([]);
    expect(await stretchesOf(id, two)).toEqual([[MINOR, 0, null]]);
  });
});

describe('IncidentsService', () => {
  const service = () => server.app.get(IncidentsService);
  const onPages = () => server.app.get(PageIncidentsService);
  const range = (from: number, to: number) => ({ from: new Date(at(from)), to: new Date(at(to)) });

  it('has the intervals of incidents that overlap a range', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: MINOR }) });
    await update(id, 10, 'identified', { [one]: MAJOR, [two]: MINOR });
    await update(id, 20, 'identified', { [one]: MAJOR });
    await make({ started_at: at(15), monitors: affected({ [one]: CRITICAL }) });
    const found = async (from: number, to: number) =>
      (await service().intervalsOf(tenant.organization_id, [one, two], range(from, to))).map(
        ({ monitor_id, status, started_at, ended_at }) => [
          monitor_id,
          status,
          started_at.toISOString(),
          ended_at?.toISOString() ?? null,
        ],
      );
    const [minor, major, critical] = [
      [one, MINOR, at(0), at(10)],
      [one, MAJOR, at(10), null],
      [one, CRITICAL, at(15), null],
    ];
    const other = [two, MINOR, at(10), at(20)];
    expect(await found(-10, 0)).toEqual([]);
    expect(await found(-10, 1)).toEqual([minor]);
    expect(await found(10, 15)).toEqual([major, other]);
    expect(await found(19, 100)).toEqual([major, critical, other]);
    expect(await found(20, 100)).toEqual([major, critical]);
    const them = await server.tenant();
    expect(await service().intervalsOf(them.organization_id, [one, two], range(-10, 100))).toEqual([]);
  });

  it('has what open incidents say of monitors now', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const open = await make({ monitors: affected({ [one]: MINOR, [two]: MAJOR }) });
    await update(open.id, 10, 'identified', { [one]: CRITICAL });
    const second = await make({ monitors: affected({ [one]: MINOR }) });
    await make({ status: 'resolved', monitors: affected({ [one]: MAJOR }) });
    expect(await service().openOf(tenant.organization_id, [one, two])).toEqual([
      { monitor_id: one, incident_id: open.id, status: CRITICAL },
      { monitor_id: one, incident_id: second.id, status: MINOR },
    ]);
  });

  it('has the open incidents of a page, newest start first, each with its last update', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const page = await server.page(tenant);
    const other = await server.page(tenant);
    const past = await make({ monitors: affected({ [one]: MINOR, [two]: MAJOR }) });
    await update(past.id, 20, 'monitoring', { [two]: MINOR });
    await update(past.id, 10, 'identified');
    const named = await make({ started_at: at(30), status_page_ids: [other.id, page.id] });
    const elsewhere = await make({ status_page_ids: [other.id], monitors: affected({ [one]: MAJOR }) });
    const nowhere = await make({ status_page_ids: [], monitors: affected({ [one]: MAJOR }) });
    const resolved = await make({ status: 'resolved', monitors: affected({ [one]: MAJOR }) });
    const found = await onPages().openOn(tenant, page.id, [one]);
    const ids = found.map(({ id }) => id);
    expect(ids).toEqual([named.id, past.id]);
    for (const { id } of [elsewhere, nowhere, resolved]) expect(ids).not.toContain(id);
    expect(found[1]).toMatchObject({
      title: past.title,
      status: 'monitoring',
      impact: 'major',
      monitors: affected({ [two]: MINOR }),
      started_at: new Date(at(0)),
      last_update: { status: 'monitoring', body: 'An update.', posted_at: new Date(at(20)) },
    });
    expect((await onPages().openOn(tenant, other.id, [])).map(({ id }) => id)).toEqual([
      named.id,
      elsewhere.id,
    ]);
  });

  it('creates an incident with all of its updates, for the demo and imports', async () => {
    const one = await monitor();
    const { id } = await server.app.get(DataSource).transaction((manager) =>
      service().createIn(
        tenant,
        {
          title: 'An old one',
          started_at: new Date(at(0)),
          updates: [
            {
              status: 'investigating',
              body: 'First.',
              monitors: [{ monitor_id: one, status: MINOR }],
              posted_at: new Date(at(5)),
            },
            {
              status: 'identified',
              body: 'Second.',
              monitors: [{ monitor_id: one, status: CRITICAL }],
              posted_at: new Date(at(10)),
            },
            { status: 'resolved', body: 'Third.', posted_at: new Date(at(20)) },
          ],
        },
        manager,
      ),
    );
    expect(await get(id)).toMatchObject({
      title: 'An old one',
      status: 'resolved',
      impact: 'critical',
      monitors: [],
      started_at: at(0),
      resolved_at: at(20),
    });
    expect((await updatesOf(id)).map(({ body, posted_at }) => [body, posted_at])).toEqual([
      ['Third.', at(20)],
      ['Second.', at(10)],
      ['First.', at(5)],
    ]);
    expect(await stretchesOf(id, one)).toEqual([
      [MINOR, 0, 10],
      [CRITICAL, 10, 20],
    ]);
  });
});
