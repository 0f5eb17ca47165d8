import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the changed fields of an event, and events of resources without a project. The former version lists only events of projects. */
export class Log1763654000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events ADD COLUMN IF NOT EXISTS changes jsonb`);
    await queryRunner.query(`ALTER TABLE events ALTER COLUMN project_id DROP NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM events WHERE project_id IS NULL`);
    await queryRunner.query(`ALTER TABLE events ALTER COLUMN project_id SET NOT NULL`);
    await queryRunner.query(`ALTER TABLE events DROP COLUMN changes`);
  }
}
