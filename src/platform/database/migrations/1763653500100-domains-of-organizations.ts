import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/** Makes a domain unique in its organization instead of in the instance, because an unproven claim excludes no other organization. */
export class DomainsOfOrganizations1763653500100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const name = 'status_pages_organization_id_custom_domain_key';
    const [found]: unknown[] = await queryRunner.query(`SELECT FROM pg_constraint WHERE conname = $1`, [
      name,
    ]);
    if (!found) {
      await createIndexOnline(
        queryRunner,
        name,
        'ON status_pages (organization_id, custom_domain)',
        'UNIQUE INDEX',
      );
      await queryRunner.query(`ALTER TABLE status_pages ADD CONSTRAINT ${name} UNIQUE USING INDEX ${name}`);
    }
    await queryRunner.query(
      `ALTER TABLE status_pages DROP CONSTRAINT IF EXISTS status_pages_custom_domain_key`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE status_pages ADD CONSTRAINT status_pages_custom_domain_key UNIQUE (custom_domain)`,
    );
    await queryRunner.query(
      `ALTER TABLE status_pages DROP CONSTRAINT status_pages_organization_id_custom_domain_key`,
    );
  }
}
