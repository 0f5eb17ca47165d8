import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/** Creates the indexes of the foreign key from monitors to the templates of their drafts. */
export class DraftTemplateIndexes1763654600100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(
      queryRunner,
      'incident_templates_own_idx',
      'ON incident_templates (organization_id, project_id, id)',
      'UNIQUE INDEX',
    );
    await createIndexOnline(
      queryRunner,
      'monitors_draft_template_idx',
      'ON monitors (organization_id, project_id, draft_template_id) WHERE draft_template_id IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX incident_templates_own_idx, monitors_draft_template_idx`);
  }
}
