import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates an index for the API keys that a restricted key can list, on the first project of each restricted key. */
export class ListApiKeysOfProjects1763650400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX api_keys_projects_list_idx ON api_keys (organization_id, (project_ids[1]), created_at, id)
        WHERE project_ids IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX api_keys_projects_list_idx`);
  }
}
