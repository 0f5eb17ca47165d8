import { Injectable } from '@nestjs/common';
import type { PoolClient, QueryConfig } from 'pg';
import {
  DataSource,
  type EntityManager,
  QueryFailedError,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
} from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Env } from '../config/env.js';
import { JoinedTransaction } from './joined-transaction.js';
import {
  DatabaseUnavailableError,
  joinPackets,
  PipelinedConnection,
  type Pool,
  SharedReads,
} from '@status-pages/resilient-pg';
import { Replicas } from './replicas.js';

/** A statement with its parameters. */
export interface Statement {
  text: string;
  values: unknown[];
}

/**
 * Runs statements on TypeORM's connection pool without its query runner, which takes more time than the rest of a read
 * (docs/decisions/request-overhead.md) and does not support prepared statements.
 *
 *     const rows = await this.runner.read<{ id: string }>('SELECT id FROM monitors WHERE organization_id = $1', [id]);
 */
@Injectable()
export class StatementRunner {
  /** TypeORM's connection pool. */
  readonly pool: Pool;
  private readonly reads: SharedReads;
  private readonly isPrepared: boolean;
  private readonly names = new Map<string, string>();

  constructor(
    { driver }: DataSource,
    env: Env,
    private readonly joined: JoinedTransaction,
    private readonly replicas: Replicas,
  ) {
    // Connections to the embedded PostgreSQL share one session, which prepares statements itself, and names would collide.
    this.isPrepared = env.DATABASE_URL !== undefined && env.PREPARED_STATEMENTS;
    if (!(driver instanceof PostgresDriver)) throw new Error('the driver is not the PostgreSQL driver');
    this.pool = driver.master;
    this.reads = new SharedReads(this.pool, this.isPrepared ? env.DATABASE_POOL_SIZE : 0);
  }

  /**
   * Runs a statement that reads and takes no locks. It may share a {@link PipelinedConnection}, unless the organization
   * recently had a slow read, which would delay the reads of others.
   * @param text one of a bounded number of texts, because each is prepared once per connection
   * @param values begin with the organization if the statement reads an organization's data
   * @param manager the manager of a transaction to run in
   */
  read<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    const transaction = manager?.queryRunner ?? this.joined.begun;
    if (transaction) return this.within<Row>(transaction, text, values);
    return this.reads.run(ownerOf(values), (connection) => this.run<Row>(text, values, false, connection));
  }

  /**
   * Runs a read like {@link read}, possibly on a replica, see {@link Replicas}. Not for reads on which writes depend.
   * @param values begin with the organization
   */
  readOwn<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    const isInTransaction = manager?.queryRunner !== undefined || this.joined.begun !== undefined;
    if (isInTransaction || !this.replicas.exist) return this.read(text, values, manager);
    return this.readFromReplica(text, values);
  }

  private async readFromReplica<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    const { reads } = this.replicas;
    const owner = ownerOf(values);
    const replica = this.replicas.for(owner);
    if (!replica) {
      reads.primary += 1;
      return this.read(text, values);
    }
    try {
      const rows = await replica.read<Row>(owner, this.statement(text, values));
      reads.replica += 1;
      return rows;
    } catch {
      reads.repeated += 1;
      return this.read(text, values);
    }
  }

  /**
   * Runs a statement that may write, on a separate connection.
   * @param text one of a bounded number of texts, because each is prepared once per connection
   * @param manager the manager of a transaction to run in
   */
  async query<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    const transaction = manager?.queryRunner ?? (await this.joined.begin());
    return transaction ? this.within<Row>(transaction, text, values) : this.run(text, values, true);
  }

  /** Runs a statement like {@link query}, and returns the number of its rows, which the process does not read. */
  async count(text: string, values: unknown[], manager?: EntityManager): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      `WITH counted AS (${text}) SELECT count(*)::integer AS count FROM counted`,
      values,
      manager,
    );
    return row?.count ?? 0;
  }

  /**
   * Runs a statement like {@link query}, after another one that locks the rows to change. Runs both in one transaction, without an
   * additional round trip. Required for each UPDATE that depends on values of the row other than the updated columns, because
   * no statement may both lock a row and change it.
   * @param lock a SELECT … FOR NO KEY UPDATE, or FOR UPDATE if a column with a unique index changes
   */
  async queryLocked<Row extends object>(
    lock: Statement,
    { text, values }: Statement,
    manager?: EntityManager,
  ): Promise<Row[]> {
    const transaction = manager?.queryRunner ?? (await this.joined.begin());
    if (!transaction) return this.run(text, values, true, undefined, this.statement(lock.text, lock.values));
    const [, rows] = await Promise.all([
      this.within(transaction, lock.text, lock.values, 'lock'),
      this.within<Row>(transaction, text, values),
    ]);
    return rows;
  }

  /** Runs a statement in a transaction. Planning a large statement takes as long as running it, so it is prepared too. */
  private async within<Row>(
    transaction: QueryRunner,
    text: string,
    values: unknown[],
    kind?: 'lock',
  ): Promise<Row[]> {
    if (transaction.isReleased) throw new QueryRunnerAlreadyReleasedError(); // its connection may be another's
    const client: PoolClient = await transaction.connect();
    if (kind === 'lock') joinPackets(client);
    return client.query<Row & object>(this.statement(text, values, kind)).then(
      ({ rows }) => rows,
      (error: unknown) => {
        throw error instanceof Error ? new QueryFailedError(text, values, error) : error;
      },
    );
  }

  private run<Row extends object>(
    text: string,
    values: unknown[],
    writes: boolean,
    connection = new PipelinedConnection(this.pool),
    lock?: QueryConfig,
  ): Promise<Row[]> {
    const rows = connection.query<Row>(this.statement(text, values), writes, undefined, lock);
    return rows.catch((error: unknown) => {
      // Like TypeORM, so that the filter handles only one class of database errors.
      const isStatementError = error instanceof Error && !(error instanceof DatabaseUnavailableError);
      throw isStatementError ? new QueryFailedError(text, values, error) : error;
    });
  }

  /** @param kind `lock`: outside of a transaction, the connection sends this statement with another text, and so with another name */
  private statement(text: string, values: unknown[], kind?: 'lock'): QueryConfig {
    return { text, values, ...(this.isPrepared && { name: this.nameOf(kind ? `${kind} ${text}` : text) }) };
  }

  private nameOf(text: string): string {
    const name = this.names.get(text) ?? `statement_${this.names.size}`;
    this.names.set(text, name);
    return name;
  }
}

/**
 * Returns the first value of a statement. If the statement reads or writes an organization's data, this is the organization.
 */
function ownerOf([owner]: unknown[]): string {
  return typeof owner === 'string' ? owner : '';
}
