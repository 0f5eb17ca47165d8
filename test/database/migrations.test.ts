import type { MigrationInterface, QueryRunner } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { createIndexOnline } from '../../src/platform/database/migrations/online-index.js';
import { MIGRATIONS } from '../../src/platform/database/migrations/index.js';

/** The first migration under the rules. Older ones belong to the first release. */
const FIRST = 1_763_652_300_000;

const timestampOf = (name: string) => Number(/\d{13}$/.exec(name)?.[0]);

/** Statements that a migration must not contain while an older version serves, each with its replacement. */
const RULES: { refused: RegExp; unless?: RegExp; instead: string }[] = [
  { refused: /\bCREATE (UNIQUE )?INDEX\b/, unless: /\bCONCURRENTLY\b/, instead: 'createIndexOnline' },
  { refused: /\bDROP INDEX\b/, unless: /\bCONCURRENTLY\b/, instead: 'DROP INDEX CONCURRENTLY' },
  { refused: /\bREINDEX\b/, unless: /\bCONCURRENTLY\b/, instead: 'REINDEX INDEX CONCURRENTLY' },
  {
    refused: /\bADD (CONSTRAINT \w+ )?(UNIQUE|PRIMARY KEY|EXCLUDE)\b/,
    unless: /\bUSING INDEX\b/,
    instead: 'createIndexOnline, then ADD CONSTRAINT … USING INDEX',
  },
  {
    refused: /\bADD (CONSTRAINT \w+ )?(FOREIGN KEY|CHECK)\b|\bREFERENCES\b/,
    unless: /\bNOT VALID\b/,
    instead: 'NOT VALID, then VALIDATE CONSTRAINT in a migration of its own',
  },
  {
    refused: /\bADD COLUMN\b.*\bDEFAULT\b.*(\w\(|\bIDENTITY\b|\bSERIAL\b)/,
    instead: 'no default, or a constant one: a volatile default rewrites the table',
  },
  { refused: /\bADD COLUMN\b.*\bGENERATED\b/, instead: 'a column that the program writes' },
  { refused: /\bSET NOT NULL\b/, instead: 'CHECK (… IS NOT NULL) NOT VALID, then VALIDATE CONSTRAINT' },
  { refused: /\bALTER COLUMN \w+ (SET DATA )?TYPE\b/, instead: 'a new column' },
  {
    refused: /\b(DROP COLUMN|RENAME|DROP TABLE|DROP FUNCTION|TRUNCATE)\b/,
    instead: 'keep what the older program uses for a release',
  },
  { refused: /\b(LOCK TABLE|VACUUM FULL|CLUSTER)\b/, instead: 'nothing that locks a table' },
  { refused: /^\s*(WITH\b.*)?\b(UPDATE|DELETE)\b/, instead: 'batches, in a loop with `transaction = false`' },
];

/** Collects the statements of a migration without a database. */
async function statementsOf(migration: MigrationInterface): Promise<string[]> {
  const statements: string[] = [];
  const recorder = {
    query: async (text: string) => {
      statements.push(text.replaceAll(/\s+/g, ' '));
      // The second check of an index finds it valid.
      return statements.some((one) => one.includes('CONCURRENTLY')) ? [{ is_valid: true }] : [];
    },
  };
  await Reflect.apply(migration.up, migration, [recorder]);
  return statements;
}

/**
 * Statements that a migration must not contain. New tables are exempt, because they are empty and no older
 * version uses them.
 */
async function faultsOf(migration: MigrationInterface): Promise<string[]> {
  const statements = await statementsOf(migration);
  const created = statements.flatMap((one) => /\bCREATE TABLE (\w+)/.exec(one)?.[1] ?? []);
  const onNew = new RegExp(`\\b(CREATE TABLE|ON|TABLE) (${created.join('|')})\\b`);
  const onOthers = statements.filter((one) => created.length === 0 || !onNew.test(one));
  const faults = onOthers.flatMap((one) =>
    RULES.filter(({ refused, unless }) => refused.test(one) && !unless?.test(one)).map(
      ({ instead }) => `${one.trim().slice(0, 60)}: ${instead}`,
    ),
  );
  const isOnline = statements.some((one) => /\b(CONCURRENTLY|VALIDATE CONSTRAINT)\b/.test(one));
  return isOnline && migration.transaction !== false
    ? [...faults, 'must have `transaction = false`']
    : faults;
}

describe('rules for migrations', () => {
  it.each(MIGRATIONS.filter(({ name }) => timestampOf(name) >= FIRST))(
    'let an older version read and write during $name',
    async (Migration) => {
      expect(await faultsOf(new Migration())).toEqual([]);
    },
  );

  const migrationOf = (statement: string): MigrationInterface => ({
    up: (runner: QueryRunner) => runner.query(statement),
    down: () => Promise.resolve(),
  });

  it.each([
    'CREATE INDEX a_idx ON monitors (name)',
    'CREATE UNIQUE INDEX CONCURRENTLY a_idx ON monitors (name)', // in a transaction
    'ALTER TABLE monitors ADD CONSTRAINT monitors_name_key UNIQUE (name)',
    'ALTER TABLE monitors ADD CONSTRAINT monitors_a_fkey FOREIGN KEY (a) REFERENCES a (id)',
    `ALTER TABLE monitors ADD CONSTRAINT monitors_name_check CHECK (name <> '')`,
    'ALTER TABLE monitors ADD COLUMN token uuid DEFAULT gen_random_uuid()',
    'ALTER TABLE monitors ALTER COLUMN name SET NOT NULL',
    'ALTER TABLE monitors ALTER COLUMN name TYPE varchar(9)',
    'ALTER TABLE monitors RENAME COLUMN name TO title',
    'ALTER TABLE monitors DROP COLUMN name',
    'LOCK TABLE monitors',
    `UPDATE monitors SET name = 'all'`,
  ])('reject %s', async (statement) => {
    expect(await faultsOf(migrationOf(statement))).toHaveLength(1);
  });

  it.each([
    'CREATE TABLE notes (id uuid REFERENCES monitors (id))',
    `ALTER TABLE monitors ADD COLUMN note text NOT NULL DEFAULT ''`,
    `ALTER TABLE monitors ADD CONSTRAINT monitors_name_check CHECK (name <> '') NOT VALID`,
    'ALTER TABLE monitors SET (fillfactor = 80)',
  ])('allow %s', async (statement) => {
    expect(await faultsOf(migrationOf(statement))).toEqual([]);
  });

  it('allow an index that is built concurrently', async () => {
    const up = (runner: QueryRunner) => createIndexOnline(runner, 'a_idx', 'ON monitors (name)');
    expect(await faultsOf({ transaction: false, up, down: () => Promise.resolve() })).toEqual([]);
  });
});
