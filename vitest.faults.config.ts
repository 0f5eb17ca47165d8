import { defineConfig } from 'vitest/config';
import { FROM_SOURCE } from './test/support/from-source.js';
import { reportersOf } from './test/support/reporters.js';
import { requirements } from './test/support/requirements.js';
import { V8_FLAGS } from './test/support/v8-flags.js';

/**
 * `npm run test:faults`: the built server as a process, under the faults of docs/reliability.md. It is no part of `npm test`,
 * because it starts clusters of PostgreSQL of its own, and because some tests mount a file system, which only root may.
 */
export default defineConfig({
  ...FROM_SOURCE,
  test: {
    include: ['test/faults/**/*.fault.ts'],
    tags: requirements(),
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    env: { TEST_DATABASE_URL: '' },
    testTimeout: 240_000,
    hookTimeout: 120_000,
    retry: process.env['CI'] ? 1 : 0, // `.ci/run` lists the tests that needed it
    maxWorkers: 1, // a fault of one test must not be that of another
    execArgv: V8_FLAGS,
    isolate: false,
    reporters: reportersOf('faults'),
  },
});
