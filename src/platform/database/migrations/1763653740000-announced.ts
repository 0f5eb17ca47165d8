import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores whether subscribers and webhooks know of an incident or a maintenance window. */
export class Announced1763653740000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['incidents', 'maintenances'])
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS is_notified boolean`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['incidents', 'maintenances'])
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN is_notified`);
  }
}
