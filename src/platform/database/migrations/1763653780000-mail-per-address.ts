import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Distinguishes confirmations and links to private pages, which share a limit for each address. */
export class MailPerAddress1763653780000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE confirmation_mails ADD COLUMN IF NOT EXISTS is_link boolean NOT NULL DEFAULT false',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE confirmation_mails DROP COLUMN is_link');
  }
}
