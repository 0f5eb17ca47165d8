/** What a worker sends to the primary. */
export type FromWorker =
  | { kind: 'listening'; url: string; is_standby: boolean }
  /** The start or the stop has failed: the worker ends with exit code 1. */
  | { kind: 'failed'; action: 'start' | 'stop'; reason: string }
  /** Replies to a ping. */
  | { kind: 'pong' }
  /** An API key has ended: no other worker may use its cached copy. */
  | { kind: 'key-ended' }
  /** Adds `points` to the counts of `names`; 0 points only read a count. */
  | { kind: 'count'; id: number; names: string[]; points: number[] };

/** What the primary sends to a worker. */
export type FromPrimary = { kind: 'ping' } | { kind: 'skip-delay' } | { kind: 'key-ended' } | CountsReply;

/** In the order of the names: the counts, and the milliseconds until their windows end. */
export interface CountsReply {
  kind: 'counted';
  id: number;
  used: number[];
  ends_in_ms: number[];
}
