import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first key of the rotations of an API key. A null says that it is the key itself: no row is rewritten. */
export class LineageOfApiKeys1763652700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS lineage uuid`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_keys DROP COLUMN lineage`);
  }
}
