import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@status-pages/embedded-postgres';
import { inject } from 'vitest';

/** Starts a PostgreSQL on a copy of the run's database, because creating one takes seconds. Returns its URL, and the directory of its socket. */
export async function startPostgres(): Promise<{
  url: string;
  socketDir: string;
  stop: () => Promise<void>;
}> {
  const directory = await mkdtemp(join(tmpdir(), 'resilient-pg-'));
  await cp(inject('templateDataDir'), directory, { recursive: true });
  const { socketDir, close } = await openEmbeddedPostgres(directory, 'server');
  return {
    socketDir,
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(socketDir)}`,
    stop: async () => {
      await close();
      await rm(directory, { recursive: true });
    },
  };
}
