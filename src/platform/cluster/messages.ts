/** Message from a worker to the primary. */
export type FromWorker =
  | { kind: 'listening'; url: string; is_standby: boolean }
  /** Startup or shutdown has failed; the worker exits with code 1. */
  | { kind: 'failed'; action: 'start' | 'stop'; reason: string }
  /** Replies to a ping. */
  | { kind: 'pong' }
  /** An API key was revoked or rotated; no other worker may use its cached copy. */
  | { kind: 'key-ended' }
  /** The domains for which proxies may obtain certificates have changed. */
  | ({ kind: 'domains' } & DomainChanges)
  /** Adds `points` to the counts of `names`, in windows of `seconds`; 0 points only reads a count. */
  | { kind: 'count'; id: number; names: string[]; points: number[]; seconds: number[] };

/** Changes of the domains for which proxies may obtain certificates. */
export interface DomainChanges {
  added: string[];
  removed: string[];
  /** Whether `added` contains all domains. */
  isComplete: boolean;
}

/** Message from the primary to a worker. */
export type FromPrimary = { kind: 'ping' } | { kind: 'skip-delay' } | { kind: 'key-ended' } | CountsReply;

/** Counts, and the milliseconds until their windows end, in the order of the names. */
export interface CountsReply {
  kind: 'counted';
  id: number;
  used: number[];
  ends_in_ms: number[];
}
