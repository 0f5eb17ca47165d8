import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds whether an update of an incident has set a status for a monitor. The next migration sets it for existing incidents. The
 * default keeps the incidents of an older version on the pages of their monitors.
 */
export class IncidentsWithoutMonitors1763652810000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE incidents ADD COLUMN IF NOT EXISTS affects_monitors boolean NOT NULL DEFAULT true`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE incidents DROP COLUMN affects_monitors`);
  }
}
