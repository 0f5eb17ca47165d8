import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates an index for the list of projects. */
export class ListProjects1763650100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX projects_list_idx ON projects (organization_id, created_at, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX projects_list_idx`);
  }
}
