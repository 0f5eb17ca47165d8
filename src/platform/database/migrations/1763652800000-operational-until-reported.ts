import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds whether a monitor counts as operational before its first report, and by which rules a day was computed. Both defaults
 * are constant, so that no row is rewritten. Monitors that already have a state keep their figures, monitors that get a state
 * later follow the new rule. Days that an older version computes have the rules version 1.
 */
export class OperationalUntilReported1763652800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE monitor_states
        ADD COLUMN IF NOT EXISTS is_operational_until_reported boolean NOT NULL DEFAULT false`);
    await queryRunner.query(
      `ALTER TABLE monitor_states ALTER COLUMN is_operational_until_reported SET DEFAULT true`,
    );
    await queryRunner.query(
      `ALTER TABLE monitor_days ADD COLUMN IF NOT EXISTS rules_version smallint NOT NULL DEFAULT 1`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE monitor_days DROP COLUMN rules_version`);
    await queryRunner.query(`ALTER TABLE monitor_states DROP COLUMN is_operational_until_reported`);
  }
}
