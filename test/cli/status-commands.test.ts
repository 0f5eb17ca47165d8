import { describe, expect, it } from 'vitest';
import { contentsOf } from '../support/catalogue.js';
import { type One, type Tenant, useTestServer, useTenant } from '../support/server.js';
import { NEVER } from '../support/use-resource.js';

const server = useTestServer();
const tenant = useTenant(server);

/** A call that must succeed. */
async function call(...parameters: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await server.cli(...parameters);
  expect([code, stderr]).toEqual([0, stderr]);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout);
}

/** A call that must fail with an error message on standard error, without a change. */
async function expectFault(line: RegExp, ...parameters: string[]): Promise<void> {
  const before = await contentsOf(server);
  const { code, stdout, stderr } = await server.cli(...parameters);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.replace(/^database: .*\n/, '')).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).toMatch(line);
  expect(await contentsOf(server)).toEqual(before);
}

interface Incident {
  title: string;
  status: string;
  impact: string;
  monitors: { monitor_id: string; status: string }[];
  resolved_at: string | null;
}

/** An incident as the API shows it. */
async function incident(id: unknown, { key }: Tenant = tenant): Promise<Incident> {
  const { status, body } = await server.ask<One<Incident>>(`/v1/incidents/${String(id)}`, { key });
  expect(status).toBe(200);
  return body.data;
}

async function monitors(count: number): Promise<string[]> {
  return server.monitors(tenant, count);
}

describe('cli report', () => {
  it('records a report for a monitor of any organization', async () => {
    const [id = ''] = await server.monitors(await server.tenant(), 1);
    const states = () =>
      server.sql<{ status: string; started_at: Date; last_observed_at: Date }[]>(
        'SELECT status, started_at, last_observed_at FROM monitor_states WHERE monitor_id = $1',
        [id],
      );
    const started_at = new Date(Date.now() - 3_600_000);
    const at = started_at.toISOString().replace('Z', '+00:00');
    expect(await call('report', id.toUpperCase(), 'major_outage', '--at', at)).toEqual({
      reports: 1,
      changed: 1,
    });
    const before = Date.now();
    expect(await call('report', id, 'major_outage')).toEqual({ reports: 1, changed: 0 });
    const [state] = await states();
    expect([state?.status, state?.started_at]).toEqual(['major_outage', started_at]);
    expect(state?.last_observed_at.getTime()).toBeGreaterThanOrEqual(before);
    expect(await call('report', id, 'operational')).toEqual({ reports: 1, changed: 1 });
    expect((await states())[0]?.status).toBe('operational');
  });

  it('rejects invalid input without recording a report', async () => {
    const [id = ''] = await monitors(1);
    const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
    await expectFault(/monitor .* does not exist/, 'report', NEVER, 'operational');
    await expectFault(/must be a UUID/, 'report', 'x', 'operational');
    await expectFault(/must be one of operational, degraded_performance/, 'report', id, 'up');
    await expectFault(/missing required argument 'status'/, 'report', id);
    await expectFault(/must be a time such as/, 'report', id, 'operational', '--at', 'yesterday');
    await expectFault(/at most 5 minutes in the future/, 'report', id, 'operational', '--at', days(1));
    await expectFault(/at most 400 days in the past/, 'report', id, 'operational', '--at', days(-401));
  });
});

describe('cli incident', () => {
  it('opens, updates and resolves an incident', async () => {
    const [first = '', second = ''] = await monitors(2);
    const affecting = [`${first}=major_outage`, `${second.toUpperCase()}=degraded_performance`];
    const open = ['incident', 'open', '--project', tenant.project_id, '--title', 'Checkout is down'];
    const monitorOptions = affecting.flatMap((one) => ['--monitor', one]);
    const opened = await call(...open, '--body', 'We look at it.', ...monitorOptions);
    const { id } = opened;
    expect(opened).toMatchObject({ title: 'Checkout is down', status: 'investigating', impact: 'critical' });
    expect(await incident(id)).toMatchObject({
      status: 'investigating',
      monitors: [
        { monitor_id: first, status: 'major_outage' },
        { monitor_id: second, status: 'degraded_performance' },
      ],
      resolved_at: null,
    });

    const update = ['incident', 'update', String(id), '--body', 'Found.', '--status'];
    const updated = await call(...update, 'identified', '--monitor', `${first}=partial_outage`);
    expect(updated).toMatchObject({ incident_id: id, status: 'identified', body: 'Found.' });
    const affected = [{ monitor_id: first, status: 'partial_outage' }];
    expect(await incident(id)).toMatchObject({ status: 'identified', monitors: affected });

    await call(...update, 'monitoring');
    expect(await incident(id)).toMatchObject({ status: 'monitoring', monitors: affected });

    expect(await call('incident', 'resolve', String(id), '--body', 'Fixed.')).toMatchObject({
      incident_id: id,
      status: 'resolved',
    });
    expect(await incident(id)).toMatchObject({ status: 'resolved', resolved_at: expect.any(String) });
  });

  it('needs no text for a new status, and no status for a text', async () => {
    const { id } = await call('incident', 'open', '--project', tenant.project_id, '--title', 'Odd');
    const update = ['incident', 'update', String(id)];
    expect(await call(...update, '--body', 'Soon.')).toMatchObject({
      status: 'investigating',
      body: 'Soon.',
    });
    expect(await call(...update, '--status', 'identified')).toMatchObject({
      status: 'identified',
      body: 'The cause has been identified.',
    });
    expect(await call('incident', 'resolve', String(id))).toMatchObject({
      body: 'This incident is resolved.',
    });
  });

  it('opens an incident without monitors, with another status', async () => {
    const open = ['incident', 'open', '--project', tenant.project_id, '--title', 'Odd', '--body', 'We look.'];
    const { id } = await call(...open, '--status', 'monitoring');
    expect(await incident(id)).toMatchObject({ status: 'monitoring', impact: 'none', monitors: [] });
  });

  it('finds an incident of any organization', async () => {
    const other = await server.tenant();
    const open = ['incident', 'open', '--title', 'Theirs', '--body', 'x', '--project', other.project_id];
    const { id } = await call(...open);
    await call('incident', 'resolve', String(id), '--body', 'Fixed.');
    expect(await incident(id, other)).toMatchObject({ status: 'resolved' });
  });

  it('rejects invalid input without a change', async () => {
    const [id = ''] = await monitors(1);
    const [foreign = ''] = await server.monitors(await server.tenant(), 1);
    const open = ['incident', 'open', '--project', tenant.project_id, '--title', 'x', '--body', 'x'];
    const { id: incidentId } = await call(...open);
    const update = ['incident', 'update', String(incidentId), '--body', 'x', '--status', 'identified'];
    for (const command of [open, update]) {
      const withMonitor = (...monitorOptions: string[]) => [
        ...command,
        ...monitorOptions.flatMap((one) => ['--monitor', one]),
      ];
      await expectFault(/is not a monitor of the project/, ...withMonitor(`${foreign}=major_outage`));
      await expectFault(/must be a UUID/, ...withMonitor('x=major_outage'));
      for (const bad of [id, `${id}=`, `${id}=down`, `${id}=major_outage=`])
        await expectFault(/must be one of operational/, ...withMonitor(bad));
      await expectFault(
        /already specified/,
        ...withMonitor(`${id}=operational`, `${id.toUpperCase()}=major_outage`),
      );
      await expectFault(/must be one of investigating/, ...command, '--status', 'open');
      for (const body of ['', ' ', 'x'.repeat(10_001)])
        await expectFault(/It must/, ...command, '--body', body);
    }
    const many = Array.from({ length: 101 }, () => crypto.randomUUID());
    await expectFault(/At most 100/, ...open, ...many.flatMap((one) => ['--monitor', `${one}=operational`]));
    await expectFault(/It must/, ...open, '--title', 'x'.repeat(201));
    await expectFault(/project .* does not exist/, ...open, '--project', NEVER);
    await expectFault(
      /'--title <title>' not specified/,
      'incident',
      'open',
      '--project',
      tenant.project_id,
      '--body',
      'x',
    );
    for (const command of [
      ['update', NEVER, '--status', 'identified'],
      ['resolve', NEVER],
    ])
      await expectFault(/incident .* does not exist/, 'incident', ...command, '--body', 'x');
    await expectFault(/body is required/, 'incident', 'update', String(incidentId));
  });
});
