import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Env } from '../config/env.js';
import { PipelinedConnection } from './pipelined-connection.js';
import type { Pool } from './pool.js';
import { DatabaseUnavailableError } from './unavailable.js';

/** One connection in so many of the pool is one that reads share. */
const CONNECTIONS_PER_LANE = 5;

/**
 * Runs statements straight through the pool that TypeORM has, too. TypeORM's query runner costs more than the rest
 * (docs/performance.md), and has no named statements, which PostgreSQL parses and plans once a connection.
 */
@Injectable()
export class StatementRunner {
  /** Connections that statements share with TypeORM. */
  readonly pool: Pool;
  private readonly lanes: PipelinedConnection[];
  private readonly isPrepared: boolean;
  private readonly names = new Map<string, string>();

  constructor({ driver }: DataSource, env: Env) {
    // Connections to the embedded PostgreSQL share a session, in which names would collide.
    this.isPrepared = env.DATABASE_URL !== undefined && env.PREPARED_STATEMENTS;
    if (!(driver instanceof PostgresDriver)) throw new Error('the driver is not of PostgreSQL');
    this.pool = driver.master;
    const lanes = this.isPrepared ? Math.floor(env.DATABASE_POOL_SIZE / CONNECTIONS_PER_LANE) : 0;
    this.lanes = Array.from({ length: lanes }, () => new PipelinedConnection(this.pool));
  }

  /**
   * The rows of a statement that reads and waits for nobody: it may share a connection with others, see {@link PipelinedConnection}.
   * There must be a bounded number of texts: each is prepared once a connection.
   * @param manager of the transaction, if the statement is part of one
   */
  async read<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    const [idlest] = this.lanes.filter(({ isFull }) => !isFull).toSorted((a, b) => a.load - b.load);
    return manager?.queryRunner
      ? rowsWithin<Row>(manager, text, values)
      : this.run(text, values, false, idlest);
  }

  /** The rows of a statement that may write. There must be a bounded number of texts: each is prepared once a connection. */
  async query<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    return manager?.queryRunner ? rowsWithin<Row>(manager, text, values) : this.run(text, values, true);
  }

  private async run<Row extends object>(
    text: string,
    values: unknown[],
    writes: boolean,
    lane = new PipelinedConnection(this.pool), // for this statement alone
  ): Promise<Row[]> {
    const statement = { text, values, ...(this.isPrepared && { name: this.nameOf(text) }) };
    try {
      return await lane.query<Row>(statement, writes);
    } catch (error) {
      // As TypeORM would tell it, so that the filter knows one kind; that there is no connection is told apart already.
      const isDatabases = error instanceof Error && !(error instanceof DatabaseUnavailableError);
      throw isDatabases ? new QueryFailedError(text, values, error) : error;
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
