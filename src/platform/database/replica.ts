import type { QueryConfig, QueryResultRow } from 'pg';
import type { Pool } from './pool.js';
import { SharedReads } from './shared-reads.js';
import { databaseLabel, DatabaseUnavailableError, hostLabel } from './unavailable.js';

/** The limit for a read. After it, the primary gets the read, with the time of a request. */
const READ_MS = 2_000;
const CONNECT_MS = 1_000;
/** The limit for a check. */
export const CHECK_MS = 900;
/** null: the server is no standby, for example because it was promoted. */
const REPLAYED = `SELECT CASE WHEN pg_is_in_recovery()
    THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 END AS position`;

/** Everything that the primary had committed before `at` is before `position` in its write-ahead log. */
export interface Sample {
  /** In milliseconds of `performance.now()`. */
  at: number;
  position: number;
}

/** A standby that serves reads. */
export class Replica {
  /** The replica has everything that was committed before this time; `-Infinity` if it must not be used. */
  hasAllBefore = -Infinity;
  /** Why it is not used, for the log. */
  reason = 'it was not checked yet';
  /** Host, port and database. */
  readonly label: string;
  /** Host and port. */
  readonly host: string;
  /** How far it was behind at the last check, in milliseconds, rounded up to a sample; undefined: unknown. */
  lagMs: number | undefined;
  private readonly pool: Pool;
  private readonly checks: Pool;
  private readonly reads: SharedReads;
  private position: number | undefined;
  /** The position at which it had more than the primary. */
  private diverged: number | undefined;

  /** @param shared the number of connections of which reads share some, as for {@link SharedReads} */
  constructor(url: string, primary: Pool, shared: number) {
    this.label = databaseLabel(url);
    this.host = hostLabel(url);
    const target = { connectionString: url, hosts: undefined };
    const { statements } = primary; // for the log and the metrics
    this.pool = primary.separate({ ...target, statements, connectionTimeoutMillis: CONNECT_MS });
    this.checks = primary.separate({
      ...target,
      max: 1,
      connectionTimeoutMillis: CHECK_MS,
      idleTimeoutMillis: 0,
    });
    for (const pool of [this.pool, this.checks]) pool.on('error', () => undefined); // the next use reconnects
    this.reads = new SharedReads(this.pool, shared);
  }

  /**
   * Runs a read in at most three seconds.
   * @throws Error; the primary must run the read then
   */
  async read<Row extends QueryResultRow>(owner: string, statement: QueryConfig): Promise<Row[]> {
    try {
      return await this.reads.run(owner, (connection) => connection.query<Row>(statement, false, READ_MS));
    } catch (error) {
      // Other errors do not tell whether the replica or the read is slow: the next check does.
      if (error instanceof DatabaseUnavailableError) this.leaveOut(error.message);
      throw error;
    }
  }

  /** Finds out up to which of the samples the replica has replayed the write-ahead log. */
  async check(samples: Sample[]): Promise<void> {
    let position: number | null;
    try {
      position = await readPosition(this.checks, REPLAYED);
    } catch (error) {
      return this.leaveOut(error instanceof Error ? error.message : String(error));
    }
    if (position === null) return this.leaveOut('it is no standby');
    this.position = position;
    // A standby with another history cannot follow the primary: its position does not grow.
    if (this.diverged !== undefined && position <= this.diverged)
      return this.leaveOut('it has writes that the primary does not have');
    this.diverged = undefined;
    const replayed = samples.findLast((sample) => sample.position <= position);
    if (replayed) this.hasAllBefore = replayed.at;
    else this.leaveOut('it is behind the primary');
    const since = replayed ?? samples[0];
    this.lagMs = since && performance.now() - since.at;
  }

  /** Compares the position of the last check with that of the primary, which was read later. */
  compare(primary: number): void {
    if (this.position === undefined || this.position <= primary) return;
    this.diverged = this.position;
    this.leaveOut('it has writes that the primary does not have');
  }

  /** Makes the primary serve the reads until the next check. */
  leaveOut(reason: string): void {
    this.hasAllBefore = -Infinity;
    this.reason = reason;
    this.lagMs = undefined;
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.checks.end()]);
  }
}

/** Runs a statement that returns a `position`, within a limit. */
export async function readPosition(pool: Pool, text: string): Promise<number | null> {
  const ends = performance.now() + CHECK_MS;
  const client = await pool.connect();
  try {
    const statement = { text, query_timeout: Math.max(1, Math.ceil(ends - performance.now())) };
    const { rows } = await client.query<{ position: number | null }>(statement);
    client.release();
    return rows[0]?.position ?? null;
  } catch (error) {
    client.release(true);
    throw pool.unavailable(error);
  }
}
