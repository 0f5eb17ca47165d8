import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the key of a monitor, a short name for probes and alerts. The next migration validates the constraint. */
export class MonitorKey1763652830000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE monitors ADD COLUMN key text`);
    await queryRunner.query(`
      ALTER TABLE monitors ADD CONSTRAINT monitors_key_check
        CHECK (key ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(key) <= 63) NOT VALID`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE monitors DROP COLUMN key`);
  }
}
