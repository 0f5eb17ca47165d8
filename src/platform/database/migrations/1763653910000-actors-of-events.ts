import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['actor_type text', 'actor_id uuid', 'actor_name text', 'via text', 'request_id uuid'];

/** Stores who caused an event, and how. The columns are null in events of the former version. */
export class ActorsOfEvents1763653910000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await queryRunner.query(`ALTER TABLE events ADD COLUMN IF NOT EXISTS ${column}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await queryRunner.query(`ALTER TABLE events DROP COLUMN ${column.split(' ')[0]}`);
  }
}
