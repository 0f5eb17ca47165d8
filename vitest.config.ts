import { defineConfig } from 'vitest/config';

/**
 * `vitest run` tests on the embedded PostgreSQL, `vitest run --mode postgres` the very same on DATABASE_URL.
 * Tests never look at DATABASE_URL themselves: a shell that has one set must not change what `npm test` does.
 */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    env: { TEST_DATABASE_URL: mode === 'postgres' ? (process.env['DATABASE_URL'] ?? 'missing') : '' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    isolate: false, // the modules are loaded once a worker, not once a file: each file starts a server of its own anyway
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: `reports/${mode}.json` }]]
      : ['default'],
  },
}));
