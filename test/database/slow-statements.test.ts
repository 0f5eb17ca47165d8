import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { beforeAll, describe, expect, it } from 'vitest';
import { Env } from '../../src/platform/config/env.js';
import { SlowStatements } from '../../src/platform/database/slow-statements.js';
import { nameStatement } from '@status-pages/resilient-pg';
import { StatementRunner } from '../../src/platform/database/statement-runner.js';
import { useTestServer } from '../support/server.js';

const LIMIT_MS = 40;
const CANARY = 'canary-7f3a';
/** A statement that exceeds the limit, with a value and a literal. */
const SLOW = `SELECT pg_sleep(0.1)::text AS slept, $1::text AS value, 'literal of ${CANARY}' AS literal FROM projects
  RIGHT JOIN (SELECT 1) AS one ON false`;

const server = useTestServer({});
let lines: string[] = [];
beforeAll(() => {
  const logger = pino({}, { write: (line) => lines.push(line) });
  const env = Object.assign(new Env(), { SLOW_STATEMENT_MS: LIMIT_MS });
  void new SlowStatements(env, server.app.get(StatementRunner), logger);
});

async function linesOf(work: () => Promise<unknown>): Promise<object[]> {
  lines = [];
  await work().catch(() => undefined);
  expect(lines.join('')).not.toContain(CANARY);
  return lines.map((line) => JSON.parse(line)).filter(({ text }) => String(text).includes('pg_sleep'));
}

const line = {
  level: 40,
  time: expect.any(Number),
  pid: expect.any(Number),
  hostname: expect.any(String),
  statement: 'SELECT projects',
  statement_hash: expect.stringMatching(/^[0-9a-f]{8}$/),
  text: expect.stringMatching(
    /^SELECT pg_sleep\(0\.1\)::text AS slept, \$1::text AS value, '…' AS literal FROM projects/,
  ),
  duration_ms: expect.any(Number),
  msg: 'slow statement',
};

describe('log of statements slower than SLOW_STATEMENT_MS', () => {
  it('contains their name and duration, without values and literals', async () => {
    const runner = server.app.get(StatementRunner);
    const dataSource = server.app.get(DataSource);
    const senders = {
      read: () => runner.read(SLOW, [CANARY]),
      write: () => runner.query(SLOW, [CANARY]),
      dataSource: () => dataSource.query(SLOW, [CANARY]),
      transaction: () => dataSource.transaction((manager) => manager.query(SLOW, [CANARY])),
      'runner in a transaction': () =>
        dataSource.transaction((manager) => runner.read(SLOW, [CANARY], manager)),
    };
    for (const [sender, send] of Object.entries(senders))
      expect([sender, await linesOf(send)]).toEqual([sender, [line]]);
  });

  it('contains their SQLSTATE if they fail', async () => {
    const failing = `SELECT (pg_sleep(0.1)::text || $1)::integer AS failed FROM projects RIGHT JOIN (SELECT 1) AS one ON false`;
    const [found] = await linesOf(() => server.app.get(DataSource).query(failing, [CANARY]));
    expect(found).toMatchObject({ statement: 'SELECT projects', code: '22P02' });
  });

  // All connections to the embedded PostgreSQL share a session.
  it('omits the preceding statement on the same connection', { tags: ['postgres'] }, async () => {
    const runner = server.app.get(StatementRunner);
    lines = [];
    const fast = 'SELECT $1::text AS fast FROM (SELECT 1) AS one';
    const slow = runner.read(SLOW.replace('0.1', '0.5'), [CANARY]);
    await Promise.all([slow, ...Array.from({ length: 3 }, () => runner.read(fast, ['x']))]);
    // On a busy machine, each statement can exceed the limit, but none takes as long as the preceding one.
    const found: { text: string; duration_ms: number }[] = lines.map((one) => JSON.parse(one));
    expect(found.filter(({ text, duration_ms }) => text.includes('AS fast') && duration_ms >= 500)).toEqual(
      [],
    );
  });
});

describe('name of a statement', () => {
  it.each([
    ['SELECT id FROM monitors WHERE id = $1', 'SELECT monitors'],
    ['SELECT json FROM (SELECT * FROM "status_pages") AS rows', 'SELECT status_pages'],
    ['SELECT * FROM unnest($1::uuid[]) AS ids JOIN x ON true', 'SELECT'],
    ['SELECT extract(epoch FROM updated_at) AS version FROM status_pages', 'SELECT status_pages'],
    ["SELECT trim(both 'x' FROM name) FROM monitors", 'SELECT monitors'],
    ['SELECT name IS DISTINCT FROM slug AS differs FROM projects', 'SELECT projects'],
    ['SELECT id FROM monitors WHERE id = $1 FOR UPDATE', 'SELECT monitors'],
    ['SELECT id FROM monitors FOR NO KEY UPDATE OF monitors', 'SELECT monitors'],
    ['INSERT INTO "projects"("id") VALUES ($1) ON CONFLICT (id) DO UPDATE SET name = $2', 'INSERT projects'],
    [
      'WITH old AS (SELECT * FROM status_pages FOR UPDATE) UPDATE status_pages SET name = $1',
      'UPDATE status_pages',
    ],
    ['DELETE FROM incidents WHERE id = $1', 'DELETE incidents'],
    ['START TRANSACTION', 'START'],
    ['COMMIT', 'COMMIT'],
  ])('for %s is %s', (text, name) => expect(nameStatement(text).name).toBe(name));

  it('contains a bounded text without literals', () => {
    const { text } = nameStatement(
      `SELECT '${CANARY}', 'it''s ${CANARY}', $1 FROM a ${'-- long '.repeat(200)}`,
    );
    expect(text.length).toBe(500);
    expect(text).not.toContain(CANARY);
  });
});
