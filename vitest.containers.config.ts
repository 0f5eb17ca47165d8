import { defineConfig } from 'vitest/config';
import { FROM_SOURCE } from './test/support/from-source.js';
import { reportersOf } from './test/support/reporters.js';
import { requirements } from './test/support/requirements.js';
import { V8_FLAGS } from './test/support/v8-flags.js';

/**
 * `npm run test:containers` builds and runs the Dockerfile. It is not part of `npm test`, because it needs root and
 * Debian's packages `podman`, `runc`, `busybox-static` and `postgresql`, and because a build takes a minute.
 */
export default defineConfig({
  ...FROM_SOURCE,
  test: {
    include: ['test/containers/**/*.container.ts'],
    tags: requirements(),
    globalSetup: ['test/support/global-setup.ts'],
    env: { TEST_DATABASE_URL: '' },
    testTimeout: 240_000,
    hookTimeout: 900_000, // the build, on a busy machine
    retry: process.env['CI'] ? 1 : 0, // `.ci/run` lists the tests that needed a retry
    maxWorkers: 1,
    execArgv: V8_FLAGS,
    experimental: { fsModuleCache: true },
    isolate: false,
    reporters: reportersOf('containers'),
  },
});
