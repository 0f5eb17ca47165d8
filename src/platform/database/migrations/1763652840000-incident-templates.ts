import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of incident templates. */
export class IncidentTemplates1763652840000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE incident_templates (
        id uuid NOT NULL CONSTRAINT incident_templates_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        name text NOT NULL,
        title text NOT NULL,
        body text,
        status text NOT NULL DEFAULT 'investigating'
          CONSTRAINT incident_templates_status_check
            CHECK (status IN ('investigating', 'identified', 'monitoring', 'resolved')),
        monitors jsonb NOT NULL DEFAULT '[]',
        affects_monitors boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT incident_templates_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT incident_templates_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT incident_templates_title_check CHECK (char_length(title) BETWEEN 1 AND 200),
        CONSTRAINT incident_templates_body_check CHECK (char_length(body) BETWEEN 1 AND 10000)
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX incident_templates_list_idx ON incident_templates (organization_id, project_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX incident_templates_monitors_idx ON incident_templates USING gin (monitors jsonb_path_ops)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE incident_templates`);
  }
}
