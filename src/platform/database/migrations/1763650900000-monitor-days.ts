import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of closed days, a cache that is computed from reports, incidents and maintenance windows. */
export class MonitorDays1763650900000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE monitor_days (
        organization_id uuid NOT NULL,
        monitor_id uuid NOT NULL,
        day date NOT NULL,
        operational integer NOT NULL,
        degraded_performance integer NOT NULL,
        partial_outage integer NOT NULL,
        major_outage integer NOT NULL,
        under_maintenance integer NOT NULL,
        unknown integer NOT NULL,
        CONSTRAINT monitor_days_pkey PRIMARY KEY (monitor_id, day),
        CONSTRAINT monitor_days_monitor_fkey
          FOREIGN KEY (organization_id, monitor_id) REFERENCES monitor_states (organization_id, monitor_id)
          ON DELETE CASCADE
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE monitor_days`);
  }
}
