import type { Memory } from './checks.js';
import { median, type Sample } from './measure.js';
import { BY_SIZE, type WorkloadName } from './workloads.js';

export const CEILING = 'node:http + pg';
export const EXPRESS = 'Express by hand';
export const SERVICE = 'this service';
export const WITHOUT_REVISIONS = 'this service, without revisions';
export const SMALL = 'this service, 10,000 pages';

/** The samples of one contender at one workload, one per round. */
export interface Measurement {
  workload: WorkloadName;
  contender: string;
  samples: Sample[];
}

/** The results of a run. */
export interface Results {
  date: string;
  machine: string;
  versions: Record<string, string>;
  pages: number;
  rounds: number;
  /** 0: a number of requests instead. */
  seconds: number;
  measurements: Measurement[];
  /** Peak memory of each contender over all workloads, in MB. */
  peaks: Record<string, number | null>;
  memory: Memory | null;
  start_seconds: number | null;
  embedded_start_seconds: number | null;
}

interface Target {
  what: string;
  found: number;
  unit: string;
  isMet: boolean;
  limit: string;
}

/** The results as Markdown: the table of `docs/performance.md`. */
export function toMarkdown(results: Results): string {
  const { date, machine, versions, pages, rounds, seconds } = results;
  return [
    `${date}; ${machine}; ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(
        ', ',
      )}. ${pages.toLocaleString('en')} pages, ${rounds} rounds of ${seconds > 0 ? `${seconds} s` : 'few requests'}, 16 connections.`,
    '',
    ...measurementLines(results),
    '',
    ...targetLines(targets(results)),
    '',
    '| contender | peak memory, MB |',
    '| --- | ---: |',
    ...Object.entries(results.peaks).map(([name, peak]) => `| ${name} | ${peak?.toFixed(0) ?? 'unknown'} |`),
  ].join('\n');
}

function measurementLines(results: Results): string[] {
  const { measurements } = results;
  return [
    '| workload | contender | requests/s | min to max | p50 ms | p99 ms | CPU ms | of node:http | of Express |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...measurements.map(({ workload, contender, samples }) => {
      const rates = samples.map(({ rate }) => rate);
      return `| ${[
        workload,
        contender,
        median(rates).toFixed(0),
        `${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`,
        median(samples.map(({ p50 }) => p50)).toFixed(2),
        median(samples.map(({ p99 }) => p99)).toFixed(2),
        median(samples.map(({ cpu }) => cpu)).toFixed(3),
        ...[CEILING, EXPRESS].map((other) => {
          const found = ratio(results, [workload, contender], [workload, other]);
          return contender === other || Number.isNaN(found) ? '' : found.toFixed(2);
        }),
      ].join(' | ')} |`;
    }),
  ];
}

/** The targets of the service, and whether it meets them. */
export function targets(results: Results): Target[] {
  const { memory, start_seconds, embedded_start_seconds } = results;
  const atLeast = (what: string, found: number, limit: number): Target[] =>
    Number.isNaN(found) ? [] : [{ what, found, unit: '', limit: `at least ${limit}`, isMet: found >= limit }];
  const atMost = (what: string, found: number | null, limit: number, unit = ''): Target[] =>
    found === null || Number.isNaN(found)
      ? []
      : [{ what, found, unit, limit: `at most ${limit}${unit}`, isMet: found <= limit }];
  const against = (workload: WorkloadName, other: string) =>
    ratio(results, [workload, SERVICE], [workload, other]);
  const againstPages = (workload: WorkloadName) =>
    ratio(results, [workload, SERVICE], ['first page of the large project', SERVICE]);
  const lastToFirst = ratio(
    results,
    ['last page of the large project', SERVICE],
    ['first page of the large project', SERVICE],
    'p50',
  );
  return [
    ...atLeast('list of 25, against node:http', against('list of 25', CEILING), 0.75),
    ...atLeast('list of 25, against Express', against('list of 25', EXPRESS), 1.3),
    ...atLeast('PATCH name, against node:http', against('PATCH name', CEILING), 0.5),
    ...atLeast(
      'PATCH name, against the same without revisions',
      against('PATCH name', WITHOUT_REVISIONS),
      0.8,
    ),
    ...atLeast('GET one, against node:http', against('GET one', CEILING), 0.6),
    ...atLeast('list of 25 monitors, against pages', againstPages('list of 25 monitors'), 0.9),
    ...atLeast('list of 25 projects, against pages', againstPages('list of 25 projects'), 0.9),
    ...atMost('last page against the first: p50', lastToFirst, 1.15),
    ...atLeast('all pages against 10,000: list of 25', against(BY_SIZE.name, SMALL), 0.9),
    ...atMost(
      `memory after ${memory?.requests.toLocaleString('en')} requests`,
      memory && memory.end,
      200,
      ' MB',
    ),
    ...atMost('memory, end against half', memory && memory.end / memory.half, 1.05),
    ...atMost('start to ready, PostgreSQL', start_seconds, 1.5, ' s'),
    ...atMost('first start to ready, embedded', embedded_start_seconds, 6, ' s'),
  ];
}

function targetLines(all: Target[]): string[] {
  return [
    '| target | | found | |',
    '| --- | --- | ---: | --- |',
    ...all.map(
      ({ what, limit, found, unit, isMet: holds }) =>
        `| ${what} | ${limit} | ${found.toFixed(2)}${unit} | ${holds ? 'met' : '**not met**'} |`,
    ),
  ];
}

/** The median over rounds of the ratio of two measurements; NaN if one is missing. */
function ratio(
  { measurements }: Results,
  one: [WorkloadName, string],
  other: [WorkloadName, string],
  figure: 'rate' | 'p50' = 'rate',
): number {
  const samplesOf = ([workload, contender]: [WorkloadName, string]) =>
    measurements.find((found) => found.workload === workload && found.contender === contender)?.samples ?? [];
  const others = samplesOf(other);
  return median(samplesOf(one).map((sample, round) => sample[figure] / (others[round]?.[figure] ?? NaN)));
}
