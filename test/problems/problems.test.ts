import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/platform/problems/catalogue.js';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

describe('error', () => {
  it('contains the members of application/problem+json in order, and no data', async () => {
    const { status, headers, body } = await server.ask('/v1/status-pages?limit=101&nmae=1', {
      key: tenant.key,
    });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(Object.entries(body)).toEqual([
      ['type', '/problems/validation_failed'],
      ['title', 'The request is invalid'],
      ['status', 400],
      ['code', 'validation_failed'],
      ['detail', '3 fields are invalid'],
      ['request_id', headers.get('x-request-id')],
      ['errors', expect.any(Array)],
    ]);
  });

  it.each([
    ['limit=101', 'validation_failed', '1 field is invalid'],
    ['limit=101&x=1', 'validation_failed', '2 fields are invalid'],
    ['cursor=x', 'invalid_cursor', 'The cursor is invalid'],
    ['cursor=x&limit=101', 'validation_failed', '2 fields are invalid'],
  ])('in the query %s is %s: %s', async (query, code, detail) => {
    const path = `/v1/status-pages?project_id=${tenant.project_id}&${query}`;
    const { body } = await server.ask(path, { key: tenant.key });
    expect([body.code, body.detail, body.title]).toEqual([code, detail, expect.any(String)]);
    expect(body.errors).toHaveLength(query.split('&').length);
  });

  it.each([
    ['monitors', 'Monitor not found'],
    ['status-pages', 'Status page not found'],
  ])('for an unknown ID in /v1/%s contains the detail %s', async (resource, detail) => {
    const path = `/v1/${resource}/0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01`;
    expect(expectProblem(await server.ask(path, { key: tenant.key }), 404, 'not_found').detail).toBe(detail);
  });

  it('for a stale ETag describes where to find the current one', async () => {
    const { id } = await server.page(tenant);
    const { status, body } = await server.patch(tenant, id, {}, { 'If-Match': '"2020-01-01T00:00:00.000Z"' });
    expect([status, body.code, body.detail]).toEqual([
      412,
      'precondition_failed',
      'If-Match does not match the current ETag (`updated_at` in double quotes). Read the resource again.',
    ]);
  });

  it('for an unknown monitor lists each of its places', async () => {
    const { id } = await server.page(tenant);
    const [known = ''] = await server.monitors(tenant, 1);
    const unknown = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    const section = { id: 'a', title: 'A', monitor_ids: [known, unknown] };
    const answer = await server.patch(tenant, id, { sections: [section] });
    expectProblem(answer, 400, 'validation_failed', {
      code: 'unknown_monitor',
      pointer: '#/sections/0/monitor_ids/1',
    });
    expect(answer.body.errors).toHaveLength(1);
    const valid = { ...section, monitor_ids: [known] };
    expect((await server.patch(tenant, id, { sections: [valid] })).status).toBe(200);
  });

  it('without invalid fields contains no errors', async () => {
    const { body } = await server.ask('/nothing');
    expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'code', 'detail', 'request_id']);
  });

  it.each([
    ['Range', 'bytes=99999999-', 400, 'malformed_request'],
    ['If-Match', '"x"', 412, 'precondition_failed'],
  ])('from the file server for %s is %s, %i %s', async (name, value, status, code) => {
    const answer = await server.ask('/docs/swagger-ui.css', {
      headers: { [name]: value },
      undocumented: true,
    });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('contains a type that links to an explanation', async () => {
    const { body } = await server.ask('/nothing');
    const { status, body: explained } = await server.ask(body.type);
    expect(status).toBe(200);
    expect(explained.data).toMatchObject({ code: 'not_found', status: 404, title: 'Not found' });
  });
});

describe('catalogue', () => {
  it('contains the codes of the API with their statuses', () => {
    const statuses = Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]));
    expect(statuses).toEqual({
      validation_failed: 400,
      malformed_json: 400,
      dry_run_not_possible: 400,
      malformed_yaml: 400,
      malformed_request: 400,
      invalid_image: 400,
      invalid_cursor: 400,
      missing_api_key: 401,
      invalid_api_key: 401,
      insufficient_scope: 403,
      forbidden: 403,
      not_found: 404,
      method_not_allowed: 405,
      request_timeout: 408,
      conflict: 409,
      idempotency_key_in_use: 409,
      idempotency_response_not_kept: 409,
      precondition_failed: 412,
      payload_too_large: 413,
      unsupported_media_type: 415,
      idempotency_key_reused: 422,
      precondition_required: 428,
      rate_limited: 429,
      headers_too_large: 431,
      internal_error: 500,
      unavailable: 503,
    });
  });

  it.each(Object.entries(PROBLEMS))(
    'explains %s at /problems/{code}, without a key',
    async (code, problem) => {
      const { status, body } = await server.ask(`/problems/${code}`);
      expect([status, body.data]).toEqual([200, { code, ...problem }]);
      expect(problem.explanation.length).toBeGreaterThan(40);
    },
  );

  it('appears completely at /problems, without a key', async () => {
    const { status, body } = await server.ask('/problems');
    expect([status, body.data]).toEqual([
      200,
      Object.entries(PROBLEMS).map(([code, problem]) => ({ code, ...problem })),
    ]);
  });

  it.each(['nothing', 'NOT_FOUND', 'constructor', '__proto__', 'toString', '%00'])(
    'returns 404 for %s',
    async (code) => {
      expect((await server.ask(`/problems/${code}`)).status).toBe(404);
    },
  );
});
