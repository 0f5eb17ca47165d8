import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

describe('database error', () => {
  /** Makes the next statements on status pages fail with an error of PostgreSQL. */
  async function failWith(sqlstate: string, column = ''): Promise<() => Promise<unknown>> {
    await server.sql(`
      CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'secret of the database' USING ERRCODE = '${sqlstate}', COLUMN = '${column}'; END $$`);
    await server.sql(
      `CREATE OR REPLACE TRIGGER fail BEFORE UPDATE ON status_pages FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    return () => server.sql('DROP FUNCTION fail() CASCADE');
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
    ['EPIPE', 503, 'unavailable'], // none, except the message of Node.js for a broken connection
    ['23505', 409, 'conflict'],
    ['23503', 409, 'conflict'],
    ['23P01', 409, 'conflict'],
    ['23001', 500, 'internal_error'],
    ['23514', 400, 'validation_failed'],
    ['23502', 500, 'internal_error'],
    ['22P05', 400, 'validation_failed'],
    ['42P01', 500, 'internal_error'],
    ['XX000', 500, 'internal_error'],
  ])('with SQLSTATE %s returns %i %s without the message of PostgreSQL', async (sqlstate, status, code) => {
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
        expectProblem(answer, status, code);
        expect(answer.text).not.toMatch(/secret|sql|trigger|column/i);
        expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
      }
    } finally {
      await mend();
    }
    expect((await server.patch(tenant, id, { name: 'Mended' })).status).toBe(200);
  });

  it('about a null column returns 500 internal_error', async () => {
    const { id } = await server.page(tenant);
    const mend = await failWith('23502', 'name');
    const patch = (json: object) =>
      server.ask(`/v1/status-pages/${id}`, { method: 'PATCH', key: tenant.key, json, undocumented: true });
    const answers = await Promise.all([patch({ name: 'x' }), patch({ sections: [] })]).finally(mend);
    for (const answer of answers) expectProblem(answer, 500, 'internal_error');
  });

  it.each([
    ['22P05', 'A value cannot be stored'],
    ['23514', 'A value is invalid, by itself or in combination with another field'],
    ['23505', 'The request conflicts with the current state'],
    ['57014', 'The service is temporarily unavailable'],
    ['XX000', 'Internal server error'],
  ])('with SQLSTATE %s returns the detail %s', async (sqlstate, detail) => {
    const { id } = await server.page(tenant);
    const mend = await failWith(sqlstate);
    const ask = { method: 'PATCH', key: tenant.key, json: { name: 'x' }, undocumented: true };
    const { body } = await server.ask(`/v1/status-pages/${id}`, ask).finally(mend);
    expect(body.detail).toBe(detail);
  });
});
