import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the foreign key from monitors to the templates of their drafts. */
export class DraftTemplateKey1763654600200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE monitors
        ADD CONSTRAINT monitors_draft_template_id_project_fkey FOREIGN KEY (organization_id, draft_template_id, project_id)
        REFERENCES incident_templates (organization_id, id, project_id) NOT VALID`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE monitors DROP CONSTRAINT monitors_draft_template_id_project_fkey`);
  }
}
