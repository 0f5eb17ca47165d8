import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the changes of status that one event stands for. */
export class CountedStatusChanges1763653800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE deferred_status_changes ADD COLUMN IF NOT EXISTS changes integer NOT NULL DEFAULT 1',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE deferred_status_changes DROP COLUMN changes');
  }
}
