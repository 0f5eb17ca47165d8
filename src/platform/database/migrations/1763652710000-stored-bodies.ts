import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/** Creates the index that finds the newest stored responses of an organization, and the outdated ones. */
export class StoredBodies1763652710000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(
      queryRunner,
      'idempotency_keys_bodies_idx',
      `ON idempotency_keys (organization_id, created_at) WHERE body <> ''`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX idempotency_keys_bodies_idx`);
  }
}
