import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { ValidBoundsOfTexts1763653950100 } from '../../src/platform/database/migrations/1763653950100-valid-bounds-of-texts.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

const CONSTRAINT = 'monitors_name_check';

const isValidated = async () =>
  (
    await server.sql<{ valid: boolean }[]>(
      'SELECT convalidated AS valid FROM pg_constraint WHERE conname = $1',
      [CONSTRAINT],
    )
  )[0]?.valid;

/** Adds the constraint again as the migration does. Existing rows are not checked. */
const addConstraint = () =>
  server.sql(
    `ALTER TABLE monitors ADD CONSTRAINT ${CONSTRAINT} CHECK (char_length(name) BETWEEN 1 AND 200) NOT VALID`,
  );

describe('the migration that validates the bounds of texts', () => {
  it('removes a bound that an existing row exceeds, and can be repeated', async () => {
    const runner = server.app.get(DataSource).createQueryRunner();
    const migration = new ValidBoundsOfTexts1763653950100();
    const id = randomUUID();
    expect(await isValidated()).toBe(true);
    try {
      await server.sql(`ALTER TABLE monitors DROP CONSTRAINT ${CONSTRAINT}`);
      await server.sql(
        `INSERT INTO monitors (id, organization_id, project_id, name) VALUES ($1, $2, $3, $4)`,
        [id, tenant.organization_id, tenant.project_id, 'x'.repeat(201)],
      );
      await addConstraint();
      for (let times = 0; times < 2; times += 1) await migration.up(runner);
      expect(await isValidated()).toBeUndefined();
      await server.ask(`/v1/monitors/${id}`, {
        method: 'PATCH',
        key: tenant.key,
        json: { description: 'Older' },
        undocumented: true, // its name
      });
      expect(await server.sql('SELECT description FROM monitors WHERE id = $1', [id])).toEqual([
        { description: 'Older' },
      ]);
    } finally {
      await server.sql('DELETE FROM monitors WHERE id = $1', [id]);
      await server.sql(`ALTER TABLE monitors DROP CONSTRAINT IF EXISTS ${CONSTRAINT}`);
      await addConstraint();
      await migration.up(runner);
      await runner.release();
    }
    expect(await isValidated()).toBe(true);
  });
});
