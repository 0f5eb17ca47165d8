import type { TestServer } from './server.js';

/**
 * The deadlocks that PostgreSQL has resolved in the database of a server; also those that a repetition of the statement hid.
 * Each session reports them some time later: first, all sessions of the pool report theirs. The embedded PostgreSQL has one
 * session, and so none.
 */
export async function deadlocksOf(server: TestServer): Promise<number> {
  // At once, so that each takes a connection of its own.
  const report = () => server.sql('SELECT pg_stat_force_next_flush(), pg_sleep(0.1)');
  await Promise.all(Array.from({ length: Number(server.env['DATABASE_POOL_SIZE'] ?? 10) }, report));
  const [row] = await server.sql<{ deadlocks: number }[]>(
    'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.deadlocks ?? 0;
}
