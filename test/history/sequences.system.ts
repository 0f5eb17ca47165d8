import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEED } from '../support/seed.js';
import { useTenant, useTestServer } from '../support/server.js';
import { Sequence } from './driver.js';
import { ReportQueue } from './report-queue.js';
import { type Operation, sequences } from './sequences.js';

/** `HISTORY_RUNS=5000 SEED=1 npm run test:system -- test/history/sequences` */
const RUNS = Number(process.env['HISTORY_RUNS'] ?? 120);

/** Number of concurrent sequences. */
const CONCURRENT = 8;

const server = useTestServer();
const tenant = useTenant(server);

/** Runs several sequences at a time until one fails. Returns the numbers of the failed ones. */
async function failuresOf(all: Operation[][]): Promise<number[]> {
  const queue = new ReportQueue(server, tenant);
  const waiting = [...all.entries()];
  const failed: number[] = [];
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one && failed.length === 0; one = waiting.shift()) {
      const [index, operations] = one;
      await runOne(operations, queue).catch(() => failed.push(index));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  return failed;
}

async function runOne(operations: Operation[], queue: ReportQueue): Promise<void> {
  await new Sequence(server, tenant, queue).run(operations);
}

describe('status, days and uptime', () => {
  it(`match an array of seconds after any of ${RUNS} sequences of operations`, async () => {
    const all = fc.sample(sequences, { numRuns: RUNS, seed: SEED });
    const [failed] = await failuresOf(all);
    expect(await failureOf(failed)).toBe('');
  }, 3_600_000);
});

/** Returns the failure of a sequence, shortened as far as possible in half a minute, or ''. */
async function failureOf(index: number | undefined): Promise<string> {
  if (index === undefined) return '';
  const queue = new ReportQueue(server, tenant);
  const property = fc.asyncProperty(sequences, (operations) => runOne(operations, queue));
  const path = String(index);
  const run = { seed: SEED, path, numRuns: 1, interruptAfterTimeLimit: 30_000, includeErrorInReport: true };
  return (
    (await fc.asyncDefaultReportMessage(await fc.check(property, run))) ?? `only with others, seed ${SEED}`
  );
}
