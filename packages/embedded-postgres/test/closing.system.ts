import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { openEmbeddedPostgres } from '../src/index.js';

describe('closing', () => {
  it('rolls back the open transactions of external connections, and releases the files', async () => {
    const own = await mkdtemp(join(tmpdir(), 'embedded-postgres-closing-'));
    const server = await openEmbeddedPostgres(own, 'server');
    const guest = new Client({ host: server.socketDir, user: 'postgres', database: 'postgres' });
    guest.on('error', () => undefined);
    await guest.connect();
    await guest.query('CREATE TABLE kept (id int)');
    await guest.query('BEGIN');
    await guest.query('INSERT INTO kept VALUES (1)');
    await server.close();
    const again = await openEmbeddedPostgres(own, 'client');
    const client = new Client({ host: again.socketDir, user: 'postgres', database: 'postgres' });
    await client.connect();
    expect((await client.query('SELECT count(*)::int AS rows FROM kept')).rows).toEqual([{ rows: 0 }]);
    await client.end();
    await again.close();
    await rm(own, { recursive: true });
  });
});
