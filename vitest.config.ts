import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { filesOf } from './test/support/databases.js';
import { drivenTimers } from './test/support/driven-timers.js';
import { preparesStatements } from './test/support/pgbouncer-version.js';
import { FROM_SOURCE } from './test/support/from-source.js';
import { reportersOf } from './test/support/reporters.js';
import { requirements } from './test/support/requirements.js';
import { ROOMY_HEAP, V8_FLAGS } from './test/support/v8-flags.js';

/**
 * The slowest files, and files that wait for real time, longest first, so that no worker runs one of them alone at
 * the end.
 */
const SLOWEST = [
  'schematics/resource',
  'admin/standby',
  'proxies/restart',
  'faults/deliveries',
  'faults/all-writes',
  'faults/migration',
  'faults/data-directory',
  'faults/webhooks',
  'history/sequences',
  'public-page/hostile-html',
  'fuzz/fuzz',
  'backup/schema',
  'cluster/worker-failures',
  'backup/snapshot',
  'client/package',
  'tracing/tracing',
  'history/races',
  'backup/round-trip',
  'process/first-start',
  'cache/kept',
  'docs/readme',
  'process/data-directory',
  'logging/log-output',
  'process/signals',
  'logging/canary',
  'embedded-postgres/test/guests',
  'server/unread-responses',
  'server/slow-clients',
  'embedded-postgres/test/files',
  'docs/examples',
  'server/redis',
  'admin/dependencies',
  'webhooks/channel',
  'deliveries/worker',
  'auth/authentication',
  'feeds/feeds',
  'feeds/statuspage',
  'cli/export',
  'cache/versions',
  'resources/operations',
  'resources/all-writes',
  'server/rate-limit',
  'embedded-postgres/test/connections',
];

/** Starts the slowest files first. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slow = SLOWEST.flatMap((name) => files.filter(({ moduleId }) => moduleId.includes(`/${name}.`)));
    return [...slow, ...files.filter((file) => !slow.includes(file))];
  }
}

/**
 * `vitest run` tests on the embedded PostgreSQL, `vitest run --mode postgres` runs the tests that depend on the database
 * on DATABASE_URL, and `--mode pgbouncer` the tests of sessions through a PgBouncer in transaction mode. Tests never read DATABASE_URL
 * themselves, so that the shell's value does not affect `npm test`.
 */
export default defineConfig(({ mode }) => ({
  ...FROM_SOURCE,
  plugins: [drivenTimers()],
  test: {
    include: filesOf(mode),
    tags: requirements(mode),
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/driven-time.ts', 'test/support/seed.ts'],
    env: {
      TEST_DATABASE_URL: ['postgres', 'pgbouncer'].includes(mode)
        ? (process.env['DATABASE_URL'] ?? 'missing')
        : '',
      TEST_PGBOUNCER: mode === 'pgbouncer' ? 'true' : '',
      TEST_PREPARED_STATEMENTS: mode === 'pgbouncer' && !preparesStatements ? 'false' : '',
    },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: process.env['CI'] ? 1 : 0, // `.ci/run` lists the tests that needed a retry
    maxWorkers: 2,
    execArgv: [...V8_FLAGS, ...ROOMY_HEAP],
    experimental: { fsModuleCache: true }, // caches transformed sources in node_modules between runs
    isolate: false, // modules are loaded once per worker, and most files of a worker share one server (test/support/server.ts)
    sequence: { sequencer: SlowestFirst },
    reporters: reportersOf(mode),
  },
}));
