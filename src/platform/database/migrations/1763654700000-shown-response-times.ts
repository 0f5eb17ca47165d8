import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the setting of a page that shows response times. */
export class ShownResponseTimes1763654700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE status_page_branding ADD COLUMN show_response_times boolean NOT NULL DEFAULT false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE status_page_branding DROP COLUMN show_response_times`);
  }
}
