import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of deleted status pages, which can be restored for a limited time. */
export class DeletedStatusPages1763652200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // No foreign key, so that a project with only deleted pages can be deleted. The cleanup finds their revisions by this row.
    await queryRunner.query(`
      CREATE TABLE deleted_status_pages (
        id uuid NOT NULL CONSTRAINT deleted_status_pages_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        name text NOT NULL,
        slug text NOT NULL,
        revision integer NOT NULL,
        page jsonb NOT NULL,
        named_by jsonb NOT NULL,
        deleted_at timestamptz(3) NOT NULL,
        restorable_until timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(
      `CREATE INDEX deleted_status_pages_list_idx
           ON deleted_status_pages (organization_id, project_id, deleted_at, id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE deleted_status_pages`);
  }
}
