import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/**
 * Creates the index of the incidents that affect no monitor. Separate from the migration that finds them, which runs again if it
 * is interrupted.
 */
export class IncidentsOnAllPagesIndex1763652810200 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(
      queryRunner,
      'incidents_on_all_pages_idx',
      `ON incidents (organization_id, project_id, created_at, id)
         WHERE NOT affects_monitors AND status_page_ids IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX incidents_on_all_pages_idx`);
  }
}
