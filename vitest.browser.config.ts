import { defineConfig } from 'vitest/config';
import { FROM_SOURCE } from './test/support/from-source.js';
import { reportersOf } from './test/support/reporters.js';
import { requirements } from './test/support/requirements.js';
import { V8_FLAGS } from './test/support/v8-flags.js';

/**
 * `npm run test:browser`: the public pages in Chromium, on the embedded PostgreSQL. It is not part of `npm test`,
 * because it needs Debian's package `chromium-headless-shell` or `chromium`, or another Chromium in `CHROMIUM`.
 */
export default defineConfig({
  ...FROM_SOURCE,
  test: {
    include: ['test/{browser,manage}/**/*.browser.ts'],
    tags: requirements(),
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    env: { TEST_DATABASE_URL: '' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: process.env['CI'] ? 1 : 0, // `.ci/run` lists the tests that needed a retry
    maxWorkers: 1, // tests of layout and time share two cores with the server and Chromium
    execArgv: V8_FLAGS,
    experimental: { fsModuleCache: true },
    isolate: false,
    reporters: reportersOf('browser'),
  },
});
