import type { TestServer } from './server.js';

/**
 * The number of deadlocks that PostgreSQL has resolved in the database of a server, including those hidden by a retry
 * of the statement. Each session reports them with a delay, so all sessions of the pool first report theirs. The
 * embedded PostgreSQL has one session, and so no deadlocks.
 */
export async function deadlocksOf(server: TestServer): Promise<number> {
  // Concurrently, so that each uses a separate connection.
  const report = () => server.sql('SELECT pg_stat_force_next_flush(), pg_sleep(0.1)');
  await Promise.all(Array.from({ length: Number(server.env['DATABASE_POOL_SIZE'] ?? 10) }, report));
  const [row] = await server.sql<{ deadlocks: number }[]>(
    'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.deadlocks ?? 0;
}
