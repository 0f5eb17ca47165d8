import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

const NAME = 'maintenances_organization_id_id_key';

/** Adds the key that the updates of maintenance windows reference. */
export class KeyOfMaintenances1763652820000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(queryRunner, NAME, 'ON maintenances (organization_id, id)', 'UNIQUE INDEX');
    const found: unknown[] = await queryRunner.query(
      `SELECT FROM pg_constraint WHERE conname = $1 AND conrelid = 'maintenances'::regclass`,
      [NAME],
    );
    if (found.length > 0) return; // an earlier run was interrupted
    await queryRunner.query(`ALTER TABLE maintenances ADD CONSTRAINT ${NAME} UNIQUE USING INDEX ${NAME}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE maintenances DROP CONSTRAINT ${NAME}`);
  }
}
