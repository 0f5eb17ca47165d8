/**
 * Returns a random time around `time`, so that much work of the same time is repeated at different times.
 * @param part the largest change, as a part of `time`
 */
export const spread = (time: number, part: number): number => time * (1 - part + 2 * part * Math.random());
