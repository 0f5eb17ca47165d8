import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/** Lets organizations take turns in the queues of events and deliveries, and flags the events that are planned. */
export class TurnsOfDeliveries1763653730000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE events
        ADD COLUMN IF NOT EXISTS is_planned boolean NOT NULL DEFAULT false,
        ADD COLUMN IF NOT EXISTS failures integer NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS page_id uuid,
        ADD COLUMN IF NOT EXISTS recipient_id uuid`);
    const queue = 'organization_id, project_id, due_at, id';
    await createIndexOnline(
      queryRunner,
      'events_queue_idx',
      `ON events (${queue}) WHERE due_at IS NOT NULL AND NOT is_planned`,
    );
    await createIndexOnline(queryRunner, 'events_planned_idx', `ON events (due_at) WHERE is_planned`);
    await createIndexOnline(
      queryRunner,
      'deliveries_queue_idx',
      `ON deliveries (channel, ${queue}) WHERE status = 'pending'`,
    );
    await createIndexOnline(
      queryRunner,
      'deliveries_waiting_idx',
      `ON deliveries (organization_id, project_id, channel) WHERE status = 'pending' AND attempts = 0`,
    );
    await createIndexOnline(
      queryRunner,
      'subscribers_recipients_idx',
      `ON subscribers (organization_id, status_page_id, id) WHERE status = 'active'`,
    );
    for (const former of [
      'deliveries_due_idx',
      'deliveries_new_idx',
      'subscribers_active_idx',
      'events_due_idx',
    ])
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${former}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of [
      ['events_due_idx', `ON events (due_at, id) WHERE due_at IS NOT NULL`],
      ['deliveries_due_idx', `ON deliveries (channel, due_at, id) WHERE status = 'pending'`],
      ['deliveries_new_idx', `ON deliveries (event_id) WHERE status = 'pending' AND attempts = 0`],
      ['subscribers_active_idx', `ON subscribers (organization_id, project_id, id) WHERE status = 'active'`],
    ] as const)
      await queryRunner.query(`CREATE INDEX ${name} ${definition}`);
    for (const index of ['deliveries_queue_idx', 'deliveries_waiting_idx', 'subscribers_recipients_idx'])
      await queryRunner.query(`DROP INDEX ${index}`);
    await queryRunner.query(`
      ALTER TABLE events DROP COLUMN is_planned, DROP COLUMN failures, DROP COLUMN page_id, DROP COLUMN recipient_id`);
  }
}
