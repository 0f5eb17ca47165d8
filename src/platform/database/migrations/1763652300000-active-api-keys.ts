import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/** Creates the index that counts the active keys of an organization, independent of the number of revoked keys. */
export class ActiveApiKeys1763652300000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(
      queryRunner,
      'api_keys_active_idx',
      `ON api_keys (organization_id, COALESCE(LEAST(expires_at, revoked_at), 'infinity'))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX api_keys_active_idx`);
  }
}
