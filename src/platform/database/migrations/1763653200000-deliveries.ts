import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of deliveries: one row for each event and recipient. */
export class Deliveries1763653200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE deliveries (
        id uuid NOT NULL CONSTRAINT deliveries_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        channel text NOT NULL,
        kind text NOT NULL DEFAULT 'event',
        event_id uuid,
        recipient_id uuid NOT NULL,
        status text NOT NULL DEFAULT 'pending'
          CONSTRAINT deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
        attempts integer NOT NULL DEFAULT 0,
        lease integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3),
        error text,
        attempt_log jsonb NOT NULL DEFAULT '[]',
        CONSTRAINT deliveries_event_id_recipient_id_key UNIQUE (event_id, recipient_id)
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE INDEX deliveries_due_idx ON deliveries (channel, due_at, id) WHERE status = 'pending'`,
    );
    await queryRunner.query(
      `CREATE INDEX deliveries_new_idx ON deliveries (event_id) WHERE status = 'pending' AND attempts = 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE deliveries`);
  }
}
