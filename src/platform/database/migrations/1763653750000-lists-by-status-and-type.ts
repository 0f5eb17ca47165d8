import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/** Indexes for the deliveries of a status and the events of a type. */
export class ListsByStatusAndType1763653750000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(
      queryRunner,
      'deliveries_status_idx',
      `ON deliveries (organization_id, recipient_id, status, created_at, id) WHERE channel = 'webhook'`,
    );
    await createIndexOnline(
      queryRunner,
      'events_type_idx',
      `ON events (organization_id, project_id, type, created_at, id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX deliveries_status_idx, events_type_idx`);
  }
}
