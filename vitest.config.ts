import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { preparesStatements } from './test/support/pgbouncer-version.js';
import { requirements } from './test/support/requirements.js';
import { SkippedReporter } from './test/support/skipped-reporter.js';
import { V8_FLAGS } from './test/support/v8-flags.js';

/** Files that take longest, or wait for real time, the longest first: no worker is left alone with one at the end. */
const SLOWEST = [
  'fuzz/fuzz',
  'logging/canary',
  'history/sequences',
  'history/races',
  'client/package',
  'embedded/files',
  'imports/hostile-files',
  'process/data-directory',
  'logging/log-output',
  'process/signals',
  'process/drain',
  'cluster/workers',
  'imports/yaml',
  'process/first-start',
  'embedded/guests',
  'docs/readme',
  'embedded/connections',
  'config/env-file',
  'docs/docs',
  'imports/reader-threads',
  'server/malformed-requests',
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slow = SLOWEST.flatMap((name) =>
      files.filter(({ moduleId }) => moduleId.includes(`/${name}.test`)),
    );
    return [...slow, ...files.filter((file) => !slow.includes(file))];
  }
}

/**
 * `vitest run` tests on the embedded PostgreSQL, `vitest run --mode postgres` the very same on DATABASE_URL, and
 * `--mode pgbouncer` there, too, by way of a PgBouncer in transaction mode. Tests never look at DATABASE_URL themselves: a
 * shell that has one set must not change what `npm test` does.
 */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
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
    isolate: false, // modules are loaded once per worker, and most files of a worker share one server (test/support/server.ts)
    sequence: { sequencer: SlowestFirst },
    reporters: process.env['CI']
      ? ['default', new SkippedReporter(), ['json', { outputFile: `reports/${mode}.json` }]]
      : ['default', new SkippedReporter()],
  },
}));
