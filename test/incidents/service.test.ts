import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { IncidentsService } from '../../src/incidents/incidents.service.js';
import { ShownIncidentsService } from '../../src/incidents/shown/shown-incidents.service.js';
import { actorIn } from '../support/actors.js';
import { affected, CRITICAL, MAJOR, MINOR, useIncidents } from './use-incidents.js';

const { server, tenant, at, make, get, update, updatesOf, intervalsOf, monitor } = useIncidents();

describe('IncidentsService', () => {
  const service = () => server.app.get(IncidentsService);
  const onPages = () => server.app.get(ShownIncidentsService);
  const openOn = (id: string, monitor_ids: string[]) =>
    onPages().openOn({ ...tenant, id, monitor_ids, now: new Date() }, server.app.get(DataSource).manager);
  const range = (from: number, to: number) => ({ from: new Date(at(from)), to: new Date(at(to)) });

  it('returns the intervals of incidents that overlap a range', async () => {
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

  it('returns the statuses that open incidents set for monitors', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const open = await make({ monitors: affected({ [one]: MINOR, [two]: MAJOR }) });
    await update(open.id, 10, 'identified', { [one]: CRITICAL });
    const second = await make({ monitors: affected({ [one]: MINOR }) });
    await make({ status: 'resolved', monitors: affected({ [one]: MAJOR }) });
    expect(await service().openOf(tenant.organization_id, [one, two], new Date())).toEqual([
      { monitor_id: one, incident_id: open.id, status: CRITICAL },
      { monitor_id: one, incident_id: second.id, status: MINOR },
    ]);
  });

  it('returns the open incidents of a page with last updates, latest start first', async () => {
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
    const found = await openOn(page.id, [one]);
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
    expect((await openOn(other.id, [])).map(({ id }) => id)).toEqual([named.id, elsewhere.id]);
  });

  it('creates an incident with all its updates for the demo and imports', async () => {
    const one = await monitor();
    const { id } = await server.app.get(DataSource).transaction((manager) =>
      service().createIn(
        actorIn(tenant.organization_id),
        tenant.project_id,
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
    expect(await intervalsOf(id, one)).toEqual([
      [MINOR, 0, 10],
      [CRITICAL, 10, 20],
    ]);
  });
});
