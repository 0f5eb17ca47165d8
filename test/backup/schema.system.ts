import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { openEmbedded } from '../../src/platform/database/embedded-postgres.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { MIGRATIONS } from '../../src/platform/database/migrations/index.js';
import { PageVersions1763651000000 } from '../../src/platform/database/migrations/1763651000000-page-versions.js';
import { DEFAULT_ORGANIZATION_ID } from '../../src/platform/database/default-organization.js';
import { Program } from '../support/process.js';
import { useTenant, useTestServer } from '../support/server.js';
import { call, type DatabaseEnv, failureOf, onDatabase, useBackups } from './use-backups.js';

const backups = useBackups();

/** Runs `work` on a database with the migrations up to a given one. */
async function onOldSchema(
  env: DatabaseEnv,
  work: (database: DataSource) => Promise<unknown>,
): Promise<void> {
  const embedded = env.DATABASE_URL ? undefined : await openEmbedded(env.DATA_DIR, 'client');
  const migrations = MIGRATIONS.slice(0, MIGRATIONS.indexOf(PageVersions1763651000000));
  const options = dataSourceOptions(embedded ?? { url: env.DATABASE_URL }, 2, 'none');
  const database = await new DataSource({ ...options, migrations }).initialize();
  try {
    await migrate(database);
    await work(database);
  } finally {
    await database.destroy();
    await embedded?.close();
  }
}

describe('backup of an older schema', () => {
  it('works without a migration, which the restore runs later', async () => {
    const source = await backups.database({ migrated: false });
    const project = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    await onOldSchema(source, async (database) => {
      await database.query(`INSERT INTO projects (id, organization_id, name) VALUES ($1, $2, 'Old')`, [
        project,
        DEFAULT_ORGANIZATION_ID,
      ]);
      await database.query(
        `INSERT INTO status_pages (id, organization_id, project_id, name, slug) VALUES ($1, $2, $1, 'Old', 'old')`,
        [project, DEFAULT_ORGANIZATION_ID],
      );
    });
    expect(await call(source, 'backup', backups.path())).toMatchObject({
      migration: 'MonitorDays1763650900000',
    });
    await onOldSchema(source, async (database) =>
      expect(await database.query(`SELECT to_regclass('page_versions') AS found`)).toEqual([{ found: null }]),
    );

    const target = await backups.database({ migrated: false });
    await call(target, 'restore', backups.path());
    await onDatabase(target, async (database) => {
      expect(await database.query('SELECT name, revision FROM status_pages')).toEqual([
        { name: 'Old', revision: 0 },
      ]);
      const names: { name: string }[] = await database.query(
        'SELECT name FROM migrations ORDER BY timestamp',
      );
      expect(names.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
    });
    const newer = await backups.database();
    await onDatabase(newer, async () => undefined); // migrates it
    expect(await failureOf(newer, 'restore', backups.path())).toMatch(
      /^The database has a newer schema than the backup \(migration \w+\)\. Restore into a new database, or another DATA_DIR$/,
    );
  });
});

describe('database with the schema of a newer version', () => {
  const server = useTestServer({ RATE_LIMIT: '0' });
  const tenant = useTenant(server);

  it('prevents a startup and commands of the older version', async () => {
    await server.sql(`INSERT INTO migrations (timestamp, name) VALUES (2000000000000, 'Later2000000000000')`);
    const line =
      'The database was migrated by a newer version of Status Pages (migration Later2000000000000). Upgrade Status Pages, or restore a backup';
    for (const parameters of [
      ['organization', 'list'],
      ['backup', backups.path('newer')],
    ])
      expect(await failureOf(server.env, ...parameters)).toBe(line);
    const created = await server.page(tenant);
    expect((await server.patch(tenant, created.id, { name: 'Still running' })).status).toBe(200);

    // A startup on a database that no server uses.
    const other = await backups.database();
    await onDatabase(other, (database) =>
      database.query(`INSERT INTO migrations (timestamp, name) VALUES (2000000000000, 'Later2000000000000')`),
    );
    const program = Program.run('main.js', [], { ...other, PORT: '0', LOG_LEVEL: 'silent' });
    expect([await program.exit(), program.stdout, program.stderr]).toEqual([
      1,
      '',
      `Status Pages could not start: ${line}\n`,
    ]);
  });
});
