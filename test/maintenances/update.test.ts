import { describe, expect, it } from 'vitest';
import { MaintenanceIntervalsService } from '../../src/maintenances/maintenance-intervals.service.js';
import { expectProblem } from '../support/expectations.js';
import { inHours, UNKNOWN_ID, useMaintenances } from './use-maintenances.js';

const { server, tenant, ask, make, get, pass } = useMaintenances();

const DAY = 24;
const OUT = { code: 'out_of_range' };

/** Returns the effective window in hours from now, or null. */
async function windowOf(monitor_id: string): Promise<[number, number] | null> {
  const range = { from: new Date(0), to: new Date('2100-01-01') };
  const service = server.app.get(MaintenanceIntervalsService);
  const [one] = await service.intervalsOf(tenant.organization_id, [monitor_id], range);
  const hours = (time: Date) => Math.round((time.getTime() - Date.now()) / 3_600_000) + 0; // -0 is 0
  return one?.ended_at ? [hours(one.started_at), hours(one.ended_at)] : null;
}

describe('PATCH /v1/maintenances/{id}', () => {
  it.each<[string, [number, number], object, string, string]>([
    ['an end before the start', [2, 3], { ends_at: inHours(1) }, '#/ends_at', 'must be after starts_at'],
    ['a start after the end', [2, 3], { starts_at: inHours(4) }, '#/starts_at', 'must be before ends_at'],
    [
      'an end 31 days later',
      [2, 3],
      { ends_at: inHours(31 * DAY + 2) },
      '#/ends_at',
      'must be at most 30 days after starts_at',
    ],
    [
      'a start 31 days earlier',
      [2, 3],
      { starts_at: inHours(-31 * DAY) },
      '#/starts_at',
      'must be at most 30 days before ends_at',
    ],
    [
      'an end in the year 0',
      [2, 3],
      { ends_at: '0000-01-01T00:00:00Z' },
      '#/ends_at',
      'must be after starts_at',
    ],
  ])('returns 400 for %s if only that field is sent', async (_name, window, json, pointer, detail) => {
    const made = await make(window);
    const answer = await ask('PATCH', `/${made.id}`, { title: 'Other', ...json });
    expectProblem(answer, 400, 'validation_failed', { ...OUT, pointer, detail });
    expect(await get(made.id)).toEqual(made);
  });

  it('compares a start and an end that are sent together', async () => {
    const { id } = await make([2, 3]);
    const window = { starts_at: inHours(50 * DAY), ends_at: inHours(51 * DAY) };
    expect((await ask('PATCH', `/${id}`, window)).body.data).toMatchObject(window);
    const wrong = { starts_at: inHours(3), ends_at: inHours(2) };
    expectProblem(await ask('PATCH', `/${id}`, wrong), 400, 'validation_failed', {
      ...OUT,
      pointer: '#/ends_at',
    });
  });

  it('ends a maintenance window in progress early with completed or cancelled', async () => {
    for (const status of ['completed', 'cancelled']) {
      const monitor_ids = await server.monitors(tenant, 1);
      const { id, ends_at, updated_at } = await make([-1, 1], { monitor_ids });
      const { body } = await ask('PATCH', `/${id}`, { status });
      expect(body.data).toMatchObject({ status, ends_at });
      expect(body.data.updated_at > updated_at).toBe(true);
      expect(await get(id)).toEqual(body.data);
      expect(await windowOf(monitor_ids[0] ?? '')).toEqual([-1, 0]);
    }
  });

  it('removes the time window if a scheduled maintenance window is completed or cancelled', async () => {
    for (const status of ['completed', 'cancelled']) {
      const monitor_ids = await server.monitors(tenant, 1);
      const { id } = await make([1, 3], { monitor_ids });
      expect((await ask('PATCH', `/${id}`, { status })).body.data.status).toBe(status);
      expect(await windowOf(monitor_ids[0] ?? '')).toBeNull();
      const { updated_at } = await get(id);
      await pass(id, 2);
      expect([(await get(id)).status, await windowOf(monitor_ids[0] ?? '')]).toEqual([status, null]);
      expect((await get(id)).updated_at < updated_at).toBe(true); // as stored: the start does not count as a change
    }
  });

  it('keeps the time window if a past maintenance window is cancelled', async () => {
    const monitor_ids = await server.monitors(tenant, 1);
    const { id } = await make([-3, -2], { monitor_ids });
    expect((await ask('PATCH', `/${id}`, { status: 'cancelled' })).body.data.status).toBe('cancelled');
    expect(await windowOf(monitor_ids[0] ?? '')).toEqual([-3, -2]);
  });

  it('keeps the end if a closed maintenance window is closed with the other status', async () => {
    const monitor_ids = await server.monitors(tenant, 1);
    const { id } = await make([-1, 3], { monitor_ids });
    await ask('PATCH', `/${id}`, { status: 'completed' });
    await pass(id, 1);
    expect((await ask('PATCH', `/${id}`, { status: 'cancelled' })).body.data.status).toBe('cancelled');
    expect(await windowOf(monitor_ids[0] ?? '')).toEqual([-2, -1]);
  });

  it('computes the status from the time again with null', async () => {
    const monitor_ids = await server.monitors(tenant, 1);
    const { id } = await make([-1, 1], { monitor_ids });
    await ask('PATCH', `/${id}`, { status: 'cancelled' });
    expect((await ask('PATCH', `/${id}`, { status: null })).body.data.status).toBe('in_progress');
    expect(await windowOf(monitor_ids[0] ?? '')).toEqual([-1, 1]);
  });

  it.each<[string, [number, number]]>([
    ['scheduled', [1, 2]],
    ['in_progress', [-1, 1]],
    ['completed', [-2, -1]],
  ])('changes nothing if %s is the current status', async (status, window) => {
    const made = await make(window);
    expect((await ask('PATCH', `/${made.id}`, { status })).body.data).toEqual(made);
    // The status is not fixed, so the window can still move to another status.
    const { body } = await ask('PATCH', `/${made.id}`, { starts_at: inHours(5), ends_at: inHours(6) });
    expect(body.data.status).toBe('scheduled');
  });

  it.each<[string, [number, number]]>([
    ['in_progress', [1, 2]],
    ['scheduled', [-1, 1]],
    ['scheduled', [-2, -1]],
  ])('returns 400 for the status %s if it is not the current one', async (status, window) => {
    const { id } = await make(window);
    const problem = expectProblem(await ask('PATCH', `/${id}`, { status }), 400, 'validation_failed', {
      code: 'invalid_format',
      pointer: '#/status',
    });
    expect(problem.errors[0]?.detail).toContain('are derived from starts_at and ends_at');
  });

  it.each([
    [{ status: 'done' }, 'invalid_format', '#/status'],
    [{ title: null }, 'invalid_type', '#/title'],
    [{ starts_at: null }, 'invalid_type', '#/starts_at'],
    [{ closed_at: '2026-01-01T00:00:00.000Z' }, 'unknown_field', '#/closed_at'],
    [{ project_id: UNKNOWN_ID }, 'unknown_field', '#/project_id'],
    [{ monitor_ids: [UNKNOWN_ID] }, 'unknown_monitor', '#/monitor_ids/0'],
    [{ status_page_ids: [UNKNOWN_ID] }, 'unknown_status_page', '#/status_page_ids/0'],
  ])('returns 400 for %j', async (json, code, pointer) => {
    const { id } = await make([1, 2]);
    expectProblem(await ask('PATCH', `/${id}`, json), 400, 'validation_failed', { code, pointer });
  });

  it('returns 412 before it compares the times with the stored times', async () => {
    const { id } = await make([1, 2]);
    const stale = { 'If-Match': '"2020-01-01T00:00:00.000Z"' };
    expect((await ask('PATCH', `/${id}`, { ends_at: inHours(0) }, stale)).status).toBe(412);
  });

  it('keeps concurrent changes of different fields', async () => {
    const { id } = await make([1, 10]);
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    for (let round = 0; round < 20; round++) {
      const monitor_ids = round % 2 === 0 ? [monitor_id] : [];
      const [starts_at, ends_at] = [inHours(2 + round / 100), inHours(8 + round / 100)];
      await Promise.all(
        [{ title: `Title ${round}` }, { starts_at }, { ends_at }, { monitor_ids }].map((json) =>
          ask('PATCH', `/${id}`, json),
        ),
      );
      expect(await get(id)).toMatchObject({ title: `Title ${round}`, starts_at, ends_at, monitor_ids });
    }
  });
});

describe('the table maintenances', () => {
  it.each([
    ['an end before the start', `ends_at = starts_at - interval '1 hour'`, 'ends_at'],
    ['31 days', `ends_at = starts_at + interval '31 days'`, 'ends_at'],
    ['another status', `closed_as = 'open', closed_at = now()`, 'closed_as'],
    ['a status without a time', `closed_as = 'completed'`, 'closed_at'],
    ['a time without a status', `closed_at = now()`, 'closed_at'],
  ])('rejects %s', async (_name, assignment, column) => {
    const { id } = await make([1, 2]);
    const update = server.sql(`UPDATE maintenances SET ${assignment} WHERE id = $1`, [id]);
    await expect(update).rejects.toThrow(`maintenances_${column}_check`);
  });
});
