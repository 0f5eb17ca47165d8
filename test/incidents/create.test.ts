import { describe, expect, it } from 'vitest';
import { hashesOf } from '../support/catalogue.js';
import { expectProblem } from '../support/expectations.js';
import { affected, UNKNOWN_ID, useIncidents } from './use-incidents.js';

const { server, tenant, ask, at, create, make, get, updatesOf, monitor } = useIncidents();

describe('POST /v1/incidents', () => {
  it('creates an open incident with its first update from title and body', async () => {
    const before = Date.now();
    const { status, headers, body } = await create({
      title: 'Errors on the API',
      body: 'We **look** into it.',
    });
    expect(status).toBe(201);
    const { data } = body;
    expect(headers.get('location')).toBe(`/v1/incidents/${data.id}`);
    expect(data).toEqual({
      id: data.id,
      title: 'Errors on the API',
      status: 'investigating',
      impact: 'none',
      monitors: [],
      started_at: data.created_at,
      resolved_at: null,
      status_page_ids: null,
      postmortem: null,
      project_id: tenant.project_id,
      created_at: data.created_at,
      updated_at: data.created_at,
    });
    expect(Date.parse(data.created_at)).toBeGreaterThanOrEqual(before);
    const [first, ...others] = await updatesOf(data.id);
    expect(others).toEqual([]);
    expect(first).toEqual({
      id: first?.id,
      status: 'investigating',
      body: 'We **look** into it.',
      monitors: [],
      posted_at: data.created_at,
      incident_id: data.id,
      created_at: data.created_at,
      updated_at: data.created_at,
    });
  });

  it('dates the first update of a past incident at its start', async () => {
    const { id, started_at } = await make({ started_at: '2026-01-10T02:00:00.000Z' });
    const [first] = await updatesOf(id);
    expect([started_at, first?.posted_at]).toEqual(['2026-01-10T02:00:00.000Z', '2026-01-10T02:00:00.000Z']);
  });

  it('returns the same fields in the same order in each response', async () => {
    const made = await make();
    const names = [
      'id',
      'title',
      'status',
      'impact',
      'monitors',
      'started_at',
      'resolved_at',
      'status_page_ids',
      'postmortem',
      'project_id',
      'created_at',
      'updated_at',
    ];
    expect(Object.keys(made)).toEqual(names);
    expect(Object.keys(await get(made.id))).toEqual(names);
    expect(Object.keys((await ask('PATCH', `/${made.id}`, {})).body.data)).toEqual(names);
  });

  it('accepts every field and stores texts as sent', async () => {
    const id = await monitor();
    const page = await server.page(tenant);
    const fields = {
      title: ' Errors ',
      status: 'identified',
      impact: 'critical',
      monitors: affected({ [id]: 'degraded_performance' }),
      started_at: at(0),
      status_page_ids: [page.id],
      postmortem: '# What we learned\n\n- *nothing* <b>yet</b>\n',
    };
    const { id: made, ...rest } = await make({ ...fields, body: ' A node\r\nfailed. ' });
    expect(rest).toMatchObject({ ...fields, resolved_at: null });
    expect(await get(made)).toMatchObject(fields);
    expect((await updatesOf(made))[0]).toMatchObject({ status: 'identified', body: ' A node\r\nfailed. ' });
  });

  it.each([
    [[], 'none'],
    [['operational'], 'none'],
    [['operational', 'degraded_performance'], 'minor'],
    [['partial_outage', 'degraded_performance'], 'major'],
    [['partial_outage', 'major_outage', 'operational'], 'critical'],
  ])('derives the impact of %j: %s', async (statuses, impact) => {
    const ids = await server.monitors(tenant, statuses.length);
    const monitors = ids.map((monitor_id, index) => ({ monitor_id, status: statuses[index] }));
    expect((await make({ monitors })).impact).toBe(impact);
    expect((await make({ monitors, impact: null })).impact).toBe(impact);
    expect((await make({ monitors, impact: 'major' })).impact).toBe('major');
  });

  it('creates a resolved incident whose resolution time is its start', async () => {
    const id = await monitor();
    const monitors = affected({ [id]: 'major_outage' });
    const incident = await make({ status: 'resolved', monitors });
    expect(incident).toMatchObject({
      status: 'resolved',
      impact: 'critical',
      monitors: [],
      started_at: at(0),
      resolved_at: at(0),
    });
  });

  it('accepts started_at from 2000 to five minutes in the future', async () => {
    const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
    for (const started_at of ['2000-01-01T00:00:00.000Z', minutes(4.9)])
      expect((await create({ started_at })).body.data).toMatchObject({ started_at });
    for (const started_at of ['1999-12-31T23:59:59.999Z', minutes(5.1)])
      expectProblem(await create({ started_at }), 400, 'validation_failed', {
        code: 'out_of_range',
        pointer: '#/started_at',
      });
  });

  it('rejects all invalid fields with their pointers and changes nothing', async () => {
    const before = await hashesOf(server);
    const answer = await create({
      title: ' ',
      status: 'open',
      body: 'x'.repeat(10_001),
      impact: 'huge',
      monitors: [{ monitor_id: 'x', status: 'unknown', more: 1 }, 5, {}],
      started_at: 'yesterday',
      status_page_ids: 'all',
      postmortem: 'x'.repeat(50_001),
      resolved_at: at(1),
      visible: true,
    });
    const { errors } = expectProblem(answer, 400, 'validation_failed');
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`).toSorted()).toEqual([
      '#/body too_long',
      '#/impact invalid_format',
      '#/monitors/0/monitor_id invalid_format',
      '#/monitors/0/more unknown_field',
      '#/monitors/0/status invalid_format',
      '#/monitors/1 invalid_type',
      '#/monitors/2/monitor_id required',
      '#/monitors/2/status required',
      '#/postmortem too_long',
      '#/resolved_at unknown_field',
      '#/started_at invalid_format',
      '#/status invalid_format',
      '#/status_page_ids invalid_type',
      '#/title blank',
      '#/visible unknown_field',
    ]);
    expect(await hashesOf(server)).toEqual(before);
  });

  it.each([
    [{ title: undefined }, 'required', '#/title'],
    [{ body: null }, 'invalid_type', '#/body'],
    [{ body: '' }, 'too_short', '#/body'],
    [{ body: '\n\t' }, 'blank', '#/body'],
    [{ body: 'a\0b' }, 'invalid_format', '#/body'],
    [{ title: 'x'.repeat(201) }, 'too_long', '#/title'],
    [{ postmortem: '' }, 'too_short', '#/postmortem'],
    [{ monitors: null }, 'invalid_type', '#/monitors'],
    [{ status: null }, 'invalid_type', '#/status'],
    [{ started_at: null }, 'invalid_type', '#/started_at'],
  ])('rejects %j: %s', async (fields, code, pointer) => {
    expectProblem(await create(fields), 400, 'validation_failed', { code, pointer });
  });

  it('accepts 100 monitors and rejects 101 and duplicates', async () => {
    const ids = await server.monitors(tenant, 101);
    const monitors = ids.map((monitor_id) => ({ monitor_id, status: 'partial_outage' }));
    expect((await make({ monitors: monitors.slice(0, 100) })).monitors).toHaveLength(100);
    expectProblem(await create({ monitors }), 400, 'validation_failed', {
      code: 'too_long',
      pointer: '#/monitors',
    });
    const twice = [...monitors.slice(0, 2), { ...monitors[0], status: 'major_outage' }];
    expectProblem(await create({ monitors: twice }), 400, 'validation_failed', {
      code: 'duplicate',
      pointer: '#/monitors/2/monitor_id',
    });
  });

  it('rejects unknown and foreign monitors and status pages with their pointers', async () => {
    const [own, them] = [await monitor(), await server.tenant()];
    const elsewhere = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const others = [
      ...(await server.monitors(them, 1)),
      ...(await server.monitors(elsewhere, 1)),
      UNKNOWN_ID,
    ];
    const monitors = [own, ...others].map((monitor_id) => ({ monitor_id, status: 'major_outage' }));
    const pages = [(await server.page(tenant)).id, (await server.page(them)).id, UNKNOWN_ID];
    const before = await hashesOf(server);
    expectProblem(
      await create({ monitors, status_page_ids: pages }),
      400,
      'validation_failed',
      ...[1, 2, 3].map((index) => ({ code: 'unknown_monitor', pointer: `#/monitors/${index}/monitor_id` })),
    );
    expectProblem(
      await create({ status_page_ids: pages }),
      400,
      'validation_failed',
      ...[1, 2].map((index) => ({
        code: 'unknown_status_page',
        detail: 'is not a status page of the project',
        pointer: `#/status_page_ids/${index}`,
      })),
    );
    expect(await hashesOf(server)).toEqual(before);
  });
});
