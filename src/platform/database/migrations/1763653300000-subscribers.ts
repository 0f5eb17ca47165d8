import type { MigrationInterface, QueryRunner } from 'typeorm';

const STORAGE = `
  fillfactor = 90,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02`;

/**
 * Creates the tables of subscribers. They have no foreign key to their status page, so that a restored page has its subscribers
 * again.
 */
export class Subscribers1763653300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE subscribers (
        id uuid NOT NULL CONSTRAINT subscribers_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        status_page_id uuid NOT NULL,
        email text NOT NULL
          CONSTRAINT subscribers_email_check CHECK (char_length(email) BETWEEN 3 AND 320),
        email_key text NOT NULL,
        status text NOT NULL DEFAULT 'pending'
          CONSTRAINT subscribers_status_check CHECK (status IN ('pending', 'active', 'suppressed')),
        suppressed_reason text
          CONSTRAINT subscribers_suppressed_reason_check
            CHECK (suppressed_reason IN ('bounced', 'complained', 'manual')),
        monitor_ids uuid[],
        detail text NOT NULL DEFAULT 'all'
          CONSTRAINT subscribers_detail_check CHECK (detail IN ('all', 'edges')),
        maintenances boolean NOT NULL DEFAULT true,
        source text NOT NULL
          CONSTRAINT subscribers_source_check CHECK (source IN ('visitor', 'api', 'import')),
        confirmed_at timestamptz(3),
        confirmed_by uuid,
        last_sent_at timestamptz(3),
        last_bounced_at timestamptz(3),
        bounce_is_reported boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT subscribers_status_page_id_email_key_key UNIQUE (status_page_id, email_key),
        CONSTRAINT subscribers_suppressed_check CHECK ((status = 'suppressed') = (suppressed_reason IS NOT NULL)),
        CONSTRAINT subscribers_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id) ON DELETE CASCADE
      ) WITH (${STORAGE})`);
    await queryRunner.query(
      `CREATE INDEX subscribers_list_idx ON subscribers (organization_id, status_page_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX subscribers_status_idx ON subscribers (organization_id, status_page_id, status, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX subscribers_project_idx ON subscribers (organization_id, project_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX subscribers_email_key_idx ON subscribers (organization_id, email_key)`,
    );
    await queryRunner.query(
      `CREATE INDEX subscribers_unconfirmed_idx ON subscribers (created_at) WHERE confirmed_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX subscribers_active_idx ON subscribers (organization_id, project_id, id) WHERE status = 'active'`,
    );
    await queryRunner.query(
      `CREATE INDEX subscribers_monitor_ids_idx ON subscribers USING gin (monitor_ids)`,
    );
    await queryRunner.query(`
      CREATE TABLE erased_subscribers (
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        status_page_id uuid NOT NULL,
        email_hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT erased_subscribers_pkey PRIMARY KEY (status_page_id, email_hash),
        CONSTRAINT erased_subscribers_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id) ON DELETE CASCADE
      ) WITH (${STORAGE})`);
    await queryRunner.query(
      `CREATE INDEX erased_subscribers_project_idx ON erased_subscribers (organization_id, project_id)`,
    );
    await queryRunner.query(`
      CREATE TABLE subscription_requests (
        id uuid NOT NULL CONSTRAINT subscription_requests_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        status_page_id uuid NOT NULL,
        email text NOT NULL
          CONSTRAINT subscription_requests_email_check CHECK (char_length(email) BETWEEN 3 AND 320),
        monitor_ids uuid[],
        detail text NOT NULL
          CONSTRAINT subscription_requests_detail_check CHECK (detail IN ('all', 'edges')),
        maintenances boolean NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        due_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT subscription_requests_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id) ON DELETE CASCADE
      ) WITH (${STORAGE})`);
    await queryRunner.query(
      `CREATE INDEX subscription_requests_project_idx ON subscription_requests (organization_id, project_id)`,
    );
    await queryRunner.query(
      `CREATE INDEX subscription_requests_due_idx ON subscription_requests (due_at, id)`,
    );
    await queryRunner.query(`
      CREATE TABLE confirmation_mails (
        id uuid NOT NULL CONSTRAINT confirmation_mails_pkey PRIMARY KEY,
        email_hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      ) WITH (${STORAGE})`);
    await queryRunner.query(
      `CREATE INDEX confirmation_mails_email_hash_idx ON confirmation_mails (email_hash, created_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['confirmation_mails', 'subscription_requests', 'erased_subscribers', 'subscribers'])
      await queryRunner.query(`DROP TABLE ${table}`);
  }
}
