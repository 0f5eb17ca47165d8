import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Permits several organizations to claim a domain, because an unproven claim excludes no other. */
export class UnprovenDomains1763653500200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE status_pages DROP CONSTRAINT status_pages_custom_domain_key`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE status_pages ADD CONSTRAINT status_pages_custom_domain_key UNIQUE (custom_domain)`,
    );
  }
}
