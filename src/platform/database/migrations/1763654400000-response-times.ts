import type { MigrationInterface, QueryRunner } from 'typeorm';

const VACUUM = `autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02`;

/** Creates the tables of the response times of monitors: the samples of requests, and the histograms of hours and days. */
export class ResponseTimes1763654400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE response_samples (
        organization_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        monitor_ids uuid[] NOT NULL,
        hours integer[] NOT NULL,
        bins smallint[] NOT NULL,
        CONSTRAINT response_samples_pkey PRIMARY KEY (organization_id, id),
        CONSTRAINT response_samples_organization_id_fkey
          FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      ) WITH (${VACUUM})`);
    await queryRunner.query(`
      CREATE TABLE response_times (
        organization_id uuid NOT NULL,
        monitor_id uuid NOT NULL,
        resolution varchar(4) NOT NULL,
        started_at timestamptz(3) NOT NULL,
        counts integer[] NOT NULL,
        CONSTRAINT response_times_pkey PRIMARY KEY (organization_id, monitor_id, resolution, started_at),
        CONSTRAINT response_times_monitor_fkey
          FOREIGN KEY (organization_id, monitor_id) REFERENCES monitors (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT response_times_resolution_check CHECK (resolution IN ('hour', 'day'))
      ) WITH (fillfactor = 90, ${VACUUM})`);
    await queryRunner.query('CREATE INDEX response_times_old_idx ON response_times (resolution, started_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE response_times, response_samples');
  }
}
