import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of the monitors whose status changes are recorded together, because their project has too many of them. */
export class DeferredStatusChanges1763653760000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE deferred_status_changes (
        organization_id uuid NOT NULL,
        monitor_id uuid NOT NULL,
        "from" monitor_status,
        due_at timestamptz(3) NOT NULL,
        CONSTRAINT deferred_status_changes_pkey PRIMARY KEY (organization_id, monitor_id),
        CONSTRAINT deferred_status_changes_monitor_fkey
          FOREIGN KEY (organization_id, monitor_id) REFERENCES monitors (organization_id, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE INDEX deferred_status_changes_queue_idx ON deferred_status_changes (due_at, organization_id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE deferred_status_changes`);
  }
}
