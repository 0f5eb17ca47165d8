import type { ReportedStatus } from '../monitors/monitor-status.js';
import { type MonitorName, MONITORS } from './demo-pages.js';
import { DEGRADATIONS, HISTORY_DAYS, INCIDENTS, type PlannedIncident } from './demo-plan.js';

const DAY = 24 * 60;
const SEED = 20;
const RESPONSE_MINUTES = 10;

/** First or last report of a run. */
export interface PlannedReport {
  name: MonitorName;
  status: ReportedStatus;
  /** Minutes ago. */
  ago: number;
}

/** An interval in which a monitor was not operational, in minutes ago; `to` 0: until now. */
interface Trouble {
  status: ReportedStatus;
  from: number;
  to: number;
}

/**
 * Returns the reports of the demo monitors: the statuses set by incidents, and a few short degradations in between.
 * Deterministic. Contains only the first and the last report of each run, which result in the same history as one report per
 * minute.
 */
export function planReports(): PlannedReport[] {
  const random = numbersFrom(SEED);
  return MONITORS.flatMap(({ name }) => {
    const troubles = [
      ...INCIDENTS.flatMap((incident) => troublesOf(incident, name)),
      ...degradationsOf(name),
    ];
    const degradations = Array.from({ length: Math.floor(random() * 4) }, () => degradation(random));
    const apart = degradations.filter((one) => !troubles.some((other) => overlap(one, other)));
    return toReports(name, [...troubles, ...apart], 2 + Math.floor(random() * 3));
  });
}

/** A response time of a monitor. */
export interface PlannedResponseTime {
  name: MonitorName;
  /** Minutes ago. */
  ago: number;
  response_ms: number;
}

/** Number of monitors that have response times of a week. */
const MONITORS_OF_WEEK = 4;

/**
 * Returns a response time every ten minutes: of the first monitors in the last week, of the others in the last day. One of thirty is a
 * slow one. Deterministic.
 */
export function planResponseTimes(): PlannedResponseTime[] {
  const random = numbersFrom(SEED);
  return MONITORS.flatMap(({ name }, place) => {
    const days = place < MONITORS_OF_WEEK ? 7 : 1;
    const usual = 40 + random() * 160;
    return Array.from({ length: (days * DAY) / RESPONSE_MINUTES }, (_, index) => {
      const slow = random() < 1 / 30 ? 5 : 1;
      const response_ms = Math.round(usual * slow * (0.8 + random() * 0.4));
      return { name, ago: index * RESPONSE_MINUTES, response_ms };
    });
  });
}

function degradationsOf(name: MonitorName): Trouble[] {
  return DEGRADATIONS.filter((planned) => planned.name === name).map(({ started, minutes }) => ({
    status: 'degraded_performance',
    from: started,
    to: started - minutes,
  }));
}

/** Returns the intervals of an incident in which a monitor was not operational. */
function troublesOf({ started, updates }: PlannedIncident, name: MonitorName): Trouble[] {
  const troubles: Trouble[] = [];
  for (const [index, { after, status, monitors }] of updates.entries()) {
    const ago = started - (index === 0 ? 0 : after);
    const last = troubles.at(-1);
    if (last && (monitors || status === 'resolved')) last.to = ago;
    const affected = monitors?.find((monitor) => monitor.name === name);
    if (affected) troubles.push({ status: affected.status, from: ago, to: 0 });
  }
  return troubles;
}

/** Returns an interval of degraded performance of 3 to 25 minutes, at a time between the first and the last day. */
function degradation(random: () => number): Trouble {
  const from = DAY + Math.floor(random() * (HISTORY_DAYS - 2) * DAY);
  return { status: 'degraded_performance', from, to: from - 3 - Math.floor(random() * 23) };
}

function overlap(one: Trouble, other: Trouble): boolean {
  return one.from >= other.to && other.from >= one.to;
}

/** @param latest minutes since the last report of the monitor */
function toReports(name: MonitorName, troubles: Trouble[], latest: number): PlannedReport[] {
  const run = (status: ReportedStatus, from: number, to: number): PlannedReport[] => [
    { name, status, ago: from },
    { name, status, ago: Math.max(to + 1, latest) },
  ];
  const reports: PlannedReport[] = [];
  let end = HISTORY_DAYS * DAY;
  for (const { status, from, to } of troubles.toSorted((a, b) => b.from - a.from)) {
    if (end > from) reports.push(...run('operational', end, from));
    reports.push(...run(status, from, to));
    end = to;
  }
  return end > 0 ? [...reports, ...run('operational', end, 0)] : reports;
}

/** Returns a generator of numbers from 0 to below 1 with a seed (linear congruential generator). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
