import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the outbox: events that subscribers want to know of. Without foreign keys, because events outlive their resources. */
export class Events1763653100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE events (
        id uuid NOT NULL CONSTRAINT events_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        type text NOT NULL
          CONSTRAINT events_type_check CHECK (type IN (
            'incident.created', 'incident.updated', 'incident.resolved', 'incident.reopened',
            'incident.postmortem_published', 'incident.deleted', 'maintenance.scheduled', 'maintenance.rescheduled',
            'maintenance.reminder', 'maintenance.started', 'maintenance.completed', 'maintenance.cancelled',
            'monitor.status_changed', 'status_page.created', 'status_page.updated', 'status_page.deleted',
            'status_page.restored', 'webhook_endpoint.disabled'
          )),
        resource_id uuid NOT NULL,
        update_id uuid,
        data jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        due_at timestamptz(3),
        email_due_at timestamptz(3),
        is_notified boolean NOT NULL DEFAULT true,
        channel text,
        position uuid
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX events_list_idx ON events (organization_id, project_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX events_resource_idx ON events (organization_id, resource_id, created_at, id)`,
    );
    await queryRunner.query(`CREATE INDEX events_due_idx ON events (due_at, id) WHERE due_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE events`);
  }
}
