import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of status page revisions. */
export class StatusPageRevisions1763652100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // A constant default, so PostgreSQL rewrites no row. Older pages have no revisions yet.
    await queryRunner.query(`ALTER TABLE status_pages ADD COLUMN revision integer NOT NULL DEFAULT 0`);
    // No foreign keys, because each update of a page would lock the row of its API key, and revisions outlive a deleted page.
    await queryRunner.query(`
      CREATE TABLE status_page_revisions (
        organization_id uuid NOT NULL,
        status_page_id uuid NOT NULL,
        number integer NOT NULL,
        operation text NOT NULL
          CONSTRAINT status_page_revisions_operation_check CHECK (operation IN (
            'create', 'update', 'update_settings', 'delete_monitor', 'restore_revision', 'delete', 'restore'
          )),
        api_key_id uuid,
        api_key_name text,
        changed_fields text[] NOT NULL,
        before jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT status_page_revisions_pkey PRIMARY KEY (status_page_id, number)
      )`);
    await queryRunner.query(
      `CREATE INDEX status_page_revisions_created_at_idx ON status_page_revisions (created_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE status_page_revisions`);
    await queryRunner.query(`ALTER TABLE status_pages DROP COLUMN revision`);
  }
}
