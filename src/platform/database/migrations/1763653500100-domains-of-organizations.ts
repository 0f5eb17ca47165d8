import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/**
 * Makes a domain unique in its organization. The index is partial, so that PostgreSQL does not lock a page against references to it
 * while its domain changes.
 */
export class DomainsOfOrganizations1763653500100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(
      queryRunner,
      'status_pages_custom_domain_idx',
      `ON status_pages (organization_id, custom_domain) WHERE custom_domain IS NOT NULL`,
      'UNIQUE INDEX',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX status_pages_custom_domain_idx`);
  }
}
