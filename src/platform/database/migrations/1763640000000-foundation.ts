import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables and the default organization. */
export class Foundation1763640000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE organizations (
        id uuid NOT NULL CONSTRAINT organizations_pkey PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`
      CREATE TABLE projects (
        id uuid NOT NULL CONSTRAINT projects_pkey PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT projects_organization_id_fkey REFERENCES organizations (id),
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT projects_organization_id_id_key UNIQUE (organization_id, id)
      )`);
    await queryRunner.query(`
      CREATE TABLE monitors (
        id uuid NOT NULL CONSTRAINT monitors_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT monitors_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
      )`);
    await queryRunner.query(`
      CREATE TABLE api_keys (
        id uuid NOT NULL CONSTRAINT api_keys_pkey PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT api_keys_organization_id_fkey REFERENCES organizations (id),
        name text NOT NULL,
        prefix text NOT NULL,
        key_hash bytea NOT NULL CONSTRAINT api_keys_key_hash_key UNIQUE,
        scopes text[] NOT NULL,
        project_ids uuid[],
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        last_used_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`
      CREATE TABLE status_pages (
        id uuid NOT NULL CONSTRAINT status_pages_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        name text NOT NULL,
        slug text NOT NULL CONSTRAINT status_pages_slug_key UNIQUE,
        is_public boolean NOT NULL DEFAULT true,
        description text NOT NULL DEFAULT '',
        accent_color text NOT NULL DEFAULT '#2563eb',
        show_powered_by boolean NOT NULL DEFAULT true,
        show_history boolean NOT NULL DEFAULT true,
        history_days integer NOT NULL DEFAULT 90,
        rss_enabled boolean NOT NULL DEFAULT true,
        subscribe_enabled boolean NOT NULL DEFAULT false,
        custom_domain text CONSTRAINT status_pages_custom_domain_key UNIQUE,
        sections jsonb NOT NULL DEFAULT '[]',
        project_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT status_pages_project_fkey
          FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
      )`);
    await queryRunner.query(
      `CREATE INDEX status_pages_list_idx ON status_pages (organization_id, project_id, created_at, id)`,
    );
    // The value of DEFAULT_ORGANIZATION_ID. Not imported, because a released migration must not change.
    await queryRunner.query(
      `INSERT INTO organizations (id, name) VALUES ('00000000-0000-7000-8000-000000000001', 'Default')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE status_pages, api_keys, monitors, projects, organizations`);
  }
}
