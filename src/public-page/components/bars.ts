import type { MonitorStatus } from '../../monitors/monitor-status.js';
import type { DayData, PageHead } from '../data/page-data.js';
import { STATUS_CLASS } from './status-shapes.js';
import type { View } from '../documents/view.js';

const DAY_MS = 86_400_000;

/** Width of the drawing. On wide screens, a unit is a pixel (`page.css`). */
export const BARS_WIDTH = 718;
export const BARS_HEIGHT = 34;

/** Height of the shortest part of a bar, so that 40 seconds are visible, but do not fill the whole bar. */
const MIN_HEIGHT = 4;

/** Height of the gap between the operational part of a bar and the other parts. */
const CUT = 2;

/** With more days than this, there is no space for gaps. */
const MAX_DAYS_WITH_GAPS = 120;
const GAP = 2;

/** Parts of a bar from the bottom up. The rest above them is operational. */
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
  const gap = days > MAX_DAYS_WITH_GAPS ? 0 : GAP;
  const step = (BARS_WIDTH + gap) / days;
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
  const dashes = gap === 0 ? '' : `.bars .ok{stroke-dasharray:${width} ${gap}}`;
  // Screen readers skip them, because the label of the bars contains the same information. Browsers without alternative text
  // use the first `content`.
  const word = (text: string) => `{content:"${text}";content:"${text}"/""}`;
  return `${dashes}.axis::before${word(words.days_ago(days))}.axis::after${word(words.today)}`;
}

/**
 * Returns the bars of a monitor as SVG paths, one for each status: a dashed line for the days that were always operational, and
 * the parts of the other days, in proportion to their duration. The operational part of such a day is pale, to make the day
 * visible.
 */
export function barPaths(days: DayData[], scale: BarScale): string {
  const paths: Paths = new Map();
  const empty: { from: number; to: number }[] = []; // days without data
  let line = '';
  let start = 0; // of the current run of operational days
  for (const day of days) {
    const index = (Date.parse(day.day) - scale.first) / DAY_MS;
    const others = PARTS.filter((status) => day[status] > 0);
    if (index < 0 || index >= scale.days || (others.length === 0 && day.operational > 0)) continue;
    line += lineOf(start, index, scale);
    start = index + 1;
    const last = empty.at(-1);
    if (day.operational > 0 || others.some((status) => status !== 'unknown'))
      addParts(day, others, round(index * scale.step), scale.width, paths);
    else if (last?.to === index) last.to = start;
    else empty.push({ from: index, to: start });
  }
  line += lineOf(start, scale.days, scale);
  for (const { from, to } of empty) add(paths, 'unknown', emptyPart(from, to, scale));
  let svg = line === '' ? '' : `<path class="ok" d="${line}"/>`;
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
 * Adds the parts of a day from the bottom up.
 * @param others its non-operational statuses
 * @param x the position of its bar
 */
function addParts(day: DayData, others: MonitorStatus[], x: number, width: number, paths: Paths): void {
  const sum = others.reduce((total, status) => total + day[status], day.operational);
  let bottom = BARS_HEIGHT;
  for (const [index, status] of others.entries()) {
    const isTop = day.operational === 0 && index === others.length - 1;
    const wanted = Math.max(MIN_HEIGHT, Math.round((day[status] / sum) * BARS_HEIGHT));
    const height = isTop ? bottom : Math.min(wanted, bottom);
    if (height > 0) add(paths, STATUS_CLASS[status], `M${x} ${bottom}v-${height}h${width}v${height}z`);
    bottom -= height;
  }
  const rest = bottom - CUT;
  if (day.operational > 0 && rest > 0) add(paths, 'rest', `M${x} 0h${width}v${rest}h-${width}z`);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Patterns for the parts of bars, so that they can be distinguished without color. By ID, for `page.css`. */
export const PATTERNS = [
  ['degraded', 'M0 5L5 0'],
  ['partial', 'M0 1.5h5'],
  ['major', 'M0 0l5 5M0 5l5-5'],
  ['maintenance', 'M1.5 0v5'],
  ['unknown', 'M0 5L5 0'],
]
  .map(
    ([name, line]) =>
      `<pattern id="p-${name}" width="5" height="5" patternUnits="userSpaceOnUse"><path class="ground ${name}" d="M0 0h5v5H0z"/><path class="line ${name}" d="${line}"/></pattern>`,
  )
  .join('');
