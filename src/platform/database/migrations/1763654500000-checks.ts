import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables of checks. */
export class Checks1763654500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE checks (
        id uuid NOT NULL CONSTRAINT checks_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        monitor_id uuid NOT NULL,
        type text NOT NULL,
        target text NOT NULL,
        interval_seconds integer NOT NULL DEFAULT 60,
        timeout_seconds integer NOT NULL DEFAULT 10,
        failures integer NOT NULL DEFAULT 2,
        recoveries integer NOT NULL DEFAULT 1,
        degraded_above_ms integer,
        status_on_failure text NOT NULL DEFAULT 'major_outage',
        enabled boolean NOT NULL DEFAULT true,
        method text NOT NULL DEFAULT 'GET',
        header_names text[] NOT NULL DEFAULT '{}',
        encrypted_headers bytea,
        body text NOT NULL DEFAULT '',
        expected_status text NOT NULL DEFAULT '200-399',
        body_contains text,
        follow_redirects boolean NOT NULL DEFAULT true,
        record_type text NOT NULL DEFAULT 'A',
        expected text,
        days_before_expiry integer NOT NULL DEFAULT 14,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT checks_organization_id_id_key UNIQUE (organization_id, id),
        CONSTRAINT checks_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        CONSTRAINT checks_monitor_fkey
          FOREIGN KEY (organization_id, monitor_id) REFERENCES monitors (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT checks_type_check CHECK (type IN ('http', 'tcp', 'dns', 'tls')),
        CONSTRAINT checks_target_check CHECK (char_length(target) BETWEEN 1 AND 2048),
        CONSTRAINT checks_interval_seconds_check CHECK (interval_seconds BETWEEN 30 AND 86400),
        CONSTRAINT checks_timeout_seconds_check CHECK (timeout_seconds BETWEEN 1 AND 30),
        CONSTRAINT checks_failures_check CHECK (failures BETWEEN 1 AND 10),
        CONSTRAINT checks_recoveries_check CHECK (recoveries BETWEEN 1 AND 10),
        CONSTRAINT checks_degraded_above_ms_check CHECK (degraded_above_ms BETWEEN 1 AND 30000),
        CONSTRAINT checks_status_on_failure_check
          CHECK (status_on_failure IN ('degraded_performance', 'partial_outage', 'major_outage')),
        CONSTRAINT checks_method_check
          CHECK (method IN ('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')),
        CONSTRAINT checks_header_names_check CHECK (cardinality(header_names) <= 20),
        CONSTRAINT checks_body_check CHECK (char_length(body) <= 10000),
        CONSTRAINT checks_expected_status_check CHECK (char_length(expected_status) <= 79),
        CONSTRAINT checks_body_contains_check CHECK (char_length(body_contains) BETWEEN 1 AND 500),
        CONSTRAINT checks_record_type_check CHECK (record_type IN ('A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT')),
        CONSTRAINT checks_expected_check CHECK (char_length(expected) BETWEEN 1 AND 500),
        CONSTRAINT checks_days_before_expiry_check CHECK (days_before_expiry BETWEEN 1 AND 90)
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX checks_list_idx ON checks (organization_id, project_id, created_at, id)`,
    );
    await queryRunner.query(`CREATE UNIQUE INDEX checks_monitor_idx ON checks (organization_id, monitor_id)`);
    await queryRunner.query(`
      CREATE TABLE check_states (
        check_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        due_at timestamptz(3),
        token integer NOT NULL DEFAULT 0,
        status text,
        is_failing boolean NOT NULL DEFAULT false,
        failed_runs integer NOT NULL DEFAULT 0,
        successful_runs integer NOT NULL DEFAULT 0,
        slow_runs integer NOT NULL DEFAULT 0,
        started_at timestamptz(3),
        checked_at timestamptz(3),
        duration_ms integer,
        error text,
        CONSTRAINT check_states_pkey PRIMARY KEY (organization_id, check_id),
        CONSTRAINT check_states_check_fkey
          FOREIGN KEY (organization_id, check_id) REFERENCES checks (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT check_states_status_check
          CHECK (status IN ('operational', 'degraded_performance', 'partial_outage', 'major_outage')),
        CONSTRAINT check_states_error_check CHECK (char_length(error) <= 200)
      ) WITH (
        fillfactor = 50,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX check_states_due_idx ON check_states (organization_id, due_at) WHERE due_at IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE check_states`);
    await queryRunner.query(`DROP TABLE checks`);
  }
}
