import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/**
 * Makes the key of a monitor unique in its project. The index is partial. PostgreSQL would otherwise lock a monitor against
 * references to it while its key changes, and the first report of a monitor references it.
 */
export class UniqueMonitorKey1763652830100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE monitors VALIDATE CONSTRAINT monitors_key_check`);
    await createIndexOnline(
      queryRunner,
      'monitors_key_idx',
      `ON monitors (organization_id, project_id, key) WHERE key IS NOT NULL`,
      'UNIQUE INDEX',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX monitors_key_idx`);
  }
}
