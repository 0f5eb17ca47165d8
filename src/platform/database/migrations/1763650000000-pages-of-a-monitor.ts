import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates an index that finds the pages with a monitor. The deletion of a monitor updates these pages. */
export class PagesOfAMonitor1763650000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX status_pages_sections_idx ON status_pages USING gin (sections jsonb_path_ops)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX status_pages_sections_idx`);
  }
}
