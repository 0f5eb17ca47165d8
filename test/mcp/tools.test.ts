import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Incident } from '../../clients/typescript/src/index.js';
import { SCOPES } from '../../src/platform/auth/scopes.js';
import { type ListPage, type One, type Tenant, useTenant, useTestServer } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { useMcp } from './use-mcp.js';

const server = useTestServer();
const tenant = useTenant(server);
const { connect, call, refused } = useMcp(server);

const READING = ['get_status', 'list_projects', 'list_status_pages', 'list_monitors', 'list_events'];

describe('the MCP server', () => {
  let client: Client;
  let monitors: string[];
  beforeAll(async () => {
    client = await connect(tenant.key);
    monitors = await server.monitors(tenant, 3);
  });

  it('lists the tools whose scopes the API key has', async () => {
    const names = async (scopes: (typeof SCOPES)[number][]) => {
      const { key } = await server.key(tenant.organization_id, { scopes });
      return (await (await connect(key)).listTools()).tools.map(({ name }) => name);
    };
    expect(await names([])).toEqual([]);
    expect(await names(['incidents:read'])).toEqual(['list_incidents', 'list_incident_templates']);
    expect(await names(['status_pages:read', 'projects:read', 'monitors:read', 'events:read'])).toEqual(
      READING,
    );
    expect(await names([...SCOPES])).toHaveLength(15);
  });

  it('rejects a call of a tool without its scope', async () => {
    const { key } = await server.key(tenant.organization_id, { scopes: ['incidents:read'] });
    const reader = await connect(key);
    const opened = reader.callTool({
      name: 'open_incident',
      arguments: { project_id: tenant.project_id, title: 'No' },
    });
    await expect(opened).rejects.toThrow('The tool open_incident requires the scope incidents:write');
    await expect(reader.callTool({ name: 'drop_tables' })).rejects.toThrow('There is no tool drop_tables');
  });

  it('returns hints whether a tool only reads, replaces values or notifies people', async () => {
    const { tools } = await client.listTools();
    const hints = tools.map(({ name, annotations = {} }) => [
      name,
      [annotations.readOnlyHint, annotations.destructiveHint, annotations.idempotentHint]
        .map(Number)
        .join(''),
    ]);
    expect(Object.fromEntries(hints)).toEqual({
      ...Object.fromEntries(
        [...READING, 'list_incidents', 'list_incident_templates', 'list_maintenances'].map((name) => [
          name,
          '101',
        ]),
      ),
      ...Object.fromEntries(
        [
          'open_incident',
          'update_incident',
          'resolve_incident',
          'schedule_maintenance',
          'report_monitor_statuses',
        ].map((name) => [name, '000']),
      ),
      ...Object.fromEntries(['update_status_page', 'update_maintenance'].map((name) => [name, '011'])),
    });
    for (const { name, description = '' } of tools)
      if (/^(open|update|resolve)_incident$|maintenance$/.test(name))
        expect(description).toContain('gets an email');
  });

  it('describes all tools in less than 46 kB', async () => {
    expect(JSON.stringify(await client.listTools()).length).toBeLessThan(46_000);
  });

  it('opens, updates and resolves an incident, as the REST API then returns it', async () => {
    const [monitor_id = ''] = monitors;
    const page = await server.page(tenant, { sections: [{ id: 'a', title: 'A', monitor_ids: monitors }] });
    const affected = [{ monitor_id, status: 'major_outage' }];
    const { id } = (
      await call(client, 'open_incident', {
        project_id: tenant.project_id,
        title: 'Down',
        monitors: affected,
      })
    ).data;
    const status = (await call(client, 'get_status', { status_page_id: page.id })).data;
    expect(status.sections[0].monitors.map((one: { monitor_id: string }) => one.monitor_id)).toEqual([
      monitor_id,
    ]);
    expect(status.counts).toMatchObject({ total: 3, operational: 2, major_outage: 1 });
    expect(status.incidents).toMatchObject([{ id, title: 'Down' }]);
    await call(client, 'update_incident', { incident_id: id, status: 'identified', body: 'A switch.' });
    const open = await call(client, 'list_incidents', { project_id: tenant.project_id, open: true });
    expect(open.data).toMatchObject([{ id, status: 'identified' }]);
    const resolved = await call(client, 'resolve_incident', { incident_id: id, notify: false });
    expect(resolved.data).toMatchObject({ incident_id: id, status: 'resolved' });
    const again = await refused(client, 'resolve_incident', { incident_id: id, body: 'Fixed.' });
    expect(again).toMatchObject({ status: 409, code: 'conflict' });
    const { body } = await server.ask<One<Incident>>(`/v1/incidents/${id}`, { key: tenant.key });
    expect(body.data).toMatchObject({ title: 'Down', status: 'resolved', impact: 'critical' });
  });

  it('schedules, moves and cancels a maintenance window', async () => {
    const window = (days: number) => ({
      starts_at: new Date(Date.now() + days * 86_400_000).toISOString(),
      ends_at: new Date(Date.now() + days * 86_400_000 + 3_600_000).toISOString(),
    });
    const { project_id } = tenant;
    const { id } = (
      await call(client, 'schedule_maintenance', { project_id, title: 'Upgrade', ...window(2) })
    ).data;
    const moved = await call(client, 'update_maintenance', { maintenance_id: id, ...window(3) });
    expect(moved.data).toMatchObject({ id, status: 'scheduled' });
    await call(client, 'update_maintenance', { maintenance_id: id, status: 'cancelled' });
    const { data } = await call(client, 'list_maintenances', { project_id });
    expect(data).toMatchObject([{ id, status: 'cancelled', starts_at: moved.data.starts_at }]);
  });

  it('reports statuses, and changes and lists pages, monitors, templates, projects and events', async () => {
    const [monitor_id = ''] = monitors;
    const { project_id } = tenant;
    const reports = [{ monitor_id, status: 'degraded_performance' }];
    expect((await call(client, 'report_monitor_statuses', { project_id, reports })).data).toMatchObject({
      reports: 1,
    });
    const { id } = await server.page(tenant, { name: 'Before' });
    const changed = await call(client, 'update_status_page', { status_page_id: id, name: 'After' });
    expect(changed.data).toMatchObject({ id, name: 'After' });
    expect(changed.data).not.toHaveProperty('sections');
    const pages = await call(client, 'list_status_pages', { project_id });
    expect(pages.data[0]).toEqual(changed.data);
    expect((await call(client, 'list_monitors', { project_id })).data).toHaveLength(3);
    expect((await call(client, 'list_incident_templates', { project_id })).data).toEqual([]);
    expect((await call(client, 'list_projects', {})).data).toMatchObject([{ id: project_id }]);
    const events = await call(client, 'list_events', { project_id, type: 'status_page.updated' });
    expect(events.data).toMatchObject([{ resource_id: id }]);
  });

  it('counts the effects of a tool that writes with dry_run, and changes nothing', async () => {
    const { project_id } = tenant;
    const page = await server.page(tenant, { name: 'Now' });
    const dry = await call(client, 'update_status_page', {
      status_page_id: page.id,
      name: 'Later',
      dry_run: true,
    });
    expect(dry.data).toMatchObject({ id: page.id, name: 'Later' });
    expect(dry.dry_run).toMatchObject({
      changes: [
        { op: 'replace', path: '/name', value: 'Later' },
        { op: 'replace', path: '/updated_at' },
      ],
      notifications: { email: 0, webhook: 0, pages: [] },
    });
    const opened = await call(client, 'open_incident', { project_id, title: 'Rehearsal', dry_run: true });
    expect(opened.dry_run.changes).toMatchObject([{ op: 'add', path: '' }]);
    const text = { project_id, title: 'Rehearsal', body: 'We look into it.' };
    const read = await call(client, 'open_incident', { ...text, dry_run: true });
    expect(read.data).toMatchObject({ title: text.title, body: text.body });
    expect(opened.data.body).toMatch(/\w/);
    const { data } = await call(client, 'list_incidents', { project_id });
    expect(data).not.toContainEqual(expect.objectContaining({ title: 'Rehearsal' }));
    const wrong = await refused(client, 'open_incident', {
      project_id,
      title: 'No',
      impact: 'no',
      dry_run: 'yes',
    });
    expect(wrong.errors).toMatchObject([
      { pointer: '#/dry_run', code: 'invalid_type' },
      { pointer: '#/impact', code: 'invalid_format' },
    ]);
  });

  it('returns the problem of the REST API, with a JSON Pointer for each invalid argument', async () => {
    const { project_id } = tenant;
    const problem = await refused(client, 'open_incident', { project_id, status: 'broken', colour: 'red' });
    expect(problem).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(problem.errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['#/colour', 'unknown_field'],
      ['#/title', 'required'],
      ['#/status', 'invalid_format'],
    ]);
    const cursor = await refused(client, 'list_incidents', { project_id, cursor: 'abc' });
    expect(cursor).toMatchObject({ status: 400, code: 'invalid_cursor' });
  });

  it('returns the same problem for the resources of another organization as for missing ones', async () => {
    const foreign = await server.tenant();
    const key = await connect(foreign.key);
    const page = await server.page(tenant);
    const { id: incident } = (
      await call(client, 'open_incident', { project_id: tenant.project_id, title: 'Mine', notify: false })
    ).data;
    const of = (ids: Pick<Tenant, 'project_id'> & { page: string; incident: string }) =>
      [
        ['get_status', { status_page_id: ids.page }],
        ['list_status_pages', { project_id: ids.project_id }],
        ['update_status_page', { status_page_id: ids.page, name: 'Stolen' }],
        ['list_monitors', { project_id: ids.project_id }],
        [
          'report_monitor_statuses',
          { project_id: ids.project_id, reports: [{ monitor_id: monitors[0], status: 'operational' }] },
        ],
        ['list_events', { project_id: ids.project_id }],
        ['list_incidents', { project_id: ids.project_id }],
        ['open_incident', { project_id: ids.project_id, title: 'Forged' }],
        ['update_incident', { incident_id: ids.incident, body: 'Forged' }],
        ['resolve_incident', { incident_id: ids.incident }],
        ['list_incident_templates', { project_id: ids.project_id }],
        ['list_maintenances', { project_id: ids.project_id }],
        [
          'schedule_maintenance',
          {
            project_id: ids.project_id,
            title: 'Forged',
            starts_at: '2026-11-28T00:00:00Z',
            ends_at: '2026-11-28T01:00:00Z',
          },
        ],
        ['update_maintenance', { maintenance_id: ids.incident, title: 'Forged' }],
      ] as const;
    const mine = of({ project_id: tenant.project_id, page: page.id, incident });
    const missing = of({ project_id: UNKNOWN_ID, page: UNKNOWN_ID, incident: UNKNOWN_ID });
    for (const [index, [name, input]] of mine.entries()) {
      const { request_id: _one, ...found } = await refused(key, name, input);
      const { request_id: _two, ...expected } = await refused(key, name, missing[index]?.[1] ?? {});
      expect([name, found]).toEqual([name, expected]);
      expect(found).toMatchObject({
        status: 404,
        code: 'not_found',
        detail: expect.stringMatching(/ not found\. The tools list_projects, .+ return IDs$/),
      });
    }
    expect((await call(client, 'list_incidents', { project_id: tenant.project_id })).data).not.toContainEqual(
      expect.objectContaining({ title: 'Forged' }),
    );
  });

  it('returns at most 10 kB, also for long texts and lists, and every item of a list by its cursor', async () => {
    const other = await server.tenant();
    const mcp = await connect(other.key);
    const { project_id } = other;
    await server.monitors(other, 15);
    expect((await call(mcp, 'list_monitors', { project_id })).data).toHaveLength(15); // 25 is the default
    const many = await server.monitors(other, 100);
    const affected = many.map((monitor_id) => ({ monitor_id, status: 'major_outage' }));
    const page = await server.page(other, { sections: [{ id: 'a', title: 'A', monitor_ids: many }] });
    const titles: string[] = [];
    for (let index = 0; index < 6; index++) {
      const title = `Incident ${index} ${'長'.repeat(150)}`;
      const json = { project_id, title, body: '長い'.repeat(5_000), monitors: affected };
      await server.ask('/v1/incidents', { method: 'POST', key: other.key, json });
      titles.push(title);
    }
    await mcp.listTools(); // the client checks each result against its schema from now on
    const size = async (name: string, input: Record<string, unknown>) =>
      Buffer.byteLength(JSON.stringify(await mcp.callTool({ name, arguments: input })));
    const { data: fit } = await call(mcp, 'list_monitors', { project_id, limit: 100 });
    const { data: same } = await call(mcp, 'list_monitors', { project_id, limit: fit.length + 1 });
    expect(same).toHaveLength(fit.length);
    expect(await size('list_monitors', { project_id, limit: 100 })).toBeGreaterThan(9_000);
    expect(await size('get_status', { status_page_id: page.id })).toBeLessThan(10_000);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const input = { project_id, limit: 100, ...(cursor !== null && { cursor }) };
      expect(await size('list_incidents', input)).toBeLessThan(10_000);
      const { data, pagination }: ListPage<Incident> = await call(mcp, 'list_incidents', input);
      found.push(...data.map(({ title }) => title));
      cursor = pagination.next_cursor;
    } while (cursor !== null);
    expect(found.map((title) => title.slice(0, 10))).toEqual(
      titles.toReversed().map((title) => title.slice(0, 10)),
    );
  });
});
