import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores when `SECRET_KEY` has replaced the key in the database. */
export class RetiredSecrets1763653720000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE secrets ADD COLUMN IF NOT EXISTS retired_at timestamptz(3)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE secrets DROP COLUMN retired_at`);
  }
}
