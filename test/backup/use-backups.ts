import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll } from 'vitest';
import { openEmbedded } from '../../src/platform/database/embedded-postgres.js';
import { openDataSource } from '../../src/platform/database/open-data-source.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { callCli, Program } from '../support/process.js';

/** The environment of a database. */
export type DatabaseEnv = TestDatabase['env'];

/** Runs `work` on a database that no server uses. */
export async function onDatabase<Result>(
  env: DatabaseEnv,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const embedded = env.DATABASE_URL ? undefined : await openEmbedded(env.DATA_DIR, 'client');
  const dataSource = await openDataSource(embedded ?? { url: env.DATABASE_URL }, 2);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
    await embedded?.close();
  }
}

/** A checksum per table, independent of the order of rows. */
export async function checksumsOf(query: (statement: string) => Promise<unknown>): Promise<object> {
  const statement = (name: string) =>
    `SELECT count(*)::int AS rows, md5(string_agg(one::text, chr(10) ORDER BY one::text)) AS checksum FROM ${name} AS one`;
  const tables = await query(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' ORDER BY 1`,
  );
  const checksums: Record<string, unknown> = {};
  if (Array.isArray(tables))
    for (const { name } of tables) checksums[String(name)] = await query(statement(String(name)));
  return checksums;
}

/** Databases and files for the tests of a file. */
export function useBackups() {
  let directory: string;
  const databases: TestDatabase[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'status-pages-backup-'));
  });
  afterAll(async () => {
    await Program.killAll();
    await Promise.all(databases.map((database) => database.drop()));
    await rm(directory, { recursive: true, force: true });
  });

  return {
    /** The path of a file. */
    path: (name = 'backup') => join(directory, name),

    /** A database without rows, with the schema or completely empty. */
    async database(options?: { migrated: boolean }): Promise<DatabaseEnv> {
      const database = await createDatabase(options);
      databases.push(database);
      return database.env;
    },

    /** Changes the lines of a backup, with the old checksum or a new one. */
    async edit(path: string, change: (lines: string[]) => string[]): Promise<void> {
      const lines = gunzipSync(await readFile(path))
        .toString()
        .split('\n')
        .slice(0, -1);
      await writeFile(
        path,
        gzipSync(
          change(lines)
            .map((line) => `${line}\n`)
            .join(''),
        ),
      );
    },
  };
}

/** A call that must succeed. Returns its output. */
export async function call(
  env: NodeJS.ProcessEnv,
  ...parameters: string[]
): Promise<Record<string, string | number>> {
  const { code, stdout, stderr } = await callCli(env, ...parameters);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** A call that must fail with an error message. Returns the message. */
export async function failureOf(env: NodeJS.ProcessEnv, ...parameters: string[]): Promise<string> {
  const { code, stdout, stderr } = await callCli(env, ...parameters);
  const [, line] = /^database: .*\nerror: ([^\n]*)\n$/.exec(stderr) ?? [];
  return code === 1 && stdout === '' && line !== undefined ? line : `${code}: ${stdout}${stderr}`;
}
