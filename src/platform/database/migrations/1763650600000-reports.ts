import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables of monitor reports, and the time after which a monitor without reports is unknown. */
export class Reports1763650600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TYPE monitor_status AS ENUM ('operational', 'degraded_performance', 'partial_outage', 'major_outage')`,
    );
    await queryRunner.query(`
      ALTER TABLE monitors
        ADD COLUMN stale_after_seconds integer,
        ADD CONSTRAINT monitors_organization_id_id_key UNIQUE (organization_id, id)`);
    // Half of each page is free, so that an update that changes no index stays in its page (heap-only tuple).
    await queryRunner.query(`
      CREATE TABLE monitor_states (
        organization_id uuid NOT NULL,
        monitor_id uuid NOT NULL,
        status monitor_status,
        started_at timestamptz(3),
        last_observed_at timestamptz(3),
        observations timestamptz[] NOT NULL DEFAULT '{}',
        stale_after_seconds integer,
        closed_before timestamptz(3),
        CONSTRAINT monitor_states_pkey PRIMARY KEY (organization_id, monitor_id),
        CONSTRAINT monitor_states_monitor_fkey
          FOREIGN KEY (organization_id, monitor_id) REFERENCES monitors (organization_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 45)`);
    await queryRunner.query(`
      CREATE TABLE monitor_runs (
        organization_id uuid NOT NULL,
        monitor_id uuid NOT NULL,
        started_at timestamptz(3) NOT NULL,
        last_observed_at timestamptz(3) NOT NULL,
        status monitor_status NOT NULL,
        CONSTRAINT monitor_runs_pkey PRIMARY KEY (monitor_id, started_at),
        CONSTRAINT monitor_runs_monitor_fkey
          FOREIGN KEY (organization_id, monitor_id) REFERENCES monitor_states (organization_id, monitor_id)
          ON DELETE CASCADE
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE monitor_runs, monitor_states`);
    await queryRunner.query(`
      ALTER TABLE monitors
        DROP CONSTRAINT monitors_organization_id_id_key,
        DROP COLUMN stale_after_seconds`);
    await queryRunner.query(`DROP TYPE monitor_status`);
  }
}
