import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of the updates of maintenance windows. A change of a row increases the page version of its project. */
export class MaintenanceUpdates1763652821000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE maintenance_updates (
        id uuid NOT NULL CONSTRAINT maintenance_updates_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        maintenance_id uuid NOT NULL,
        body text NOT NULL
          CONSTRAINT maintenance_updates_body_check CHECK (char_length(body) BETWEEN 1 AND 10000),
        posted_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT maintenance_updates_maintenance_fkey
          FOREIGN KEY (organization_id, maintenance_id)
            REFERENCES maintenances (organization_id, id) ON DELETE CASCADE
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX maintenance_updates_list_idx
           ON maintenance_updates (organization_id, maintenance_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX maintenance_updates_posted_at_idx ON maintenance_updates (organization_id, posted_at)`,
    );
    await queryRunner.query(`
      CREATE FUNCTION raise_page_version_of_maintenance() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          changed record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        BEGIN
          PERFORM raise_page_version(
            changed.organization_id,
            (SELECT project_id FROM maintenances
              WHERE organization_id = changed.organization_id AND id = changed.maintenance_id)
          );
          RETURN NULL;
        END
      $$`);
    await this.createTrigger(queryRunner, 'maintenance_updates_page_version', 'INSERT OR DELETE', 'true');
    await this.createTrigger(
      queryRunner,
      'maintenance_updates_changed_page_version',
      'UPDATE',
      'OLD IS DISTINCT FROM NEW',
    );
  }

  private async createTrigger(
    queryRunner: QueryRunner,
    name: string,
    events: string,
    when: string,
  ): Promise<void> {
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER ${name} AFTER ${events} ON maintenance_updates
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${when})
        EXECUTE FUNCTION raise_page_version_of_maintenance()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE maintenance_updates`);
    await queryRunner.query(`DROP FUNCTION raise_page_version_of_maintenance`);
  }
}
