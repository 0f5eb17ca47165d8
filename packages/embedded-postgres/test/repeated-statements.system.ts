import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../src/index.js';

let directory: string;
let embedded: EmbeddedPostgres;
/** Connections of the application itself. */
let service: Pool;

const connection = () => ({ host: embedded.socketDir, user: 'postgres', database: 'postgres' });

/** Connects as a guest, runs the statements, and disconnects unless one fails. */
async function asGuest(...statements: string[]): Promise<void> {
  const guest = new Client(connection());
  await guest.connect();
  for (const statement of statements) await guest.query(statement);
  await guest.end();
}

/** Runs a statement until it is prepared, and returns its last rows. */
async function repeat(text: string, values: unknown[] = [1], times = 4): Promise<unknown[]> {
  let rows: unknown[] = [];
  for (let count = 0; count < times; count++) ({ rows } = await service.query(text, values));
  return rows;
}

const prepared = async (): Promise<string[]> => {
  const { rows } = await service.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');
  return rows.map(({ statement }) => statement);
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-postgres-repeated-'));
  embedded = await openEmbeddedPostgres(directory, 'server', { applicationName: 'service' });
  service = new Pool({ ...connection(), application_name: 'service', max: 4 });
  await service.query('CREATE TABLE notes (id int PRIMARY KEY, text text)');
  await service.query(`INSERT INTO notes VALUES (1, 'one'), (2, 'two')`);
});
afterAll(async () => {
  await service.end();
  await embedded.close();
  await rm(directory, { recursive: true, force: true });
});

describe('a statement that the application repeats', () => {
  it('becomes one prepared statement for all connections', async () => {
    const text = 'SELECT id, text FROM notes WHERE id = $1';
    const results = Array.from({ length: 40 }, async (_, index) => {
      const { rows } = await service.query(text, [(index % 2) + 1]);
      expect(rows).toEqual([index % 2 === 0 ? { id: 1, text: 'one' } : { id: 2, text: 'two' }]);
    });
    await Promise.all(results);
    expect((await prepared()).filter((one) => one === text)).toHaveLength(1);
  });

  it('returns the columns of a table that the application or a guest has changed', async () => {
    const text = 'SELECT * FROM notes WHERE id = $1';
    expect(await repeat(text)).toEqual([{ id: 1, text: 'one' }]);
    await service.query('ALTER TABLE notes ADD COLUMN size int DEFAULT 3');
    expect(await repeat(text)).toEqual([{ id: 1, text: 'one', size: 3 }]);
    await asGuest('ALTER TABLE notes DROP COLUMN size');
    expect(await repeat(text)).toEqual([{ id: 1, text: 'one' }]);
  });

  it('returns the columns of a table that a transaction changes, until it is rolled back', async () => {
    const text = 'SELECT * FROM notes WHERE id = $1';
    await repeat(text);
    const client = await service.connect();
    await client.query('BEGIN');
    await client.query('ALTER TABLE notes ADD COLUMN size int DEFAULT 3');
    for (let count = 0; count < 3; count++)
      expect((await client.query(text, [1])).rows).toEqual([{ id: 1, text: 'one', size: 3 }]);
    await client.query('ROLLBACK');
    client.release();
    expect(await repeat(text)).toEqual([{ id: 1, text: 'one' }]);
  });

  it('works again after it has failed, and inside of a failed transaction fails as others do', async () => {
    const text = 'SELECT 12 / $1::int AS result';
    for (const divisor of [1, 0, 0, 2])
      if (divisor === 0) await expect(service.query(text, [0])).rejects.toMatchObject({ code: '22012' });
      else expect((await service.query(text, [divisor])).rows).toEqual([{ result: 12 / divisor }]);
    const client = await service.connect();
    await client.query('BEGIN');
    await expect(client.query(text, [0])).rejects.toMatchObject({ code: '22012' });
    await expect(client.query(text, [1])).rejects.toMatchObject({ code: '25P02' });
    await client.query('ROLLBACK');
    client.release();
    expect(await repeat(text)).toEqual([{ result: 12 }]);
  });

  it.each(['DISCARD ALL', 'DEALLOCATE ALL'])('survives %s of a guest', async (statement) => {
    const text = 'SELECT text FROM notes WHERE id = $1';
    await repeat(text);
    await asGuest(statement);
    expect(await repeat(text)).toEqual([{ text: 'one' }]);
  });

  it('replaces the least recently used of 500', async () => {
    const kept = 'SELECT id FROM notes WHERE id = $1';
    for (let number = 0; number < 520; number++) {
      await repeat(`SELECT id, ${number} AS number FROM notes WHERE id = $1`, [1], 2);
      await service.query(kept, [1]);
    }
    const statements = await prepared();
    expect(statements).toHaveLength(500);
    expect(statements).toContain(kept);
    expect(statements).not.toContain('SELECT id, 0 AS number FROM notes WHERE id = $1');
  });
});
