import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/** Stores the pages that showed a monitor of an incident or a maintenance window which was deleted before the end. */
export class FormerPages1763653770000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['incidents', 'maintenances'])
      await queryRunner.query(
        `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS former_page_ids uuid[] NOT NULL DEFAULT '{}'`,
      );
    await createIndexOnline(
      queryRunner,
      'incidents_former_page_ids_idx',
      `ON incidents USING gin (former_page_ids) WHERE former_page_ids <> '{}'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['incidents', 'maintenances'])
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN former_page_ids`);
  }
}
