import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { openEmbedded } from '../../src/platform/database/embedded-postgres.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase } from '../support/database.js';

describe('migrations', () => {
  it('run once if several servers start on a new database concurrently', async () => {
    const database = await createDatabase({ migrated: false });
    const embedded = database.env.DATABASE_URL ? null : await openEmbedded(database.env.DATA_DIR, 'server');
    const sources = await Promise.all(
      Array.from({ length: 3 }, () =>
        new DataSource(
          dataSourceOptions(embedded ?? { url: database.env.DATABASE_URL }, 2, 'none'),
        ).initialize(),
      ),
    );
    await Promise.all(sources.map((one) => migrate(one)));
    const [source] = sources;
    expect(await source?.query('SELECT count(*)::int AS migrations FROM migrations')).toEqual([
      { migrations: source?.migrations.length },
    ]);
    await Promise.all(sources.map((one) => one.destroy()));
    await embedded?.close();
    await database.drop();
  });
});
