import { describe, expect, it } from 'vitest';
import type { Maintenance } from '../../clients/typescript/src/index.js';
import { expectProblem } from '../support/expectations.js';
import type { ListPage } from '../support/server.js';
import { inHours, UNKNOWN_ID, useMaintenances } from './use-maintenances.js';

const { server, tenant, ask, make } = useMaintenances();

const DAY = 24;

describe('POST /v1/maintenances', () => {
  it('returns 201 with Location and ETag and makes the maintenance window readable', async () => {
    const monitor_ids = await server.monitors(tenant, 2);
    const status_page_ids = [(await server.page(tenant)).id];
    const [starts_at, ends_at] = [inHours(1), inHours(2)];
    const { status, headers, body } = await ask('POST', '', {
      project_id: tenant.project_id.toUpperCase(),
      title: 'Upgrade 🚀',
      body: '**Slow.**',
      starts_at,
      ends_at,
      monitor_ids,
      status_page_ids,
    });
    expect(status).toBe(201);
    expect(Object.entries(body.data)).toEqual([
      ['id', expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)],
      ['title', 'Upgrade 🚀'],
      ['body', '**Slow.**'],
      ['status', 'scheduled'],
      ['starts_at', starts_at],
      ['ends_at', ends_at],
      ['monitor_ids', monitor_ids],
      ['status_page_ids', status_page_ids],
      ['project_id', tenant.project_id],
      ['created_at', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
      ['updated_at', body.data.created_at],
    ]);
    expect(headers.get('location')).toBe(`/v1/maintenances/${body.data.id}`);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    const read = await ask('GET', `/${body.data.id}`);
    expect(Object.entries(read.body.data)).toEqual(Object.entries(body.data));
    const { body: list } = await ask<ListPage<Maintenance>>(
      'GET',
      `?project_id=${tenant.project_id}&limit=1`,
    );
    expect(list.data.map((one) => Object.entries(one))).toEqual([Object.entries(body.data)]);
  });

  it('requires only a title and a time window', async () => {
    expect(await make([1, 2])).toMatchObject({ body: '', monitor_ids: [], status_page_ids: null });
  });

  it('accepts past windows since 2000, 30 days, and starts in 399 days', async () => {
    const old = { starts_at: '2000-01-01T00:00:00.000Z', ends_at: '2000-01-31T00:00:00.000Z' };
    expect(await make([0, 1], old)).toMatchObject({ ...old, status: 'completed' });
    expect(await make([399 * DAY, 399 * DAY + 1])).toMatchObject({ status: 'scheduled' });
  });

  it('accepts 100 monitors, 100 pages and an empty list of pages', async () => {
    const monitor_ids = await server.monitors(tenant, 100);
    const pages = await Promise.all(Array.from({ length: 100 }, () => server.page(tenant)));
    const status_page_ids = pages.map(({ id }) => id);
    expect(await make([1, 2], { monitor_ids, status_page_ids })).toMatchObject({
      monitor_ids,
      status_page_ids,
    });
    expect(await make([1, 2], { status_page_ids: [] })).toMatchObject({ status_page_ids: [] });
  });

  const uuids = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => UNKNOWN_ID.slice(0, -3) + String(100 + index));
  const window = (from: number, to: number) => ({ starts_at: inHours(from), ends_at: inHours(to) });

  it.each<[string, object, string, string]>([
    ['no project', { project_id: undefined }, 'required', '#/project_id'],
    ['no title', { title: undefined }, 'required', '#/title'],
    ['no start', { starts_at: undefined }, 'required', '#/starts_at'],
    ['no end', { ends_at: undefined }, 'required', '#/ends_at'],
    ['a blank title', { title: '\u2003' }, 'blank', '#/title'],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, 'too_long', '#/title'],
    ['NUL in the title', { title: 'a\0' }, 'invalid_format', '#/title'],
    ['a body of 10,001 characters', { body: 'x'.repeat(10_001) }, 'too_long', '#/body'],
    ['NUL in the body', { body: '\0' }, 'invalid_format', '#/body'],
    ['null as the body', { body: null }, 'invalid_type', '#/body'],
    ['an end before the start', window(2, 1), 'out_of_range', '#/ends_at'],
    [
      'an end at the start',
      { ends_at: '2026-01-01T00:00:00Z', starts_at: '2026-01-01T00:00:00Z' },
      'out_of_range',
      '#/ends_at',
    ],
    [
      'a window of 30 days and a millisecond',
      { starts_at: '2026-01-01T00:00:00.000Z', ends_at: '2026-01-31T00:00:00.001Z' },
      'out_of_range',
      '#/ends_at',
    ],
    ['a start in 401 days', window(401 * DAY, 401 * DAY + 1), 'out_of_range', '#/starts_at'],
    [
      'a start in 1999',
      { starts_at: '1999-12-31T23:59:59.999Z', ends_at: '2000-01-01T00:00:00Z' },
      'out_of_range',
      '#/starts_at',
    ],
    ['a start without a zone', { starts_at: '2027-01-01T00:00:00' }, 'invalid_format', '#/starts_at'],
    ['101 monitors', { monitor_ids: uuids(101) }, 'too_long', '#/monitor_ids'],
    ['a monitor twice', { monitor_ids: [UNKNOWN_ID, UNKNOWN_ID] }, 'duplicate', '#/monitor_ids/1'],
    ['null as the monitors', { monitor_ids: null }, 'invalid_type', '#/monitor_ids'],
    ['101 pages', { status_page_ids: uuids(101) }, 'too_long', '#/status_page_ids'],
    ['a status', { status: 'completed' }, 'unknown_field', '#/status'],
  ])('returns 400 for %s', async (_name, fields, code, pointer) => {
    const json = { project_id: tenant.project_id, title: 'Upgrade', ...window(1, 2), ...fields };
    expectProblem(await ask('POST', '', json), 400, 'validation_failed', { code, pointer });
  });

  it('lists every invalid field', async () => {
    const json = { project_id: tenant.project_id, title: '', ...window(2, 1), monitor_ids: ['x'] };
    const { errors } = expectProblem(await ask('POST', '', json), 400, 'validation_failed');
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      '#/ends_at',
      '#/monitor_ids/0',
      '#/title',
    ]);
  });

  it('returns 400 with pointers for monitors and pages of another project', async () => {
    const other = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const [[own = ''], [foreign = '']] = [await server.monitors(tenant, 1), await server.monitors(other, 1)];
    const [page, foreignPage] = [await server.page(tenant), await server.page(other)];
    const json = { project_id: tenant.project_id, title: 'Upgrade', ...window(1, 2) };
    expectProblem(
      await ask('POST', '', { ...json, monitor_ids: [foreign, own, UNKNOWN_ID] }),
      400,
      'validation_failed',
      { code: 'unknown_monitor', pointer: '#/monitor_ids/0' },
      { code: 'unknown_monitor', pointer: '#/monitor_ids/2' },
    );
    expectProblem(
      await ask('POST', '', { ...json, status_page_ids: [page.id, foreignPage.id] }),
      400,
      'validation_failed',
      { code: 'unknown_status_page', pointer: '#/status_page_ids/1' },
    );
  });
});
