import { setTimeout as delay } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

/** Polling interval while another session builds the index, in milliseconds. */
const POLL_MS = 1_000;

/**
 * Creates an index while others write to the table, for migrations with `transaction = false`. Repeats an incomplete earlier
 * run, because an index stays behind as invalid if its process was killed, or if it contained duplicate values.
 *
 *     await createIndexOnline(queryRunner, 'api_keys_active_idx', 'ON api_keys (organization_id, expires_at)');
 *
 * @param definition the SQL that follows the name
 */
export async function createIndexOnline(
  queryRunner: QueryRunner,
  name: string,
  definition: string,
  kind: 'INDEX' | 'UNIQUE INDEX' = 'INDEX',
): Promise<void> {
  for (;;) {
    const index = await findIndex(queryRunner, name);
    if (index?.is_valid) return;
    if (!index) await queryRunner.query(`CREATE ${kind} CONCURRENTLY IF NOT EXISTS ${name} ${definition}`);
    // The statement of a killed process keeps running, for up to as long as the index takes.
    else if (index.is_being_built) await delay(POLL_MS);
    else await queryRunner.query(`DROP INDEX CONCURRENTLY ${name}`);
  }
}

interface FoundIndex {
  is_valid: boolean;
  is_being_built: boolean;
}

async function findIndex(queryRunner: QueryRunner, name: string): Promise<FoundIndex | undefined> {
  const rows: FoundIndex[] = await queryRunner.query(
    `SELECT indisvalid AS is_valid,
            EXISTS (SELECT FROM pg_stat_progress_create_index WHERE index_relid = indexrelid) AS is_being_built
       FROM pg_index
      WHERE indexrelid = to_regclass($1)`,
    [name],
  );
  return rows[0];
}
