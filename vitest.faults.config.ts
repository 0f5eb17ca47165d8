import { defineConfig } from 'vitest/config';
import { FROM_SOURCE } from './test/support/from-source.js';
import { reportersOf } from './test/support/reporters.js';
import { requirements } from './test/support/requirements.js';
import { V8_FLAGS } from './test/support/v8-flags.js';
import { SlowestFirst } from './vitest.config.js';

/** Requires responses from Redis within 100 ms, so it cannot share the processors with another file. */
const ALONE = 'test/faults/redis.fault.ts';

/**
 * `npm run test:faults`: the built server as a process, under the faults of docs/reliability.md. It is not part of
 * `npm test`, because it starts its own PostgreSQL clusters, and because some tests mount a file system, which
 * requires root.
 */
export default defineConfig({
  ...FROM_SOURCE,
  test: {
    tags: requirements(),
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    env: { TEST_DATABASE_URL: '' },
    testTimeout: 240_000,
    hookTimeout: 120_000,
    retry: process.env['CI'] ? 1 : 0, // `.ci/run` lists the tests that needed a retry
    execArgv: V8_FLAGS,
    experimental: { fsModuleCache: true },
    isolate: false,
    reporters: reportersOf('faults'),
    sequence: { sequencer: SlowestFirst },
    projects: [
      // Each test starts its own PostgreSQL, so two files do not disturb each other.
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.fault.ts'],
          exclude: [ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: [ALONE], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
