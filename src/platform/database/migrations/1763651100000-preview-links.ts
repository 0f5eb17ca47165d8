import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of links that show a page for a day. Only their hashes are stored. */
export class PreviewLinks1763651100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE status_pages ADD CONSTRAINT status_pages_organization_id_id_key UNIQUE (organization_id, id)`,
    );
    await queryRunner.query(`
      CREATE TABLE preview_links (
        token_hash bytea NOT NULL CONSTRAINT preview_links_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        status_page_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT preview_links_status_page_fkey
          FOREIGN KEY (organization_id, status_page_id) REFERENCES status_pages (organization_id, id)
          ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE INDEX preview_links_status_page_idx ON preview_links (organization_id, status_page_id, created_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE preview_links`);
    await queryRunner.query(`ALTER TABLE status_pages DROP CONSTRAINT status_pages_organization_id_id_key`);
  }
}
