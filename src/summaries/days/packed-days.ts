import type { Seconds } from './uptime.js';

/** A day, `YYYY-MM-DD` in UTC, with its seconds in each status. */
export type Day = Seconds & { day: string };

/**
 * Days of a monitor, oldest first, as one text. Each day is the date and its seconds in the order of {@link STATUSES}, such as
 * `2026-11-21,86000,0,0,400,0,0;`. A page can have 365,000 days, which would take 200 ms to read as objects.
 */
export type PackedDays = string;

const STATUSES = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'under_maintenance',
  'unknown',
] as const satisfies (keyof Seconds)[];

/** SQL aggregate of rows of `monitor_days` as {@link PackedDays}. */
export const PACKED_DAYS = `string_agg(concat_ws(',', day, ${STATUSES.join(', ')}) || ';', '' ORDER BY day)`;

/** Packs one day. The results of consecutive days can be concatenated. */
export function packDay(day: Day): PackedDays {
  return `${[day.day, ...STATUSES.map((status) => day[status])].join(',')};`;
}

/** Returns the days as objects. */
export function unpackDays(days: PackedDays): Day[] {
  const texts = days.split(';');
  texts.pop(); // after the last day
  return texts.map((text) => {
    const [day = '', ...seconds] = text.split(',');
    return {
      day,
      operational: Number(seconds[0]),
      degraded_performance: Number(seconds[1]),
      partial_outage: Number(seconds[2]),
      major_outage: Number(seconds[3]),
      under_maintenance: Number(seconds[4]),
      unknown: Number(seconds[5]),
    };
  });
}
