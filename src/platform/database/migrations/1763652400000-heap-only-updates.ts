import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables whose rows are updated in columns without an index, and whose pages had no free space. */
const UPDATED = ['status_pages', 'monitors', 'api_keys', 'incidents', 'incident_updates', 'maintenances'];

/** Tables whose rows are only inserted and deleted, or whose pages already have free space. */
const OTHERS = [
  'monitor_states',
  'monitor_runs',
  'monitor_days',
  'page_versions',
  'status_page_revisions',
  'deleted_status_pages',
  'idempotency_keys',
  'preview_links',
];

/** By default, PostgreSQL vacuums a table after changes of 20 % of its rows: two million of ten million. */
const VACUUM = [
  'autovacuum_vacuum_scale_factor',
  'autovacuum_vacuum_insert_scale_factor',
  'autovacuum_analyze_scale_factor',
];

/**
 * Keeps 10 % of each page free, so that an update that changes no index stays in its page (heap-only tuple), and lets tables be
 * vacuumed and analyzed after 2 % of changes. Existing pages are not rewritten; they get free space as their rows move. No
 * statement blocks reads or writes, but each waits for a vacuum of its table.
 */
export class HeapOnlyUpdates1763652400000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const settings = VACUUM.map((name) => `${name} = 0.02`).join(', ');
    for (const table of UPDATED)
      await queryRunner.query(`ALTER TABLE ${table} SET (fillfactor = 90, ${settings})`);
    for (const table of OTHERS) await queryRunner.query(`ALTER TABLE ${table} SET (${settings})`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of UPDATED)
      await queryRunner.query(`ALTER TABLE ${table} RESET (fillfactor, ${VACUUM.join(', ')})`);
    for (const table of OTHERS) await queryRunner.query(`ALTER TABLE ${table} RESET (${VACUUM.join(', ')})`);
  }
}
