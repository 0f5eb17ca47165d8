import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Env } from '../config/env.js';
import { JoinedTransaction } from './joined-transaction.js';
import { PipelinedConnection, SLOW_MS } from './pipelined-connection.js';
import type { Pool } from './pool.js';
import { DatabaseUnavailableError } from './unavailable.js';

/** Reads share one in this many connections of the pool. */
const CONNECTIONS_PER_SHARED = 5;
/** After a slow read, the reads of an organization share no connection for this long. */
const ALONE_MS = 10_000;
const MAX_ALONE = 1_000;

/**
 * Runs statements on TypeORM's connection pool without its query runner, which takes more time than the rest of a read
 * (docs/decisions/request-overhead.md) and has no prepared statements.
 *
 *     const rows = await this.runner.read<{ id: string }>('SELECT id FROM monitors WHERE organization_id = $1', [id]);
 */
@Injectable()
export class StatementRunner {
  /** The pool of TypeORM. */
  readonly pool: Pool;
  private readonly shared: PipelinedConnection[];
  private readonly isPrepared: boolean;
  private readonly names = new Map<string, string>();
  /** By the first value of a statement, which is the organization of a tenant's statement. */
  private readonly alone = new LRUCache<string, true>({ max: MAX_ALONE, ttl: ALONE_MS });

  constructor(
    { driver }: DataSource,
    env: Env,
    private readonly joined: JoinedTransaction,
  ) {
    // Connections to the embedded PostgreSQL share one session: names of prepared statements would collide.
    this.isPrepared = env.DATABASE_URL !== undefined && env.PREPARED_STATEMENTS;
    if (!(driver instanceof PostgresDriver)) throw new Error('the driver is not of PostgreSQL');
    this.pool = driver.master;
    const count = this.isPrepared ? Math.floor(env.DATABASE_POOL_SIZE / CONNECTIONS_PER_SHARED) : 0;
    this.shared = Array.from({ length: count }, () => new PipelinedConnection(this.pool));
  }

  /**
   * Runs a statement that reads and takes no locks. It may share a {@link PipelinedConnection}, unless the organization has
   * had a slow read lately: it would delay the reads of others.
   * @param text one of a bounded number of texts: each is prepared once per connection
   * @param values begin with the organization, if the statement reads tenant data
   * @param manager the manager of a transaction, to run in it
   */
  async read<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    const transaction = manager?.queryRunner ?? this.joined.begun;
    if (transaction) return rowsWithin<Row>(transaction, text, values);
    const owner = typeof values[0] === 'string' ? values[0] : '';
    const connection = this.alone.size > 0 && this.alone.has(owner) ? undefined : this.leastLoaded();
    const start = performance.now();
    try {
      return await this.run<Row>(text, values, false, connection);
    } finally {
      if (performance.now() - start > SLOW_MS) this.alone.set(owner, true);
    }
  }

  private leastLoaded(): PipelinedConnection | undefined {
    const [connection] = this.shared.filter(({ isFull }) => !isFull).toSorted((a, b) => a.load - b.load);
    return connection;
  }

  /**
   * Runs a statement that may write, on a connection of its own.
   * @param text one of a bounded number of texts: each is prepared once per connection
   * @param manager the manager of a transaction, to run in it
   */
  async query<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    const transaction = manager?.queryRunner ?? (await this.joined.begin());
    return transaction ? rowsWithin<Row>(transaction, text, values) : this.run(text, values, true);
  }

  private async run<Row extends object>(
    text: string,
    values: unknown[],
    writes: boolean,
    connection = new PipelinedConnection(this.pool),
  ): Promise<Row[]> {
    const statement = { text, values, ...(this.isPrepared && { name: this.nameOf(text) }) };
    try {
      return await connection.query<Row>(statement, writes);
    } catch (error) {
      // Like TypeORM, so that the filter handles one class of database errors.
      const isStatementError = error instanceof Error && !(error instanceof DatabaseUnavailableError);
      throw isStatementError ? new QueryFailedError(text, values, error) : error;
    }
  }

  private nameOf(text: string): string {
    const name = this.names.get(text) ?? `statement_${this.names.size}`;
    this.names.set(text, name);
    return name;
  }
}

async function rowsWithin<Row>(transaction: QueryRunner, text: string, values: unknown[]): Promise<Row[]> {
  const result = await transaction.query(text, values, true);
  const rows: Row[] = result.records ?? [];
  return rows;
}
