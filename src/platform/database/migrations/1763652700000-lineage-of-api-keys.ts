import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the first key in the chain of rotations of an API key. null means the key itself, so that no row is rewritten. */
export class LineageOfApiKeys1763652700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS lineage uuid`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_keys DROP COLUMN lineage`);
  }
}
