import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables of incidents, their updates, and the intervals derived from the updates. */
export class Incidents1763650700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE incidents (
        id uuid NOT NULL CONSTRAINT incidents_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        title text NOT NULL,
        status text NOT NULL
          CONSTRAINT incidents_status_check CHECK (status IN ('investigating', 'identified', 'monitoring', 'resolved')),
        impact text NOT NULL
          CONSTRAINT incidents_impact_check CHECK (impact IN ('none', 'minor', 'major', 'critical')),
        set_impact text
          CONSTRAINT incidents_set_impact_check CHECK (set_impact IN ('none', 'minor', 'major', 'critical')),
        monitors jsonb NOT NULL,
        started_at timestamptz(3) NOT NULL,
        resolved_at timestamptz(3),
        status_page_ids uuid[],
        postmortem text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT incidents_organization_id_id_key UNIQUE (organization_id, id),
        CONSTRAINT incidents_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id) ON DELETE CASCADE
      )`);
    for (const [name, where] of [
      ['list', ''],
      ['open', 'WHERE resolved_at IS NULL'],
      ['resolved', 'WHERE resolved_at IS NOT NULL'],
    ])
      await queryRunner.query(
        `CREATE INDEX incidents_${name}_idx ON incidents (organization_id, project_id, created_at, id) ${where}`,
      );
    await queryRunner.query(
      `CREATE INDEX incidents_status_page_ids_idx ON incidents USING gin (status_page_ids)`,
    );
    await queryRunner.query(`
      CREATE TABLE incident_updates (
        id uuid NOT NULL CONSTRAINT incident_updates_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        incident_id uuid NOT NULL,
        status text NOT NULL
          CONSTRAINT incident_updates_status_check
            CHECK (status IN ('investigating', 'identified', 'monitoring', 'resolved')),
        body text NOT NULL,
        monitors jsonb,
        posted_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT incident_updates_incident_fkey
          FOREIGN KEY (organization_id, incident_id) REFERENCES incidents (organization_id, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE INDEX incident_updates_list_idx ON incident_updates (organization_id, incident_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX incident_updates_monitors_idx ON incident_updates USING gin (monitors jsonb_path_ops)`,
    );
    await queryRunner.query(`
      CREATE TABLE incident_impacts (
        organization_id uuid NOT NULL,
        incident_id uuid NOT NULL,
        monitor_id uuid NOT NULL,
        status monitor_status NOT NULL,
        started_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        CONSTRAINT incident_impacts_pkey PRIMARY KEY (organization_id, incident_id, monitor_id, started_at),
        CONSTRAINT incident_impacts_incident_fkey
          FOREIGN KEY (organization_id, incident_id) REFERENCES incidents (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT incident_impacts_monitor_fkey
          FOREIGN KEY (organization_id, monitor_id)
            REFERENCES monitor_states (organization_id, monitor_id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE INDEX incident_impacts_monitor_idx ON incident_impacts (organization_id, monitor_id, started_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE incident_impacts, incident_updates, incidents`);
  }
}
