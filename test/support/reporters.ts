import type { TestUserConfig } from 'vitest/node';
import { SkippedReporter } from './skipped-reporter.js';

/** The reporters of a suite. In CI, they also write `reports/<suite>.json`, which `.ci/sum.mjs` adds up. */
export function reportersOf(suite: string): TestUserConfig['reporters'] {
  const report: ['json', object] = ['json', { outputFile: `reports/${suite}.json` }];
  return ['default', new SkippedReporter(), ...(process.env['CI'] ? [report] : [])];
}
