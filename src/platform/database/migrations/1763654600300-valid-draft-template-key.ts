import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Validates the foreign key from monitors to the templates of their drafts. */
export class ValidDraftTemplateKey1763654600300 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE monitors VALIDATE CONSTRAINT monitors_draft_template_id_project_fkey',
    );
  }

  async down(): Promise<void> {}
}
