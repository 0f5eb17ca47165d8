import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of passkeys, and the columns of the challenge that a session has asked a new passkey to sign. */
export class MemberPasskeys1763654800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE member_passkeys (
        id uuid NOT NULL CONSTRAINT member_passkeys_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        member_id uuid NOT NULL,
        credential bytea NOT NULL CONSTRAINT member_passkeys_credential_key UNIQUE,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3),
        signed_until timestamptz(3),
        CONSTRAINT member_passkeys_member_fkey
          FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT member_passkeys_credential_check CHECK (octet_length(credential) BETWEEN 1 AND 1023),
        CONSTRAINT member_passkeys_public_key_check CHECK (octet_length(public_key) BETWEEN 1 AND 2048),
        CONSTRAINT member_passkeys_counter_check CHECK (counter BETWEEN 0 AND 4294967295),
        CONSTRAINT member_passkeys_transports_check
          CHECK (transports <@ ARRAY['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
                 AND cardinality(transports) <= 7),
        CONSTRAINT member_passkeys_name_check CHECK (char_length(name) BETWEEN 1 AND 100)
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX member_passkeys_member_idx ON member_passkeys (organization_id, member_id, created_at)`,
    );
    await queryRunner.query(`
      ALTER TABLE member_sessions
        ADD COLUMN passkey_challenge bytea,
        ADD COLUMN passkey_challenge_at timestamptz(3)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE member_sessions DROP COLUMN passkey_challenge_at, DROP COLUMN passkey_challenge`,
    );
    await queryRunner.query(`DROP TABLE member_passkeys`);
  }
}
