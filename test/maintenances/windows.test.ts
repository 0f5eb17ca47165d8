import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { MaintenanceIntervalsService } from '../../src/maintenances/maintenance-intervals.service.js';
import { MaintenancesService, type NewMaintenance } from '../../src/maintenances/maintenances.service.js';
import { actorIn } from '../support/actors.js';
import { inHours, useMaintenances } from './use-maintenances.js';

const { server, tenant, ask, make, get } = useMaintenances();

const service = () => server.app.get(MaintenancesService);
const windows = () => server.app.get(MaintenanceIntervalsService);
const at = (hours: number) => new Date(inHours(hours));
const project = () => ({ organization_id: tenant.organization_id, project_id: tenant.project_id });

describe('MaintenanceIntervalsService.intervalsOf', () => {
  const intervalsOf = (monitorIds: string[], from: number, to: number) =>
    windows().intervalsOf(tenant.organization_id, monitorIds, { from: at(from), to: at(to) });

  it('returns the windows of each monitor that overlap the range, ordered by start', async () => {
    const [one = '', two = '', other = ''] = await server.monitors(tenant, 3);
    const late = await make([-2, 5], { monitor_ids: [two, one, other] });
    const early = await make([-9, -1], { monitor_ids: [one] });
    const window = (monitor_id: string, { starts_at, ends_at }: typeof late) => ({
      monitor_id,
      status: 'under_maintenance',
      started_at: new Date(starts_at),
      ended_at: new Date(ends_at),
    });
    expect(await intervalsOf([two, one], -3, 0)).toEqual([
      window(one, early),
      window(one, late),
      window(two, late),
    ]);
    expect(await intervalsOf([one], -9, -3)).toEqual([window(one, early)]);
    expect(await intervalsOf([one], 0, 1)).toEqual([window(one, late)]);
    expect(await intervalsOf([one], 6, 9)).toEqual([]);
    expect(await intervalsOf([], -9, 9)).toEqual([]);
  });

  it('includes the start of a window and excludes its end', async () => {
    const [one = ''] = await server.monitors(tenant, 1);
    const { starts_at, ends_at } = await make([-2, -1], { monitor_ids: [one] });
    const [start, end] = [new Date(starts_at), new Date(ends_at)];
    const count = async (from: Date, to: Date) =>
      (await windows().intervalsOf(tenant.organization_id, [one], { from, to })).length;
    expect(await count(at(-5), start)).toBe(0);
    expect(await count(at(-5), new Date(start.getTime() + 1))).toBe(1);
    expect(await count(end, at(5))).toBe(0);
    expect(await count(new Date(end.getTime() - 1), at(5))).toBe(1);
  });

  it('returns only windows of the organization', async () => {
    const [one = ''] = await server.monitors(tenant, 1);
    await make([-1, 1], { monitor_ids: [one] });
    const { organization_id } = await server.tenant();
    const range = { from: at(-5), to: at(5) };
    expect(await windows().intervalsOf(organization_id, [one], range)).toEqual([]);
    expect(await windows().activeOf(organization_id, [one], at(0))).toEqual([]);
  });
});

describe('MaintenanceIntervalsService.activeOf', () => {
  it('returns the maintenance windows at a time by monitor', async () => {
    const [one = '', two = ''] = await server.monitors(tenant, 2);
    const { id, starts_at, ends_at } = await make([-1, 1], { monitor_ids: [one, two] });
    const cancelled = await make([-1, 1], { monitor_ids: [one] });
    await ask('PATCH', `/${cancelled.id}`, { status: 'cancelled' });
    await make([-3, -2], { monitor_ids: [one] });
    await make([2, 3], { monitor_ids: [one] });
    const activeOf = (time: Date) => windows().activeOf(tenant.organization_id, [one], time);
    const active = [{ monitor_id: one, maintenance_id: id }];
    expect(await activeOf(at(0.5))).toEqual(active);
    expect(await activeOf(new Date(starts_at))).toEqual(active);
    expect(await activeOf(new Date(ends_at))).toEqual([]);
  });
});

describe('MaintenancesService.upcomingOn', () => {
  it('returns visible maintenance windows in progress or starting in time, ordered by start', async () => {
    const [shown = '', hidden = ''] = await server.monitors(tenant, 2);
    const [page, other] = [await server.page(tenant), await server.page(tenant)];
    const monitor_ids = [shown, hidden];
    const soon = await make([5, 6], { monitor_ids });
    const now = await make([-1, 1], { monitor_ids: [shown] });
    const chosen = await make([2, 3], { monitor_ids: [hidden], status_page_ids: [other.id, page.id] });
    await make([2, 3], { monitor_ids: [hidden] });
    await make([2, 3], { monitor_ids, status_page_ids: [other.id] });
    await make([2, 3], { monitor_ids, status_page_ids: [] });
    await make([-3, -2], { monitor_ids });
    await make([11, 12], { monitor_ids });
    for (const status of ['completed', 'cancelled'])
      await ask('PATCH', `/${(await make([-1, 1], { monitor_ids })).id}`, { status });
    const upcoming = await service().upcomingOn(project(), page.id, [shown], at(10));
    expect(JSON.parse(JSON.stringify(upcoming))).toEqual([now, chosen, soon]);
  });

  it('returns at most 100', async () => {
    const monitor_ids = await server.monitors(tenant, 1);
    const page = await server.page(tenant);
    const made = [];
    for (let number = 0; number < 101; number++)
      made.push(await make([1 + number / 100, 3], { monitor_ids }));
    const upcoming = await service().upcomingOn(project(), page.id, monitor_ids, at(10));
    expect(upcoming.map(({ id }) => id)).toEqual(made.slice(0, 100).map(({ id }) => id));
  });
});

describe('MaintenancesService.createIn', () => {
  const createIn = (fields: Partial<NewMaintenance>) =>
    server.app
      .get(DataSource)
      .transaction((manager) =>
        service().createIn(
          actorIn(tenant.organization_id),
          tenant.project_id,
          { title: 'Imported', starts_at: at(-3), ends_at: at(-1), ...fields },
          manager,
        ),
      );

  it('creates a maintenance window that was closed before its end', async () => {
    const [one = ''] = await server.monitors(tenant, 1);
    const closed = { as: 'cancelled', at: at(-2) } as const;
    const { id } = await createIn({ monitor_ids: [one], closed });
    expect((await get(id)).status).toBe('cancelled');
    const range = { from: at(-9), to: at(9) };
    const intervals = await windows().intervalsOf(tenant.organization_id, [one], range);
    expect(intervals.map(({ ended_at }) => ended_at)).toEqual([closed.at]);
  });
});

describe('changes of a maintenance window', () => {
  /** Returns the monitors whose stored day of the given time is invalid after the action. */
  async function touchedBy(
    monitorIds: string[],
    time: string,
    action: () => Promise<unknown>,
  ): Promise<string[]> {
    await server.sql('UPDATE monitor_states SET closed_before = $2 WHERE monitor_id = ANY($1)', [
      monitorIds,
      inHours(24),
    ]);
    await server.sql(
      `INSERT INTO monitor_days (organization_id, monitor_id, day, operational, degraded_performance, partial_outage,
                                 major_outage, under_maintenance, unknown)
       SELECT $1, unnest($2::uuid[]), ($3::timestamptz AT TIME ZONE 'UTC')::date, 0, 0, 0, 0, 0, 86400
           ON CONFLICT DO NOTHING`,
      [tenant.organization_id, monitorIds, time],
    );
    await action();
    const rows = await server.sql<{ monitor_id: string }[]>(
      `SELECT monitor_id
         FROM unnest($1::uuid[]) AS monitor (monitor_id)
        WHERE NOT EXISTS (
                SELECT FROM monitor_days JOIN monitor_states AS state USING (organization_id, monitor_id)
                 WHERE state.monitor_id = monitor.monitor_id AND day = ($2::timestamptz AT TIME ZONE 'UTC')::date
                   AND closed_before > day
              )
        ORDER BY monitor_id`,
      [monitorIds, time],
    );
    return rows.map(({ monitor_id }) => monitor_id);
  }

  it('invalidate stored days from the earliest changed time for all affected monitors', async () => {
    const [one = '', two = '', three = ''] = (await server.monitors(tenant, 3)).toSorted();
    const ids = [one, two, three];
    await make([-1, 1], { monitor_ids: ids }); // creates their states
    const [old, older] = [inHours(-72), inHours(-144)];
    let id = '';
    const create = async () => {
      ({ id } = await make([-72, -71], { monitor_ids: [one, two] }));
    };
    const patch = (json: object) => () => ask('PATCH', `/${id}`, json);
    expect(await touchedBy(ids, old, create)).toEqual([one, two]);
    expect(await touchedBy(ids, old, patch({ title: 'x', body: 'y', status_page_ids: [] }))).toEqual([]);
    expect(await touchedBy(ids, old, patch({ monitor_ids: [one, two] }))).toEqual([]);
    expect(await touchedBy(ids, old, patch({ monitor_ids: [two, three] }))).toEqual(ids);
    expect(await touchedBy(ids, old, patch({ ends_at: inHours(-70) }))).toEqual([two, three]);
    expect(await touchedBy(ids, older, patch({ starts_at: older }))).toEqual([two, three]);
    expect(await touchedBy(ids, older, patch({ starts_at: old }))).toEqual([two, three]);
    expect(await touchedBy(ids, old, patch({ status: 'cancelled' }))).toEqual([two, three]);
    expect(await touchedBy(ids, old, patch({ status: null }))).toEqual([two, three]);
    expect(await touchedBy(ids, old, () => ask('DELETE', `/${id}`))).toEqual([two, three]);
  });
});
