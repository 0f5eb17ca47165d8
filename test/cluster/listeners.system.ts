import cluster from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environment } from '../support/process.js';
import { useTestServer } from '../support/server.js';

const server = useTestServer();

describe('worker', () => {
  /** The events with listeners on the link to the primary after the worker has created the server twice. */
  async function eventsAfter(env: Record<string, string>): Promise<unknown> {
    const exec = join(import.meta.dirname, 'creating-worker.mjs');
    cluster.setupPrimary({ exec, execArgv: [], args: [] });
    const [events]: unknown[] = await once(
      cluster.fork(environment({ WEB_CONCURRENCY: '2', LOG_LEVEL: 'silent', ...env })),
      'message',
    );
    return events;
  }

  it('retries every two seconds until the database is available, without leaking resources', async () => {
    expect(await eventsAfter({ DATABASE_URL: 'postgres://127.0.0.1:1/pages' })).toEqual([]);
  });

  it('releases the resources of a closed server', async () => {
    expect(await eventsAfter(server.databaseEnv)).toEqual([]);
  });
});
