import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { reportersOf } from './test/support/reporters.js';
import ordinary from './vitest.config.js';

/** Files of `npm test` that run more cases here, see `test/support/thorough.ts`. */
const thorough = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter((path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes('isThorough'));

/**
 * `npm run test:system`: tests that start programs, pack packages or wait for real time, and all cases of the tests
 * for which `npm test` runs fewer. `--mode postgres` and `--mode pgbouncer` select the database, as for `npm test`.
 */
export default defineConfig((env) => {
  const { test, ...others } = ordinary(env);
  return {
    ...others,
    test: {
      ...test,
      include: ['test/**/*.system.ts', 'packages/*/test/**/*.system.ts', ...thorough],
      env: { ...test?.env, TEST_THOROUGH: 'true' },
      reporters: reportersOf(env.mode === 'test' ? 'system' : `system-${env.mode}`),
    },
  };
});
