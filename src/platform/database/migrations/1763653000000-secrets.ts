import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of the instance's keys. The first start of the service creates the first key. */
export class Secrets1763653000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE secrets (
        number integer NOT NULL
          CONSTRAINT secrets_pkey PRIMARY KEY
          CONSTRAINT secrets_number_check CHECK (number >= 1),
        key bytea NOT NULL CONSTRAINT secrets_key_check CHECK (octet_length(key) = 32),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      ) WITH (
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE secrets`);
  }
}
