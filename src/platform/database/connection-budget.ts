import type { Logger } from 'pino';
import type { Env } from '../config/env.js';
import { APPLICATION_NAME } from './data-source-options.js';
import type { StatementRunner } from './statement-runner.js';

/** Connections per process in addition to the pool: one for the readiness probe. */
const BESIDE_POOL = 1;

/**
 * Logs a warning with both numbers if PostgreSQL has fewer free connections than this server may open. Does not log behind a
 * pooler, which has its own limits.
 */
export async function warnOfTooFewConnections(
  runner: StatementRunner,
  { DATABASE_POOL_SIZE, WEB_CONCURRENCY, EMBEDDED }: Env,
  logger: Logger,
): Promise<void> {
  const { pool } = runner;
  if (EMBEDDED || pool.bounds !== 'session') return;
  const rows = await runner.read<{ maximum: number; others: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS maximum,
            (SELECT coalesce(sum(numbackends), 0)::int FROM pg_stat_database) - $1::int AS others`,
    [pool.totalCount],
  );
  const [{ maximum, others } = { maximum: Infinity, others: 0 }] = rows;
  const free = Math.max(0, maximum - others);
  const needed = WEB_CONCURRENCY * (DATABASE_POOL_SIZE + BESIDE_POOL);
  if (needed <= free) return;
  logger.warn(
    { needed, free, max_connections: maximum },
    `PostgreSQL has ${free} free connections, but ${APPLICATION_NAME} may need ${needed}. Requests may fail with 503. Lower DATABASE_POOL_SIZE or WEB_CONCURRENCY, or raise max_connections`,
  );
}
