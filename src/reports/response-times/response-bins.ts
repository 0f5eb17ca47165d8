/** Longest response time that a report can have, in milliseconds: ten minutes. */
export const MAX_RESPONSE_MS = 600_000;

/** Relative error of a quantile. */
const ACCURACY = 0.05;

/** Ratio between the end and the start of a bin. The middle differs from both by at most {@link ACCURACY}. */
const RATIO = (1 + ACCURACY) / (1 - ACCURACY);
const LOGARITHM = Math.log(RATIO);

/**
 * Returns the bin of a response time, from 0 to 133. Bins are logarithmic, as in DDSketch (Masson, Rim and Lee, 2019): bin 0 ends at
 * 1 ms, and each further bin is 10.5 % wider than the one before.
 * @param ms from 0 to {@link MAX_RESPONSE_MS}
 */
export function binOf(ms: number): number {
  return Math.ceil(Math.log(Math.max(ms, 1)) / LOGARITHM);
}

/**
 * Returns a quantile of a histogram in whole milliseconds. It differs from the exact quantile by at most 5 % or 1 ms.
 * @param counts number of reports in each bin; at least one is not 0
 * @param share from 0 to 1: 0.5 is the median
 */
export function quantileOf(counts: number[], share: number): number {
  const rank = share * (totalOf(counts) - 1);
  let before = 0;
  const bin = counts.findIndex((count) => (before += count) > rank);
  return Math.round((2 * RATIO ** bin) / (RATIO + 1));
}

/** Returns the number of reports of a histogram. */
export function totalOf(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
