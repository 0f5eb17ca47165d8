import type { MigrationInterface, QueryRunner } from 'typeorm';

const VACUUMED = `(
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`;

const OF_MEMBER = (table: string) => `
        CONSTRAINT ${table}_member_fkey
          FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
          ON DELETE CASCADE`;

const TABLES = ['member_link_requests', 'member_links', 'member_sessions', 'members'];

/** Creates the tables of the people who manage an organization, and of their ways to sign in. */
export class Members1763654100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE members (
        id uuid NOT NULL CONSTRAINT members_pkey PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT members_organization_id_fkey REFERENCES organizations (id),
        email text NOT NULL CONSTRAINT members_email_check CHECK (char_length(email) BETWEEN 3 AND 320),
        name text NOT NULL CONSTRAINT members_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        role text NOT NULL
          CONSTRAINT members_role_check CHECK (role IN ('viewer', 'responder', 'editor', 'admin')),
        project_ids uuid[],
        status text NOT NULL DEFAULT 'invited'
          CONSTRAINT members_status_check CHECK (status IN ('invited', 'active', 'disabled')),
        password_hash text
          CONSTRAINT members_password_hash_check CHECK (char_length(password_hash) BETWEEN 1 AND 200),
        last_seen_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT members_organization_id_id_key UNIQUE (organization_id, id),
        CONSTRAINT members_organization_id_email_key UNIQUE (organization_id, email)
      ) WITH ${VACUUMED}`);
    await queryRunner.query(`CREATE INDEX members_list_idx ON members (organization_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX members_email_idx ON members (email)`);
    await queryRunner.query(`
      CREATE TABLE member_sessions (
        id uuid NOT NULL CONSTRAINT member_sessions_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        member_id uuid NOT NULL,
        token_hash bytea NOT NULL CONSTRAINT member_sessions_token_hash_key UNIQUE,
        user_agent text NOT NULL
          CONSTRAINT member_sessions_user_agent_check CHECK (char_length(user_agent) <= 200),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,${OF_MEMBER('member_sessions')}
      ) WITH ${VACUUMED}`);
    await queryRunner.query(
      `CREATE INDEX member_sessions_member_idx ON member_sessions (organization_id, member_id, created_at)`,
    );
    await queryRunner.query(`CREATE INDEX member_sessions_expires_at_idx ON member_sessions (expires_at)`);
    await queryRunner.query(`
      CREATE TABLE member_links (
        token_hash bytea NOT NULL CONSTRAINT member_links_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        member_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,${OF_MEMBER('member_links')}
      ) WITH ${VACUUMED}`);
    await queryRunner.query(
      `CREATE INDEX member_links_member_idx ON member_links (organization_id, member_id)`,
    );
    await queryRunner.query(`CREATE INDEX member_links_expires_at_idx ON member_links (expires_at)`);
    await queryRunner.query(`
      CREATE TABLE member_link_requests (
        id uuid NOT NULL CONSTRAINT member_link_requests_pkey PRIMARY KEY,
        email text NOT NULL
          CONSTRAINT member_link_requests_email_check CHECK (char_length(email) BETWEEN 3 AND 320),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      ) WITH ${VACUUMED}`);
    await queryRunner.query(
      `CREATE INDEX member_link_requests_created_at_idx ON member_link_requests (created_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP TABLE ${table}`);
  }
}
