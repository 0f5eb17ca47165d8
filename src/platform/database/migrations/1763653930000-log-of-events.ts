import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from './online-index.js';

/** Indexes of the current version. The others of `events` remain. */
const INDEXES = {
  events_organization_idx: 'ON events (organization_id, type, created_at, id)',
  events_actor_idx: 'ON events (organization_id, actor_id, type, created_at, id) WHERE actor_id IS NOT NULL',
  events_actor_project_idx:
    'ON events (organization_id, actor_id, project_id, type, created_at, id) WHERE actor_id IS NOT NULL',
  events_of_resource_idx: 'ON events (organization_id, resource_id, type, created_at, id)',
  events_status_changes_idx: `ON events (id) WHERE type = 'monitor.status_changed'`,
  events_status_changes_by_actor_idx: `ON events (organization_id, resource_id, actor_id, created_at, id) WHERE type = 'monitor.status_changed'`,
};

/**
 * Indexes for the filters of `GET /v1/events`, and for the changes of a monitor's status, which are kept for a shorter time. The
 * former version lists events without the two former indexes by others, slower.
 */
export class LogOfEvents1763653930000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES))
      await createIndexOnline(queryRunner, name, definition);
    for (const former of ['events_list_idx', 'events_resource_idx'])
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${former}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX events_list_idx ON events (organization_id, project_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX events_resource_idx ON events (organization_id, resource_id, created_at, id)`,
    );
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX ${name}`);
  }
}
