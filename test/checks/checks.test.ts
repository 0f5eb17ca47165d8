import { describe, expect, it } from 'vitest';
import type { Monitor } from '../../clients/typescript/src/index.js';
import type { One } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { useChecks } from './use-checks.js';

const { server, tenant, create, check } = useChecks();

const TARGET = 'https://api.example.com/health';

const newMonitor = async (): Promise<string> => (await server.monitors(tenant, 1))[0] ?? '';

const monitorOf = async ({ monitor_id }: { monitor_id: string }): Promise<Monitor> =>
  (await server.ask<One<Monitor>>(`/v1/monitors/${monitor_id}`, { key: tenant.key })).body.data;

const patch = (id: string, json: object) =>
  server.ask(`/v1/checks/${id}`, { method: 'PATCH', key: tenant.key, json });

describe('POST /v1/checks', () => {
  it('creates a check with the documented defaults', async () => {
    const monitor_id = await newMonitor();
    const { status, body } = await create({ monitor_id, type: 'http', target: TARGET });
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        monitor_id,
        type: 'http',
        target: TARGET,
        interval_seconds: 60,
        timeout_seconds: 10,
        failures: 2,
        recoveries: 1,
        degraded_above_ms: null,
        status_on_failure: 'major_outage',
        enabled: true,
        method: 'GET',
        header_names: [],
        body: '',
        expected_status: '200-399',
        body_contains: null,
        follow_redirects: true,
        record_type: 'A',
        expected: null,
        days_before_expiry: 14,
        project_id: tenant.project_id,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
  });

  it.each([
    ['http', 'http://status.example.com'],
    ['http', 'https://[2606:4700::1111]/'],
    ['http', 'http://127.0.0.1:8080/'],
    ['tcp', 'db.example.com:5432'],
    ['tcp', '[2606:4700::1111]:53'],
    ['tls', 'example.com:443'],
    ['dns', '_dmarc.example.com'],
    ['dns', 'example.com.'],
  ] as const)('accepts a target of the type %s: %s', async (type, target) => {
    expect((await create({ monitor_id: await newMonitor(), type, target })).status).toBe(201);
  });

  it.each([
    ['http', 'ftp://example.com/', 'must be an absolute URL with http or https'],
    ['http', 'example.com', 'must be an absolute URL with http or https'],
    ['http', 'https://ada:secret@example.com/', /use the header Authorization/],
    ['http', 'https://example.com/#top', 'must not contain a fragment'],
    ['http', 'http://10.0.0.1/', /^must not contain an address that is not public/],
    ['http', 'http://169.254.169.254/latest/meta-data', /^must not contain an address that is not public/],
    ['http', 'http://example.com:0/', 'must not contain the port 0'],
    ['tcp', 'example.com', /^must be a host and a port/],
    ['tcp', 'example.com:70000', /^must be a host and a port/],
    ['tcp', '10.0.0.1:22', /^must not contain an address that is not public/],
    ['tls', 'https://example.com', /^must be a host and a port/],
    ['dns', 'https://example.com', 'must be a name such as example.com'],
    ['dns', '-.example.com', 'must be a name such as example.com'],
  ] as const)('rejects a target of the type %s: %s', async (type, target, detail) => {
    const { status, body } = await create({ monitor_id: await newMonitor(), type, target });
    expect([status, body.errors]).toEqual([
      400,
      [{ code: 'invalid_format', detail: expect.stringMatching(detail), pointer: '#/target' }],
    ]);
  });

  it('rejects fields that apply only to another type', async () => {
    const { status, body } = await create({
      monitor_id: await newMonitor(),
      type: 'tcp',
      target: 'db.example.com:5432',
      body_contains: 'ok',
      days_before_expiry: 7,
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        code: 'invalid_format',
        detail: 'applies only to checks of the type http',
        pointer: '#/body_contains',
      },
      {
        code: 'invalid_format',
        detail: 'applies only to checks of the type tls',
        pointer: '#/days_before_expiry',
      },
    ]);
  });

  it('rejects an unknown monitor, and a second check of a monitor', async () => {
    const unknown = await create({ monitor_id: UNKNOWN_ID, type: 'http', target: TARGET });
    expect([unknown.status, unknown.body.errors]).toEqual([
      400,
      [expect.objectContaining({ code: 'unknown_monitor', pointer: '#/monitor_id' })],
    ]);
    const { monitor_id } = await check({ target: TARGET });
    const second = await create({ monitor_id, type: 'tcp', target: 'example.com:443' });
    expect([second.status, second.body.code, second.body.errors]).toEqual([
      409,
      'conflict',
      [expect.objectContaining({ code: 'taken', pointer: '#/monitor_id' })],
    ]);
  });

  it('makes the monitor unknown after three intervals without a run, unless it already is after a longer time', async () => {
    const created = await check({ target: TARGET, interval_seconds: 120, timeout_seconds: 10 });
    expect((await monitorOf(created)).stale_after_seconds).toBe(370);
    await patch(created.id, { interval_seconds: 60 });
    expect((await monitorOf(created)).stale_after_seconds).toBe(370);
    await patch(created.id, { interval_seconds: 600 });
    expect((await monitorOf(created)).stale_after_seconds).toBe(1_810);
    const disabled = await check({ target: TARGET, enabled: false });
    expect((await monitorOf(disabled)).stale_after_seconds).toBeNull();
  });
});

describe('headers of a check', () => {
  const SECRET = 'Bearer secret-of-the-target';

  it('keep their values encrypted, out of responses and out of the log', async () => {
    const { id, header_names } = await check({
      target: TARGET,
      headers: [
        { name: 'Authorization', value: SECRET },
        { name: 'X-Team', value: 'a' },
      ],
    });
    expect(header_names).toEqual(['authorization', 'x-team']);
    const [row] = await server.sql<{ row: string }[]>(
      `SELECT checks::text || encode(encrypted_headers, 'escape') AS row FROM checks WHERE id = $1`,
      [id],
    );
    expect(row?.row).not.toContain('secret-of-the-target');
    await patch(id, { headers: [{ name: 'X-Team', value: SECRET }] });
    const { body } = await server.ask(`/v1/events?project_id=${tenant.project_id}&resource_id=${id}`, {
      key: tenant.key,
    });
    expect(JSON.stringify(body)).not.toContain('secret-of-the-target');
    expect(JSON.stringify(body)).not.toContain(TARGET);
    const read = await server.ask(`/v1/checks/${id}`, { key: tenant.key });
    expect(read.body.data).toMatchObject({ header_names: ['x-team'] });
    expect(read.text).not.toContain('secret-of-the-target');
  });

  it.each([
    [[{ name: 'Host', value: 'a' }], '#/headers/0/name', 'invalid_format'],
    [[{ name: 'X A', value: 'a' }], '#/headers/0/name', 'invalid_format'],
    [[{ name: 'X-A', value: 'a\r\nX-B: b' }], '#/headers/0/value', 'invalid_format'],
    [
      [
        { name: 'X-A', value: 'a' },
        { name: 'x-a', value: 'b' },
      ],
      '#/headers/1/name',
      'duplicate',
    ],
  ])('must have valid and different names, and values in one line: %j', async (headers, pointer, code) => {
    const { status, body } = await create({
      monitor_id: await newMonitor(),
      type: 'http',
      target: TARGET,
      headers,
    });
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer, code })]]);
  });
});

describe('a check', () => {
  it('disappears with its monitor', async () => {
    const { id, monitor_id } = await check({ target: TARGET });
    await server.ask(`/v1/monitors/${monitor_id}`, { method: 'DELETE', key: tenant.key });
    expect((await server.ask(`/v1/checks/${id}`, { key: tenant.key })).status).toBe(404);
    expect(await server.sql('SELECT FROM check_states WHERE check_id = $1', [id])).toEqual([]);
  });

  it('keeps its type and its monitor', async () => {
    const { id } = await check({ target: TARGET });
    const { status, body } = await patch(id, { type: 'tcp', monitor_id: UNKNOWN_ID });
    expect([status, body.errors?.map(({ detail, pointer }) => [pointer, detail])]).toEqual([
      400,
      [
        ['#/type', 'is read-only'],
        ['#/monitor_id', 'is read-only'],
      ],
    ]);
  });
});
