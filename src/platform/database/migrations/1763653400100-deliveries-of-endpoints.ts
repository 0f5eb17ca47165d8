import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/** Creates the index for the list of a webhook endpoint's deliveries. */
export class DeliveriesOfEndpoints1763653400100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events VALIDATE CONSTRAINT events_type_check`);
    await createIndexOnline(
      queryRunner,
      'deliveries_endpoint_idx',
      `ON deliveries (organization_id, recipient_id, created_at, id) WHERE channel = 'webhook'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX deliveries_endpoint_idx`);
  }
}
