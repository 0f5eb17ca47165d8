import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of visitors' forms for a link by mail, which a delivering process handles. */
export class AccessEmailRequests1763653710000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE access_email_requests (
        id uuid NOT NULL CONSTRAINT access_email_requests_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        status_page_id uuid NOT NULL,
        email text NOT NULL
          CONSTRAINT access_email_requests_email_check CHECK (char_length(email) BETWEEN 3 AND 320),
        wanted text NOT NULL
          CONSTRAINT access_email_requests_wanted_check CHECK (char_length(wanted) <= 300),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT access_email_requests_status_page_fkey
          FOREIGN KEY (organization_id, status_page_id) REFERENCES status_pages (organization_id, id)
          ON DELETE CASCADE
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX access_email_requests_status_page_idx ON access_email_requests (organization_id, status_page_id)`,
    );
    await queryRunner.query(
      `CREATE INDEX access_email_requests_created_at_idx ON access_email_requests (created_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE access_email_requests');
  }
}
