import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the table of webhook endpoints, and the columns of events and deliveries that only webhooks need, unless the tables were
 * created with them.
 */
export class Webhooks1763653400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE webhook_endpoints (
        id uuid NOT NULL CONSTRAINT webhook_endpoints_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        status_page_id uuid,
        url text NOT NULL,
        description text,
        event_types text[] NOT NULL DEFAULT '{}',
        format text NOT NULL DEFAULT 'standard'
          CONSTRAINT webhook_endpoints_format_check CHECK (format IN ('standard', 'slack', 'discord', 'teams')),
        status text NOT NULL DEFAULT 'enabled'
          CONSTRAINT webhook_endpoints_status_check CHECK (status IN ('enabled', 'disabled')),
        disabled_reason text
          CONSTRAINT webhook_endpoints_disabled_reason_check
            CHECK (disabled_reason IN ('manual', 'gone', 'failing')),
        secret bytea NOT NULL,
        former_secret bytea,
        former_secret_until timestamptz(3),
        failing_since timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT webhook_endpoints_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT webhook_endpoints_url_check CHECK (char_length(url) BETWEEN 1 AND 2048),
        CONSTRAINT webhook_endpoints_description_check CHECK (char_length(description) BETWEEN 1 AND 500),
        CONSTRAINT webhook_endpoints_disabled_check CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL)),
        CONSTRAINT webhook_endpoints_former_secret_check
          CHECK ((former_secret IS NULL) = (former_secret_until IS NULL))
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX webhook_endpoints_list_idx ON webhook_endpoints (organization_id, project_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX webhook_endpoints_page_idx ON webhook_endpoints (organization_id, status_page_id)
        WHERE status_page_id IS NOT NULL`,
    );
    await queryRunner.query(`ALTER TABLE events ADD COLUMN IF NOT EXISTS email_due_at timestamptz(3)`);
    await queryRunner.query(
      `ALTER TABLE events ADD COLUMN IF NOT EXISTS is_notified boolean NOT NULL DEFAULT true`,
    );
    await queryRunner.query(`ALTER TABLE events DROP CONSTRAINT events_type_check`);
    await queryRunner.query(`
      ALTER TABLE events ADD CONSTRAINT events_type_check CHECK (type IN (
        'incident.created', 'incident.updated', 'incident.resolved', 'incident.reopened',
        'incident.postmortem_published', 'incident.deleted', 'maintenance.scheduled', 'maintenance.rescheduled',
        'maintenance.reminder', 'maintenance.started', 'maintenance.completed', 'maintenance.cancelled',
        'monitor.status_changed', 'status_page.created', 'status_page.updated', 'status_page.deleted',
        'status_page.restored', 'webhook_endpoint.disabled'
      )) NOT VALID`);
    await queryRunner.query(
      `ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS attempt_log jsonb NOT NULL DEFAULT '[]'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE deliveries DROP COLUMN attempt_log`);
    await queryRunner.query(`DELETE FROM events WHERE type = 'webhook_endpoint.disabled'`);
    await queryRunner.query(`ALTER TABLE events DROP CONSTRAINT events_type_check`);
    await queryRunner.query(`
      ALTER TABLE events ADD CONSTRAINT events_type_check CHECK (type IN (
        'incident.created', 'incident.updated', 'incident.resolved', 'incident.reopened',
        'incident.postmortem_published', 'incident.deleted', 'maintenance.scheduled', 'maintenance.rescheduled',
        'maintenance.reminder', 'maintenance.started', 'maintenance.completed', 'maintenance.cancelled',
        'monitor.status_changed', 'status_page.created', 'status_page.updated', 'status_page.deleted',
        'status_page.restored'
      ))`);
    await queryRunner.query(`ALTER TABLE events DROP COLUMN is_notified, DROP COLUMN email_due_at`);
    await queryRunner.query(`DROP TABLE webhook_endpoints`);
  }
}
