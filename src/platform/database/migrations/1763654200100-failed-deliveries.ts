import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/** Creates the index for the number of deliveries that have failed lately. */
export class FailedDeliveries1763654200100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE idempotency_keys VALIDATE CONSTRAINT idempotency_keys_organization_id_fkey',
    );
    await createIndexOnline(
      queryRunner,
      'deliveries_failed_idx',
      `ON deliveries (organization_id, finished_at) WHERE status = 'failed'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX deliveries_failed_idx`);
  }
}
