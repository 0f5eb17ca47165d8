import type { MonitorStatus } from '../../monitors/monitor-status.js';
import type { DayData, MonitorData, PageHead } from '../../page-model/page-data.js';
import { STATUS_CLASS } from './status-shapes.js';
import type { View } from '../../page-model/view.js';

const DAY_MS = 86_400_000;

/** Width of the drawing. On wide screens, a unit is a pixel (`page.css`). */
export const BARS_WIDTH = 450;
export const BARS_HEIGHT = 24;

/**
 * Heights of marks, by the least seconds in their status. Steps instead of proportions: ten minutes of an outage are
 * half a bar, an hour is a whole bar, and forty seconds are visible, but less than a quarter.
 */
const STEPS: readonly (readonly [seconds: number, height: number])[] = [
  [3_600, BARS_HEIGHT],
  [1_800, 17],
  [600, 12],
  [120, 8],
  [0, 5],
];

/** With more days than this, there is no space for gaps. */
const MAX_DAYS_WITH_GAPS = 120;

/** Least width of a mark, so that a day of a year is visible. */
const MIN_MARK = 2;

/** Parts of a mark from the bottom up. The rest above them is operational. */
const PARTS = [
  'major_outage',
  'partial_outage',
  'degraded_performance',
  'under_maintenance',
  'unknown',
] as const satisfies MonitorStatus[];

/** Scale of the bars of all monitors of a page, which show the same days at the same positions. */
export interface BarScale {
  days: number;
  /** Midnight of the first day, in milliseconds. */
  first: number;
  /** Seconds from the first midnight until now. */
  seconds: number;
  /** Distance from one bar to the next. */
  step: number;
  /** Width of a bar. */
  width: number;
  gap: number;
}

/** Returns the scale of a page whose last day is today. */
export function scaleOf({ history_days: days, as_of }: Pick<PageHead, 'history_days' | 'as_of'>): BarScale {
  const step = BARS_WIDTH / days;
  const gap = days > MAX_DAYS_WITH_GAPS ? 0 : round(Math.min(2, step / 5));
  const today = Math.floor(as_of.getTime() / DAY_MS) * DAY_MS;
  const first = today - (days - 1) * DAY_MS;
  const seconds = Math.floor((as_of.getTime() - first) / 1000);
  return { days, first, seconds, step, width: round(step - gap), gap };
}

/**
 * Returns the shared SVG definitions for all bars on a page: the gaps, as the dashes of a line through all bars, and the words
 * at both ends.
 */
export function barStyles({ words }: View, { gap, width, days }: BarScale): string {
  const dashes = gap === 0 ? '' : `.bars :is(.ok,.none){stroke-dasharray:${width} ${gap}}`;
  // Screen readers skip them, because the label of the bars contains the same information. Browsers without alternative text
  // use the first `content`.
  const word = (text: string) => `{content:"${text}";content:"${text}"/""}`;
  const fills = PATTERN_LINES.map(([name]) => `.bars .${name}{fill:url(#p-${name})}`).join('');
  return `${dashes}${fills}.axis::before${word(words.days_ago(days))}.axis::after${word(`${words.today} (UTC)`)}`;
}

/** Fields of a monitor that its bars show. */
export type BarsOf = Pick<MonitorData, 'days' | 'created_at'>;

/** Returns the number of days at the start of the bars that have no data because the monitor did not exist. */
export function daysBefore({ days, created_at }: BarsOf, { first, days: count }: BarScale): number {
  const created = Math.floor((created_at.getTime() - first) / DAY_MS);
  let before = 0;
  for (const day of days) {
    const index = (Date.parse(day.day) - first) / DAY_MS;
    if (index < 0) continue;
    if (index !== before || index >= created || !isWithoutData(day)) break;
    before++;
  }
  return Math.min(before, count);
}

/** Returns whether nothing is known of a day. */
export function isWithoutData(day: DayData): boolean {
  return (
    day.unknown > 0 && day.operational === 0 && PARTS.every((one) => one === 'unknown' || day[one] === 0)
  );
}

/**
 * Returns the bars of a monitor as SVG paths, one for each status: a dashed line for the days with an operational part, and over
 * it the marks of the other days, whose heights are steps of their duration. Another dashed line is the days before the monitor
 * existed.
 */
export function barPaths(monitor: BarsOf, scale: BarScale): string {
  const { days: count, first, step, width } = scale;
  const paths: Paths = new Map();
  const empty: { from: number; to: number }[] = []; // days without data
  const before = daysBefore(monitor, scale);
  let line = '';
  let start = before; // of the current run of green bars
  for (const day of monitor.days) {
    const index = (Date.parse(day.day) - first) / DAY_MS;
    if (index < before || index >= count) continue;
    const isEmpty = isWithoutData(day);
    if (!isEmpty) {
      const isFirst = index === before && before > 0;
      addMark(day, isFirst, round(index * step), Math.max(width, MIN_MARK), paths);
    }
    if (day.operational > 0) continue;
    line += lineOf(start, index, scale);
    start = index + 1;
    if (!isEmpty) continue;
    const last = empty.at(-1);
    if (last?.to === index) last.to = start;
    else empty.push({ from: index, to: start });
  }
  line += lineOf(start, count, scale);
  for (const { from, to } of empty) add(paths, 'unknown', emptyPart(from, to, scale));
  let svg = before === 0 ? '' : `<path class="none" d="${lineOf(0, before, scale)}"/>`;
  if (line !== '') svg += `<path class="ok" d="${line}"/>`;
  for (const [name, path] of paths) svg += `<path class="${name}" d="${path}"/>`;
  return svg;
}

/** Paths of the drawing, by class. */
type Paths = Map<string, string>;

const add = (paths: Paths, name: string, path: string) => paths.set(name, (paths.get(name) ?? '') + path);

/** Returns a line through the bars from one day until before another. */
function lineOf(from: number, to: number, { step, width }: BarScale): string {
  if (from >= to) return '';
  return `M${round(from * step)} ${BARS_HEIGHT / 2}H${round((to - 1) * step + width)}`;
}

/** Returns days without data as one area, because they have no details. */
function emptyPart(from: number, to: number, { step, width }: BarScale): string {
  return `M${round(from * step)} 0H${round((to - 1) * step + width)}v${BARS_HEIGHT}H${round(from * step)}z`;
}

/**
 * Adds the mark of a day from the bottom up. Without an operational part, its last part reaches the top.
 * @param isFirst whether the monitor was created on this day, so that the time without data does not count
 * @param x the position of its bar
 */
function addMark(day: DayData, isFirst: boolean, x: number, width: number, paths: Paths): void {
  const parts = PARTS.filter((status) => day[status] > 0 && !(isFirst && status === 'unknown'));
  let bottom = BARS_HEIGHT;
  for (const [index, status] of parts.entries()) {
    const isTop = day.operational === 0 && index === parts.length - 1;
    const height = isTop ? bottom : Math.min(heightOf(day[status]), bottom);
    if (height > 0) add(paths, STATUS_CLASS[status], `M${x} ${bottom}v-${height}h${width}v${height}z`);
    bottom -= height;
  }
}

function heightOf(seconds: number): number {
  return STEPS.find(([least]) => seconds >= least)?.[1] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Patterns for the marks, so that they can be distinguished without color. By ID, for `page.css`. */
const PATTERN_LINES = [
  ['degraded', 'M0 5L5 0'],
  ['partial', 'M0 1.5h5'],
  ['major', 'M0 0l5 5M0 5l5-5'],
  ['maintenance', 'M1.5 0v5'],
  ['unknown', 'M0 5L5 0'],
];

export const PATTERNS = PATTERN_LINES.map(
  ([name, line]) =>
    `<pattern id="p-${name}" width="5" height="5" patternUnits="userSpaceOnUse"><path class="ground ${name}" d="M0 0h5v5H0z"/><path class="line ${name}" d="${line}"/></pattern>`,
).join('');
