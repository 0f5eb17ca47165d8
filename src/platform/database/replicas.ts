import type { ServerResponse } from 'node:http';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Env } from '../config/env.js';
import {
  CHECK_MS,
  parsePostgresUrl,
  type Pool,
  readPosition,
  Replica,
  type Sample,
  splitPostgresUrls,
} from '@status-pages/resilient-pg';

/** Lag in milliseconds above which a replica is not used. */
const MAX_LAG_MS = 2_000;
const CHECK_INTERVAL_MS = 500;
/** Maximum lag that is measured, in milliseconds. */
const MEASURED_MS = 600_000;
/**
 * The lag is measured in positions of the write-ahead log, because an idle primary writes no timestamps. With
 * `synchronous_commit = off`, a commit is acknowledged before it is written, so the statement uses the insert position, which
 * is the end of the latest commit. If that position follows the header of a new WAL page (24 bytes) or segment (40 bytes), it
 * subtracts the header, which a replica receives only with the next record.
 */
const INSERTED = `
  SELECT (pg_wal_lsn_diff(inserted, '0/0') - CASE
           WHEN file_offset = 40 THEN 40
           WHEN file_offset % current_setting('wal_block_size')::integer = 24 THEN 24
           ELSE 0
         END)::float8 AS position
    FROM pg_current_wal_insert_lsn() AS inserted, pg_walfile_name_offset(inserted)`;

/** Writes of an organization in this process. */
interface Writes {
  running: number;
  /** End of the last write. */
  endedAt: number;
}

/**
 * The replicas of DATABASE_REPLICA_URLS. An organization reads from a replica that is at most two seconds behind and contains
 * all writes of the organization that have ended in this process. Otherwise, it reads from the primary.
 */
export class Replicas implements OnApplicationShutdown {
  /**
   * Reads that a replica may serve, by result: served by a replica, by the primary because no replica could be used, or by the
   * primary because the replica failed.
   */
  readonly reads = { replica: 0, primary: 0, repeated: 0 };
  private readonly replicas: Replica[] = [];
  private readonly used = new Set<Replica>();
  /** Excluded replicas, each with the reason that was last logged. */
  private readonly leftOut = new Map<Replica, string>();
  private readonly startedAt = performance.now();
  private readonly writes = new Map<string, Writes>();
  private samples: Sample[] = [];
  private primary: Pool | undefined;
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | undefined;

  constructor(
    { driver }: DataSource,
    { DATABASE_REPLICA_URLS, DATABASE_POOL_SIZE, PREPARED_STATEMENTS }: Env,
    private readonly logger: Logger,
  ) {
    if (DATABASE_REPLICA_URLS === undefined || !(driver instanceof PostgresDriver)) return;
    const pool: Pool = driver.master;
    this.replicas = splitPostgresUrls(DATABASE_REPLICA_URLS).map(
      (url) => new Replica(parsePostgresUrl(url).urls[0], pool, PREPARED_STATEMENTS ? DATABASE_POOL_SIZE : 0),
    );
    const primary = pool.separate({ max: 1, connectionTimeoutMillis: CHECK_MS, idleTimeoutMillis: 0 });
    primary.on('error', () => undefined); // the next check reconnects
    this.primary = primary;
    this.schedule(primary, 0);
  }

  /** Whether replicas are configured. */
  get exist(): boolean {
    return this.replicas.length > 0;
  }

  /** Returns whether each replica is in use, by host and port. */
  inUse(): Record<string, number> {
    const oldest = performance.now() - MAX_LAG_MS;
    return Object.fromEntries(
      this.replicas.map(({ host, hasAllBefore }) => [host, hasAllBefore >= oldest ? 1 : 0]),
    );
  }

  /** Returns the lag of each replica in seconds, by host and port, without replicas whose lag is unknown. */
  lagSeconds(): Record<string, number> {
    return Object.fromEntries(
      this.replicas.flatMap(({ host, lagMs }) => (lagMs === undefined ? [] : [[host, lagMs / 1000]])),
    );
  }

  /** Returns the replica that an organization reads from, or undefined for the primary. */
  for(organizationId: string): Replica | undefined {
    const { length } = this.replicas;
    if (length === 0) return undefined;
    const writes = this.writes.get(organizationId);
    if (writes && writes.running > 0) return undefined;
    const oldest = performance.now() - MAX_LAG_MS;
    // The same replica in every process, so that later reads of an organization do not return older data.
    const first = Number.parseInt(organizationId.slice(-8), 16) % length;
    const replica = this.replicas
      .map((_, index, all) => all[(first + index) % length])
      .find((one) => one && one.hasAllBefore >= oldest);
    return replica && replica.hasAllBefore >= (writes?.endedAt ?? -Infinity) ? replica : undefined;
  }

  /**
   * Sends the reads of an organization to the primary until the replica contains everything that was written before the
   * returned function is called.
   */
  beginWrite(organizationId: string): () => void {
    const writes = this.writes.get(organizationId) ?? { running: 0, endedAt: -Infinity };
    this.writes.set(organizationId, writes);
    writes.running += 1;
    return () => {
      writes.running -= 1;
      writes.endedAt = performance.now();
    };
  }

  /** Begins a write that ends with its response. */
  trackWrite(organizationId: string, response: ServerResponse): void {
    if (!this.exist) return;
    const endWrite = this.beginWrite(organizationId);
    if (response.closed)
      endWrite(); // the client has disconnected during authentication
    else response.once('close', endWrite);
  }

  private schedule(primary: Pool, delay: number): void {
    this.timer = setTimeout(() => {
      this.checking = this.check(primary).finally(() => {
        if (this.timer) this.schedule(primary, CHECK_INTERVAL_MS);
      });
    }, delay).unref();
  }

  private async check(primary: Pool): Promise<void> {
    await this.sample(primary);
    await Promise.all(this.replicas.map((replica) => replica.check(this.samples)));
    const oldest = performance.now() - MAX_LAG_MS;
    for (const replica of this.replicas) this.log(replica, replica.hasAllBefore >= oldest);
    for (const [organization, { running, endedAt }] of this.writes)
      if (running === 0 && endedAt < oldest) this.writes.delete(organization);
  }

  private async sample(primary: Pool): Promise<void> {
    const at = performance.now();
    const position = await readPosition(primary, INSERTED).catch(() => null);
    if (position === null) return; // without new samples, the replicas are soon excluded
    // A new primary can be behind the old one, so its samples cannot be compared with the old samples.
    const isOther = this.samples.some((sample) => sample.position > position);
    const recent = isOther ? [] : this.samples.filter((sample) => sample.at >= at - MEASURED_MS);
    this.samples = [...recent, { at, position }];
    for (const replica of this.replicas) replica.compare(position);
  }

  private log(replica: Replica, isUsed: boolean): void {
    if (isUsed && !this.used.has(replica)) {
      this.logger.info(`replica is used for reads: ${replica.label}`);
      this.used.add(replica);
      this.leftOut.delete(replica);
    } else if (!isUsed && performance.now() - this.startedAt > MAX_LAG_MS) {
      // At startup, a replica needs a moment to show that it is not behind.
      const reason = replica.hasAllBefore === -Infinity ? replica.reason : 'more than 2 s behind the primary';
      if (this.leftOut.get(replica) === reason) return;
      this.logger.warn({ reason }, `replica is not used for reads: ${replica.label}`);
      this.leftOut.set(replica, reason);
      this.used.delete(replica);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.checking;
    await Promise.all([this.primary?.end(), ...this.replicas.map((replica) => replica.close())]);
  }
}
