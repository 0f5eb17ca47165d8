import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of responses to POST requests with `Idempotency-Key`, stored for a day. */
export class IdempotencyKeys1763652000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE api_keys ADD CONSTRAINT api_keys_organization_id_id_key UNIQUE (organization_id, id)`,
    );
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        organization_id uuid NOT NULL,
        api_key_id uuid NOT NULL,
        key text NOT NULL,
        fingerprint bytea NOT NULL,
        status smallint NOT NULL,
        headers json NOT NULL,
        body text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, api_key_id, key),
        CONSTRAINT idempotency_keys_api_key_fkey
          FOREIGN KEY (organization_id, api_key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE idempotency_keys`);
    await queryRunner.query(`ALTER TABLE api_keys DROP CONSTRAINT api_keys_organization_id_id_key`);
  }
}
