import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of incident drafts, and the column of the monitors that make them. */
export class IncidentDrafts1763654600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE incident_drafts (
        id uuid NOT NULL CONSTRAINT incident_drafts_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        monitor_id uuid,
        title text NOT NULL,
        body text,
        status text NOT NULL DEFAULT 'investigating',
        monitors jsonb NOT NULL DEFAULT '[]',
        affects_monitors boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT incident_drafts_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT incident_drafts_monitor_fkey
          FOREIGN KEY (organization_id, monitor_id) REFERENCES monitors (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT incident_drafts_title_check CHECK (char_length(title) BETWEEN 1 AND 200),
        CONSTRAINT incident_drafts_body_check CHECK (char_length(body) BETWEEN 1 AND 10000),
        CONSTRAINT incident_drafts_status_check
          CHECK (status IN ('investigating', 'identified', 'monitoring', 'resolved'))
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX incident_drafts_list_idx ON incident_drafts (organization_id, project_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX incident_drafts_monitors_idx ON incident_drafts USING gin (monitors jsonb_path_ops)`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX incident_drafts_monitor_idx ON incident_drafts (organization_id, monitor_id)
        WHERE monitor_id IS NOT NULL`,
    );
    await queryRunner.query(`ALTER TABLE monitors ADD COLUMN draft_template_id uuid`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE monitors DROP COLUMN draft_template_id`);
    await queryRunner.query(`DROP TABLE incident_drafts`);
  }
}
