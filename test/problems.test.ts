import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../src/problems/catalogue.js';
import { type Tenant, TestServer } from './support/server.js';

let server: TestServer;
let tenant: Tenant;

beforeAll(async () => {
  server = await TestServer.start();
  tenant = await server.tenant();
});
afterAll(() => server.stop());

describe('an error', () => {
  it('is application/problem+json with these members in this order, and no data', async () => {
    const { status, headers, body } = await server.ask('/v1/status-pages?limit=101&nmae=1', {
      key: tenant.key,
    });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(Object.entries(body)).toEqual([
      ['type', '/problems/validation_failed'],
      ['title', 'The request is not valid'],
      ['status', 400],
      ['code', 'validation_failed'],
      ['detail', '3 fields are not valid'],
      ['request_id', headers.get('x-request-id')],
      ['errors', expect.any(Array)],
    ]);
  });

  it('without bad fields has no errors', async () => {
    const { body } = await server.ask('/nothing');
    expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'code', 'detail', 'request_id']);
  });

  it('leads by its type to an explanation', async () => {
    const { body } = await server.ask('/nothing');
    const { status, body: explained } = await server.ask(body.type);
    expect(status).toBe(200);
    expect(explained.data).toMatchObject({ code: 'not_found', status: 404, title: 'Not found' });
  });
});

describe('the catalogue', () => {
  it('has the codes of the contract, with their statuses', () => {
    const statuses = Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]));
    expect(statuses).toEqual({
      validation_failed: 400,
      malformed_json: 400,
      malformed_yaml: 400,
      malformed_request: 400,
      invalid_cursor: 400,
      missing_api_key: 401,
      invalid_api_key: 401,
      insufficient_scope: 403,
      forbidden: 403,
      not_found: 404,
      method_not_allowed: 405,
      request_timeout: 408,
      conflict: 409,
      precondition_failed: 412,
      payload_too_large: 413,
      unsupported_media_type: 415,
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

  it('is listed whole at /problems, without a key', async () => {
    const { status, body } = await server.ask('/problems');
    expect([status, body.data]).toEqual([
      200,
      Object.entries(PROBLEMS).map(([code, problem]) => ({ code, ...problem })),
    ]);
  });

  it.each(['nothing', 'NOT_FOUND', 'constructor', '__proto__', 'toString', '%00'])(
    'has no entry %s: 404',
    async (code) => {
      expect((await server.ask(`/problems/${code}`)).status).toBe(404);
    },
  );
});

describe('a fault of the database', () => {
  /** Has the next statements on status pages fail as PostgreSQL would make them. */
  async function failWith(sqlstate: string): Promise<() => Promise<unknown>> {
    await server.sql(`
      CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'secret of the database' USING ERRCODE = '${sqlstate}'; END $$`);
    await server.sql(
      `CREATE OR REPLACE TRIGGER fail BEFORE UPDATE ON status_pages FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    return () => server.sql('DROP TRIGGER fail ON status_pages');
  }

  it.each([
    ['57014', 503, 'unavailable'],
    ['57P01', 503, 'unavailable'],
    ['53300', 503, 'unavailable'],
    ['40001', 503, 'unavailable'],
    ['40P01', 503, 'unavailable'],
    ['55P03', 503, 'unavailable'],
    ['08006', 503, 'unavailable'],
    ['25006', 503, 'unavailable'],
    ['26000', 503, 'unavailable'],
    ['EPIPE', 503, 'unavailable'], // none, but what node says of a broken connection
    ['23505', 409, 'conflict'],
    ['23503', 409, 'conflict'],
    ['23514', 400, 'validation_failed'],
    ['23502', 500, 'internal_error'],
    ['22P05', 400, 'validation_failed'],
    ['42P01', 500, 'internal_error'],
    ['XX000', 500, 'internal_error'],
  ])('with SQLSTATE %s is %i %s, and nothing of its message gets out', async (sqlstate, status, code) => {
    const { id } = await server.page(tenant);
    const mend = await failWith(sqlstate);
    try {
      for (const patch of [{ name: 'x' }, { sections: [] }]) {
        const answer = await server.ask(`/v1/status-pages/${id}`, {
          method: 'PATCH',
          key: tenant.key,
          json: patch,
          undocumented: true,
        });
        expect([answer.status, answer.body.code]).toEqual([status, code]);
        expect(answer.text).not.toMatch(/secret|sql|trigger|column/i);
        expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
      }
    } finally {
      await mend();
    }
    expect((await server.patch(tenant, id, { name: 'Mended' })).status).toBe(200);
  });
});

describe('health', () => {
  it('is told without a key: live says that the process answers, ready that the database does', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const { status, body } = await server.ask(path);
      expect([status, body]).toEqual([200, { data: { status: 'ok' } }]);
    }
  });
});
