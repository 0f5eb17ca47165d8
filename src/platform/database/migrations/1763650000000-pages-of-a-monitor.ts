import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index that finds the pages with a monitor, which its deletion updates. */
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
