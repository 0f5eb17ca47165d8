import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates an index for the list of monitors. */
export class ListMonitors1763650200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX monitors_list_idx ON monitors (organization_id, project_id, created_at, id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX monitors_list_idx`);
  }
}
