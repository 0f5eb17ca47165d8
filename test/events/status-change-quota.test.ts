import { describe, expect, it } from 'vitest';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { type Tenant, useTenant, useTestServer } from '../support/server.js';
import { useEvents } from './use-events.js';

const server = useTestServer();
const tenant = useTenant(server);
const { stored } = useEvents(server, tenant);

describe('status changes of a project', () => {
  const report = (monitors: string[], status: string, { key, project_id } = tenant) =>
    server.ask('/v1/monitor-reports', {
      method: 'POST',
      key,
      json: { project_id, reports: monitors.map((monitor_id) => ({ monitor_id, status })) },
    });
  const dataOf = async (id: string) => (await stored(id)).map(({ data }) => data);

  const runTask = async () => {
    const { all: tasks } = server.app.get(PeriodicTasks, { strict: false });
    const task = tasks.find(({ name }) => name === 'deferred status changes');
    while (await task?.run());
  };

  /** Records as many events as a project can have in a minute, but one. */
  const fill = ({ organization_id, project_id }: Tenant) =>
    server.sql(
      `INSERT INTO events (id, organization_id, project_id, type, resource_id, data, created_at)
       SELECT gen_random_uuid(), $1, $2, 'monitor.status_changed', gen_random_uuid(), '{}', now()
         FROM generate_series(1, 4999)`,
      [organization_id, project_id],
    );

  it('create at most 5,000 events in a minute, and then one for all further changes of a monitor, with its newest status', async () => {
    const monitors = await server.monitors(tenant, 3);
    const [, second = '', third = ''] = monitors;
    await fill(tenant);
    await report(monitors, 'major_outage');
    await report([second], 'degraded_performance');
    await report([third], 'operational');
    const outage = { from: 'operational', to: 'major_outage' };
    const found = await Promise.all(monitors.map(dataOf));
    expect(found.flat()).toEqual([outage]);
    expect(found[0]).toEqual([outage]);
    await runTask();
    expect(await dataOf(second)).toEqual([]); // a minute later
    await server.sql(
      'UPDATE deferred_status_changes SET due_at = now() - make_interval(secs => 0.001) WHERE monitor_id = ANY($1)',
      [monitors],
    );
    await runTask();
    const after = [[outage], [{ from: 'operational', to: 'degraded_performance', merged: 2 }], []];
    expect(await Promise.all(monitors.map(dataOf))).toEqual(after);
    await runTask();
    expect(await Promise.all(monitors.map(dataOf))).toEqual(after); // once
  });

  it('do not limit another project', async () => {
    await fill(await server.tenant());
    const other = await server.tenant();
    const [monitor = ''] = await server.monitors(other, 1);
    await report([monitor], 'major_outage', other);
    expect(await dataOf(monitor)).toHaveLength(1);
  });
});
