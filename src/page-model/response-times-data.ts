/** Response times of an hour or a day, in milliseconds. */
export interface ResponseTime {
  /** Start, in milliseconds since 1970. */
  at: number;
  /** Median. */
  p50: number;
  /** 95th percentile. */
  p95: number;
}

/** Response times of a monitor. Hours and days without reports are missing. */
export interface ResponseTimesData {
  /** First and last time of the hours, in milliseconds since 1970. */
  from: number;
  to: number;
  hours: ResponseTime[];
  /** Days in UTC, oldest first. */
  days: ResponseTime[];
  /** Of all hours together; null: no hour has reports. */
  total: Pick<ResponseTime, 'p50' | 'p95'> | null;
}
