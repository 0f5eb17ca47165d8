/** The value below which this share of all values lies; NaN without values. */
export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? NaN;
}
