import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Env } from '../config/env.js';
import { PipelinedConnection } from './pipelined-connection.js';
import type { Pool } from './pool.js';
import { DatabaseUnavailableError } from './unavailable.js';

/** Reads share one in this many connections of the pool. */
const CONNECTIONS_PER_SHARED = 5;

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

  constructor({ driver }: DataSource, env: Env) {
    // Connections to the embedded PostgreSQL share one session: names of prepared statements would collide.
    this.isPrepared = env.DATABASE_URL !== undefined && env.PREPARED_STATEMENTS;
    if (!(driver instanceof PostgresDriver)) throw new Error('the driver is not of PostgreSQL');
    this.pool = driver.master;
    const count = this.isPrepared ? Math.floor(env.DATABASE_POOL_SIZE / CONNECTIONS_PER_SHARED) : 0;
    this.shared = Array.from({ length: count }, () => new PipelinedConnection(this.pool));
  }

  /**
   * Runs a statement that reads and takes no locks. It may share a {@link PipelinedConnection}.
   * @param text one of a bounded number of texts: each is prepared once per connection
   * @param manager the manager of a transaction, to run in it
   */
  async read<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    const [leastLoaded] = this.shared.filter(({ isFull }) => !isFull).toSorted((a, b) => a.load - b.load);
    return manager?.queryRunner
      ? rowsWithin<Row>(manager, text, values)
      : this.run(text, values, false, leastLoaded);
  }

  /**
   * Runs a statement that may write, on a connection of its own.
   * @param text one of a bounded number of texts: each is prepared once per connection
   * @param manager the manager of a transaction, to run in it
   */
  async query<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    return manager?.queryRunner ? rowsWithin<Row>(manager, text, values) : this.run(text, values, true);
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

async function rowsWithin<Row>(
  { queryRunner }: EntityManager,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const result = await queryRunner?.query(text, values, true);
  const rows: Row[] = result?.records ?? [];
  return rows;
}
