import cluster from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environment } from '../support/process.js';
import { useTestServer } from '../support/server.js';

const server = useTestServer();

describe('a worker', () => {
  /** The events of the link to the primary that have listeners after the worker has created the server twice. */
  async function eventsAfter(env: Record<string, string>): Promise<unknown> {
    const exec = join(import.meta.dirname, 'creating-worker.mjs');
    cluster.setupPrimary({ exec, execArgv: [], args: [] });
    const [events]: unknown[] = await once(
      cluster.fork(environment({ WEB_CONCURRENCY: '2', LOG_LEVEL: 'silent', ...env })),
      'message',
    );
    return events;
  }

  it('keeps nothing of starts that failed: it tries every two seconds while the database is away', async () => {
    expect(await eventsAfter({ DATABASE_URL: 'postgres://127.0.0.1:1/pages' })).toEqual([]);
  });

  it('keeps nothing of a server that was closed', async () => {
    expect(await eventsAfter(server.databaseEnv)).toEqual([]);
  });
});
