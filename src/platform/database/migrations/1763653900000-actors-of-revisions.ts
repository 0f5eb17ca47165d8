import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores who made a revision. The columns are null in revisions of the former version, which knows only API keys, so reads use
 * `api_key_id` and `api_key_name` instead. The service writes both for a release.
 */
export class ActorsOfRevisions1763653900000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of ['actor_type text', 'actor_id uuid', 'actor_name text'])
      await queryRunner.query(`ALTER TABLE status_page_revisions ADD COLUMN IF NOT EXISTS ${column}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const column of ['actor_type', 'actor_id', 'actor_name'])
      await queryRunner.query(`ALTER TABLE status_page_revisions DROP COLUMN ${column}`);
  }
}
