import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates an index for the list of API keys. */
export class ListApiKeys1763650300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX api_keys_list_idx ON api_keys (organization_id, created_at, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX api_keys_list_idx`);
  }
}
