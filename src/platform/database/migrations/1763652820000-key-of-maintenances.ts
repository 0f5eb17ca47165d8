import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

const NAME = 'maintenances_organization_id_id_key';

/** Adds the key that the updates of maintenance windows reference. */
export class KeyOfMaintenances1763652820000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(queryRunner, NAME, 'ON maintenances (organization_id, id)', 'UNIQUE INDEX');
    if (await isAdded(queryRunner)) return; // an earlier run was interrupted
    try {
      await queryRunner.query(`ALTER TABLE maintenances ADD CONSTRAINT ${NAME} UNIQUE USING INDEX ${NAME}`);
    } catch (error) {
      // Servers that start concurrently on the embedded PostgreSQL share a session, and so the lock of migrations.
      if (!(await isAdded(queryRunner))) throw error;
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE maintenances DROP CONSTRAINT ${NAME}`);
  }
}

async function isAdded(queryRunner: QueryRunner): Promise<boolean> {
  const found: unknown[] = await queryRunner.query(
    `SELECT FROM pg_constraint WHERE conname = $1 AND conrelid = 'maintenances'::regclass`,
    [NAME],
  );
  return found.length > 0;
}
