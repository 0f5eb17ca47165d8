import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { preparesStatements } from './test/support/pgbouncer-version.js';
import { FROM_SOURCE } from './test/support/from-source.js';
import { reportersOf } from './test/support/reporters.js';
import { requirements } from './test/support/requirements.js';
import { V8_FLAGS } from './test/support/v8-flags.js';

/** Files that take longest, or wait for real time, the longest first: no worker is left alone with one at the end. */
const SLOWEST = [
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
  'imports/yaml',
  'admin/dependencies',
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

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slow = SLOWEST.flatMap((name) => files.filter(({ moduleId }) => moduleId.includes(`/${name}.`)));
    return [...slow, ...files.filter((file) => !slow.includes(file))];
  }
}

/**
 * `vitest run` tests on the embedded PostgreSQL, `vitest run --mode postgres` the very same on DATABASE_URL, and
 * `--mode pgbouncer` there, too, by way of a PgBouncer in transaction mode. Tests never look at DATABASE_URL themselves: a
 * shell that has one set must not change what `npm test` does.
 */
export default defineConfig(({ mode }) => ({
  ...FROM_SOURCE,
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    tags: requirements(mode),
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    env: {
      TEST_DATABASE_URL: ['postgres', 'pgbouncer'].includes(mode)
        ? (process.env['DATABASE_URL'] ?? 'missing')
        : '',
      TEST_PGBOUNCER: mode === 'pgbouncer' ? 'true' : '',
      TEST_PREPARED_STATEMENTS: mode === 'pgbouncer' && !preparesStatements ? 'false' : '',
    },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: process.env['CI'] ? 1 : 0, // `.ci/run` lists the tests that needed it
    maxWorkers: 2,
    execArgv: V8_FLAGS,
    experimental: { fsModuleCache: true }, // keeps transformed sources in node_modules between runs
    isolate: false, // modules are loaded once per worker, and most files of a worker share one server (test/support/server.ts)
    sequence: { sequencer: SlowestFirst },
    reporters: reportersOf(mode),
  },
}));
