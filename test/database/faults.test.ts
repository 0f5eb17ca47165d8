import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

describe('a fault of the database', () => {
  /** Has the next statements on status pages fail as PostgreSQL would make them. */
  async function failWith(sqlstate: string): Promise<() => Promise<unknown>> {
    await server.sql(`
      CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'secret of the database' USING ERRCODE = '${sqlstate}'; END $$`);
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
        expectProblem(answer, status, code);
        expect(answer.text).not.toMatch(/secret|sql|trigger|column/i);
        expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
      }
    } finally {
      await mend();
    }
    expect((await server.patch(tenant, id, { name: 'Mended' })).status).toBe(200);
  });
});
