import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of maintenance windows. */
export class Maintenances1763650800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE maintenances (
        id uuid NOT NULL CONSTRAINT maintenances_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        title text NOT NULL,
        body text NOT NULL DEFAULT '',
        starts_at timestamptz(3) NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        monitor_ids uuid[] NOT NULL,
        status_page_ids uuid[],
        closed_as text,
        closed_at timestamptz(3),
        project_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT maintenances_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT maintenances_ends_at_check
          CHECK (ends_at > starts_at AND ends_at <= starts_at + interval '720 hours'),
        CONSTRAINT maintenances_closed_as_check CHECK (closed_as IN ('completed', 'cancelled')),
        CONSTRAINT maintenances_closed_at_check CHECK ((closed_as IS NULL) = (closed_at IS NULL))
      )`);
    await queryRunner.query(
      `CREATE INDEX maintenances_list_idx ON maintenances (organization_id, project_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX maintenances_ends_at_idx ON maintenances (organization_id, project_id, ends_at)`,
    );
    await queryRunner.query(
      `CREATE INDEX maintenances_monitor_ids_idx ON maintenances USING gin (monitor_ids)`,
    );
    await queryRunner.query(
      `CREATE INDEX maintenances_status_page_ids_idx ON maintenances USING gin (status_page_ids)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE maintenances`);
  }
}
