import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { Program, startProgram } from '../support/process.js';
import { type Tenant, TestServer } from '../support/server.js';

afterEach(() => Program.killAll());

/** A client of the embedded PostgreSQL outside of the service. */
async function guestOf(dataDir: string): Promise<Client> {
  const client = new Client({ host: join(dataDir, 'run'), user: 'postgres', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

describe('external client of the embedded PostgreSQL', { tags: ['embedded'] }, () => {
  it('leaves requests unaffected', async () => {
    const server = await TestServer.start({ EMBEDDED: 'true' }); // its own, not one that another file has used
    const tenant: Tenant = await server.tenant();
    const client = await guestOf(String(server.env['DATA_DIR']));
    for (const statement of ["SET search_path = ''", 'SET SESSION AUTHORIZATION pg_monitor']) {
      await client.query(statement);
      expect((await server.list(tenant)).status).toBe(200);
    }
    await client.end();
    expect((await server.list(tenant)).status).toBe(200);
    await server.stop();
  });
});

describe('failure of the embedded PostgreSQL', () => {
  it('ends the process with an error message and exit code 1', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'status-pages-files-'));
    await cp(inject('templateDataDir'), directory, { recursive: true });
    const server = await startProgram({ DATA_DIR: directory, DEMO: 'false' });
    await rm(join(directory, 'postgres', 'pg_wal'), { recursive: true });
    const guest = await guestOf(directory);
    // A new WAL segment cannot be written, as on a full disk.
    await expect(
      guest.query(
        'SELECT pg_switch_wal(); CREATE TABLE lost (id int); SELECT pg_switch_wal(); CREATE TABLE lost2 (id int)',
      ),
    ).rejects.toThrow('Connection terminated');
    expect(await server.exit()).toBe(1);
    expect(server.stderr).toMatch(
      /^Status Pages stopped because the embedded PostgreSQL failed: could not .*pg_wal.*\n$/,
    );
    await rm(directory, { recursive: true });
  });
});
