import type { QueryConfig, QueryResultRow } from 'pg';
import type { Pool } from './pool.js';
import { SharedReads } from './shared-reads.js';
import { databaseLabel, DatabaseUnavailableError, hostLabel } from './unavailable.js';

/** Time limit of a read in milliseconds. After it, the primary runs the read, with the time limit of a request. */
const READ_MS = 2_000;
const CONNECT_MS = 1_000;
/** Time limit of a health check in milliseconds. */
export const CHECK_MS = 900;
/** null if the server is not a standby, for example because it was promoted. */
const REPLAYED = `SELECT CASE WHEN pg_is_in_recovery()
    THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 END AS position`;

/** Everything that the primary had committed before `at` is before `position` in its write-ahead log. */
export interface Sample {
  /** Time of `performance.now()`. */
  at: number;
  position: number;
}

/** A replica that serves reads. */
export class Replica {
  /** The replica contains everything that was committed before this time; `-Infinity` if it must not be used. */
  hasAllBefore = -Infinity;
  /** Reason why it is not used, for the log. */
  reason = 'not checked yet';
  /** Host, port and database. */
  readonly label: string;
  /** Host and port. */
  readonly host: string;
  /** Lag at the last check in milliseconds, rounded up to a sample; undefined: unknown. */
  lagMs: number | undefined;
  private readonly pool: Pool;
  private readonly checks: Pool;
  private readonly reads: SharedReads;
  private position: number | undefined;
  /** Position at which it was ahead of the primary. */
  private diverged: number | undefined;

  /** @param shared the number of connections, of which reads share some, as for {@link SharedReads} */
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
   * Runs a read within three seconds.
   * @throws Error after which the primary must run the read
   */
  async read<Row extends QueryResultRow>(owner: string, statement: QueryConfig): Promise<Row[]> {
    try {
      return await this.reads.run(owner, (connection) => connection.query<Row>(statement, false, READ_MS));
    } catch (error) {
      // Other errors do not show whether the replica is slow. The next health check decides.
      if (error instanceof DatabaseUnavailableError) this.leaveOut(error.message);
      throw error;
    }
  }

  /** Determines the last sample up to which the replica has replayed the write-ahead log. */
  async check(samples: Sample[]): Promise<void> {
    let position: number | null;
    try {
      position = await readPosition(this.checks, REPLAYED);
    } catch (error) {
      return this.leaveOut(error instanceof Error ? error.message : String(error));
    }
    if (position === null) return this.leaveOut('not a standby');
    this.position = position;
    // A standby with a different history cannot follow the primary, so its position does not increase.
    if (this.diverged !== undefined && position <= this.diverged)
      return this.leaveOut('has writes that the primary does not have');
    this.diverged = undefined;
    const replayed = samples.findLast((sample) => sample.position <= position);
    if (replayed) this.hasAllBefore = replayed.at;
    else this.leaveOut('behind the primary');
    const since = replayed ?? samples[0];
    this.lagMs = since && performance.now() - since.at;
  }

  /** Compares the position of the last check with the position of the primary, which was read later. */
  compare(primary: number): void {
    if (this.position === undefined || this.position <= primary) return;
    this.diverged = this.position;
    this.leaveOut('has writes that the primary does not have');
  }

  /** Excludes the replica until the next check, so that the primary serves the reads. */
  leaveOut(reason: string): void {
    this.hasAllBefore = -Infinity;
    this.reason = reason;
    this.lagMs = undefined;
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.checks.end()]);
  }
}

/** Runs a statement that returns a `position`, within a time limit. */
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
