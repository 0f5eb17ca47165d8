import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts a bounced message once, and distinguishes suppressions that a later delivery lifts. */
export class BouncedMessages1763653795000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE subscribers
         ADD COLUMN IF NOT EXISTS bounced_messages text[] NOT NULL DEFAULT '{}',
         ADD COLUMN IF NOT EXISTS is_lifted_by_delivery boolean NOT NULL DEFAULT false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE subscribers DROP COLUMN bounced_messages, DROP COLUMN is_lifted_by_delivery',
    );
  }
}
