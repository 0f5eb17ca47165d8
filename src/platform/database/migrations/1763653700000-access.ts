import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['access_email_tokens', 'access_links', 'status_page_access'];

/** Creates the tables of who may see private status pages: rules, links for programs, and links that were sent by mail. */
export class Access1763653700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE status_page_access (
        organization_id uuid NOT NULL,
        status_page_id uuid NOT NULL CONSTRAINT status_page_access_pkey PRIMARY KEY,
        password_hash text
          CONSTRAINT status_page_access_password_hash_check CHECK (char_length(password_hash) BETWEEN 1 AND 200),
        emails text[] NOT NULL DEFAULT '{}'
          CONSTRAINT status_page_access_emails_check CHECK (cardinality(emails) <= 1000),
        email_domains text[] NOT NULL DEFAULT '{}'
          CONSTRAINT status_page_access_email_domains_check CHECK (cardinality(email_domains) <= 100),
        networks text[] NOT NULL DEFAULT '{}'
          CONSTRAINT status_page_access_networks_check CHECK (cardinality(networks) <= 100),
        oidc jsonb,
        oidc_client_secret bytea,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT status_page_access_status_page_fkey
          FOREIGN KEY (organization_id, status_page_id) REFERENCES status_pages (organization_id, id)
          ON DELETE CASCADE,
        CONSTRAINT status_page_access_oidc_client_secret_check
          CHECK (oidc IS NOT NULL OR oidc_client_secret IS NULL)
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(`
      CREATE TABLE access_links (
        id uuid NOT NULL CONSTRAINT access_links_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        status_page_id uuid NOT NULL,
        description text NOT NULL
          CONSTRAINT access_links_description_check CHECK (char_length(description) BETWEEN 1 AND 200),
        token_hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3),
        CONSTRAINT access_links_token_hash_key UNIQUE (token_hash),
        CONSTRAINT access_links_status_page_fkey
          FOREIGN KEY (organization_id, status_page_id) REFERENCES status_pages (organization_id, id)
          ON DELETE CASCADE
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX access_links_status_page_idx ON access_links (organization_id, status_page_id, created_at, id)`,
    );
    await queryRunner.query(`
      CREATE TABLE access_email_tokens (
        token_hash bytea NOT NULL CONSTRAINT access_email_tokens_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        status_page_id uuid NOT NULL,
        email text NOT NULL
          CONSTRAINT access_email_tokens_email_check CHECK (char_length(email) BETWEEN 3 AND 320),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT access_email_tokens_status_page_fkey
          FOREIGN KEY (organization_id, status_page_id) REFERENCES status_pages (organization_id, id)
          ON DELETE CASCADE
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX access_email_tokens_status_page_idx ON access_email_tokens (organization_id, status_page_id)`,
    );
    await queryRunner.query(
      `CREATE INDEX access_email_tokens_expires_at_idx ON access_email_tokens (expires_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP TABLE ${table}`);
  }
}
