import { assert, constantFrom, integer, option, property, record, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportedStatus } from '../../src/monitors/monitor-status.js';
import { addReport, MAX_OBSERVATIONS, type Reported } from '../../src/reports/runs.js';

interface Report {
  status: ReportedStatus;
  time: number;
}

const LAST = 80;

/** Returns the status at each time, from the runs. */
function statusesOf({ runs, stale_after }: Reported): string[] {
  return Array.from({ length: LAST }, (_, time) => {
    const run = runs.findLast(({ started_at }) => started_at <= time);
    return !run || isStale(stale_after, time - run.last_observed_at) ? 'unknown' : run.status;
  });
}

/** Returns the status at each time, from the latest report. */
function modelOf(reports: Report[], stale_after: number | null): string[] {
  const inOrder = reports.toSorted((a, b) => a.time - b.time);
  return Array.from({ length: LAST }, (_, at) => {
    const latest = inOrder.findLast(({ time }) => time <= at);
    return !latest || isStale(stale_after, at - latest.time) ? 'unknown' : latest.status;
  });
}

const isStale = (stale_after: number | null, age: number) => stale_after !== null && age >= stale_after;

describe('addReport', () => {
  it('stores the latest status at each time for 32 reports in any order', () => {
    const report = record({
      status: constantFrom<ReportedStatus>('operational', 'operational', 'major_outage', 'partial_outage'),
      time: integer({ min: 0, max: 60 }),
    });
    const reports = uniqueArray(report, {
      maxLength: MAX_OBSERVATIONS,
      selector: ({ time }) => time,
    });
    const stale = option(integer({ min: 1, max: 12 }));
    assert(
      property(reports, stale, (sent, stale_after) => {
        const reported: Reported = { runs: [], observations: [], stale_after };
        for (const { status, time } of sent) addReport(reported, status, time);
        expect(statusesOf(reported)).toEqual(modelOf(sent, stale_after));
      }),
      { numRuns: 5_000 },
    );
  });

  it('creates no overlapping runs and joins adjacent equal runs', () => {
    const reported: Reported = { runs: [], observations: [], stale_after: null };
    for (const time of [50, 10, 30, 20, 40]) addReport(reported, 'operational', time);
    expect(reported.runs).toEqual([{ status: 'operational', started_at: 10, last_observed_at: 50 }]);
  });

  it('splits a run until the next known report for a report over 32 reports late', () => {
    const reported: Reported = { runs: [], observations: [], stale_after: null };
    for (let time = 0; time < 60; time++) addReport(reported, 'operational', time);
    addReport(reported, 'major_outage', 5);
    const oldest = 60 - MAX_OBSERVATIONS;
    expect(reported.runs.map(({ status, started_at }) => [status, started_at])).toEqual([
      ['operational', 0],
      ['major_outage', 5],
      ['operational', oldest],
    ]);
  });
});
