import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { useDays } from '../days/use-days.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { MIGRATIONS } from '../../src/platform/database/migrations/index.js';
import { UnreportedMonitors1763652800100 } from '../../src/platform/database/migrations/1763652800100-unreported-monitors.js';

const { server, monitor, at, dayAt, make, reportAt, oneDay, send } = useDays();

const HOUR = 3_600;
const DAY = 86_400;

const FIRST = 'OperationalUntilReported1763652800000';

/** Runs the migrations on connections without time limits, as a server does. */
async function migrateWithoutBounds(dataSource: DataSource): Promise<string[]> {
  const { DATABASE_URL: url } = server.env;
  if (!url) return migrate(dataSource);
  const unbounded = await new DataSource(dataSourceOptions({ url }, 2, 'none')).initialize();
  return migrate(unbounded).finally(() => unbounded.destroy());
}

/** Runs statements on the schema before the migrations. Then runs the migrations, and returns their names. */
async function migrateAfter(work: () => Promise<void>): Promise<string[]> {
  const dataSource = server.app.get(DataSource);
  const names = MIGRATIONS.map(({ name }) => name);
  for (let left = names.length - names.indexOf(FIRST); left > 0; left--) await dataSource.undoLastMigration();
  // Other files use the server, so the schema must be complete even after an error.
  const error: unknown = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const migrated = await migrateWithoutBounds(dataSource);
  if (error !== undefined) throw error;
  return migrated;
}

/** Creates a monitor at a past time. */
async function monitorSince(day: number, hour: number): Promise<string> {
  const id = await monitor();
  await server.sql('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, at(day, hour)]);
  return id;
}

/** Stores a day like the older version. */
const insertDay = (id: string, day: number, { operational = 0, unknown = 0 }) =>
  server.sql(
    `INSERT INTO monitor_days (organization_id, monitor_id, day, operational, degraded_performance, partial_outage,
                               major_outage, under_maintenance, unknown)
     SELECT organization_id, id, $2, $3, 0, 0, 0, 0, $4 FROM monitors WHERE id = $1`,
    [id, dayAt(day), operational, unknown],
  );

describe('the migration of monitors without reports', () => {
  it('keeps the days of monitors that have reported, and computes the days of other monitors again', async () => {
    const [reported, computed, affected, untouched] = [
      await monitorSince(-4, 6),
      await monitorSince(-4, 6),
      await monitorSince(-4, 6),
      await monitorSince(-4, 6),
    ];
    await reportAt(reported, ['major_outage', -3, 12], ['operational', -3, 18]);
    await make('/v1/maintenances', {
      title: 'Upgrade',
      starts_at: at(-3, 1),
      ends_at: at(-3, 3),
      monitor_ids: [affected],
    });
    const migrated = await migrateAfter(async () => {
      for (const id of [reported, computed])
        await server.sql(
          `INSERT INTO monitor_states (organization_id, monitor_id, closed_before)
           SELECT organization_id, id, $2 FROM monitors WHERE id = $1
               ON CONFLICT (organization_id, monitor_id) DO UPDATE SET closed_before = excluded.closed_before`,
          [id, at(0, 0)],
        );
      for (let day = -5; day < 0; day++) await insertDay(computed, day, { unknown: DAY });
      await insertDay(reported, -5, { operational: 1, unknown: DAY - 1 });
    });
    expect(migrated).toContain(FIRST);

    const seconds = { day: dayAt(-3), operational: DAY, observed_seconds: DAY, uptime: 100 };
    for (const id of [computed, untouched]) {
      expect(await oneDay(id, -4)).toMatchObject({ unknown: 6 * HOUR, operational: 18 * HOUR });
      expect(await oneDay(id, -3)).toEqual(seconds);
    }
    expect(await oneDay(affected, -3)).toMatchObject({
      under_maintenance: 2 * HOUR,
      operational: 22 * HOUR,
    });
    // The stored day is not computed again.
    expect(await oneDay(reported, -5)).toMatchObject({ operational: 1, unknown: DAY - 1 });
    const outage = { unknown: 12 * HOUR, major_outage: 6 * HOUR, operational: 6 * HOUR };
    expect(await oneDay(reported, -3)).toMatchObject(outage);
    await server.sql('DELETE FROM monitor_days');
    expect(await oneDay(reported, -4)).toMatchObject({ unknown: DAY });
    expect(await oneDay(reported, -3)).toMatchObject(outage);
    await send('PATCH', `/v1/monitors/${reported}`, { stale_after_seconds: 60 });
    await send('PATCH', `/v1/monitors/${reported}`, { stale_after_seconds: null });
    expect(await oneDay(reported, -3)).toMatchObject(outage);
    expect(await oneDay(computed, -3)).toEqual(seconds);
    await reportAt(computed, ['operational', -2, 0]);
    expect(await oneDay(computed, -3)).toEqual(seconds);
  });

  it('changes any number of states, in batches, and can be repeated', async () => {
    const id = await monitor();
    await server.sql(
      `WITH filled AS (
         INSERT INTO monitors (id, organization_id, project_id, name)
         SELECT gen_random_uuid(), organization_id, project_id, 'Filled' FROM monitors, generate_series(1, 2500) WHERE id = $1
         RETURNING organization_id, id
       )
       SELECT count(*) FROM filled`,
      [id],
    );
    await server.sql(
      `INSERT INTO monitor_states (organization_id, monitor_id, is_operational_until_reported, status, started_at, last_observed_at)
       SELECT organization_id, id, false, (CASE WHEN odd THEN 'operational' END)::monitor_status,
              CASE WHEN odd THEN now() END, CASE WHEN odd THEN now() END
         FROM (SELECT *, row_number() OVER () % 2 = 1 AS odd FROM monitors WHERE name = 'Filled') AS filled`,
    );
    const runner = server.app.get(DataSource).createQueryRunner();
    for (let times = 0; times < 2; times++) await new UnreportedMonitors1763652800100().up(runner);
    await runner.release();
    expect(
      await server.sql(
        `SELECT status IS NULL AS unreported, is_operational_until_reported AS changed, count(*)::int
           FROM monitor_states JOIN monitors ON id = monitor_id WHERE name = 'Filled' GROUP BY 1, 2 ORDER BY 1`,
      ),
    ).toEqual([
      { unreported: false, changed: false, count: 1250 },
      { unreported: true, changed: true, count: 1250 },
    ]);
  });
});
