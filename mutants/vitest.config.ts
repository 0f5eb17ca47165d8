import { resolve } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import config from '../vitest.config.js';

/** The files that start fast and fail first come first. */
const FIRST = [
  '/validation/',
  '/problems/',
  '/server/query',
  '/server/order',
  '/auth/key-format',
  '/auth/scopes',
  '/server/body',
  '/auth/',
  '/api-keys/',
  '/nestjs-habits/',
  '/update-fields',
  '/openapi/',
];

class FastestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      FIRST.findIndex((part) => moduleId.includes(part)) + 1 || FIRST.length + 1;
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Differences to the normal tests: few files, one process, no build, the shortest first. */
export default defineConfig((env) => {
  const ordinary = config(env);
  return mergeConfig(
    { ...ordinary, test: { ...ordinary.test, include: process.env['MUTANTS_TESTS']?.split(' ') } },
    {
      root: resolve(import.meta.dirname, '..'),
      test: {
        env: { BUILD: 'false' },
        testTimeout: 30_000,
        hookTimeout: 60_000,
        maxWorkers: 1,
        // Instrumented code is slower, and a mutant should not wait three seconds for a test.
        testNamePattern:
          /^(?!.*(CPU time|memory of chunked bodies|executes none within a second|on its domain while the slug changes))/,
        sequence: { sequencer: FastestFirst },
        reporters: [],
      },
    },
  );
});
