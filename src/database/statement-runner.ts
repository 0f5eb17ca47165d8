import { Injectable } from '@nestjs/common';
import { DatabaseError, type PoolClient, Query, type QueryConfig, type QueryResult } from 'pg';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Env } from '../config/env.js';
import { atLeastOne, REQUEST_MS, runAlone } from './bounds.js';
import type { Pool } from './pool.js';

/**
 * Runs statements straight through the pool that TypeORM has, too. TypeORM's query runner costs more than the rest
 * (docs/performance.md), and has no named statements, which PostgreSQL parses and plans once a connection.
 */
@Injectable()
export class StatementRunner {
  /** Connections that statements share with TypeORM. */
  readonly pool: Pool;
  private readonly isPrepared: boolean;
  private readonly names = new Map<string, string>();

  constructor({ driver }: DataSource, env: Env) {
    // Connections to the embedded PostgreSQL share a session, in which names would collide.
    this.isPrepared = env.DATABASE_URL !== undefined && env.PREPARED_STATEMENTS;
    if (!(driver instanceof PostgresDriver)) throw new Error('the driver is not of PostgreSQL');
    this.pool = driver.master;
  }

  /**
   * The rows of a statement that only reads. There must be a bounded number of texts: each is prepared once a connection.
   * @param manager of the transaction, if the statement is part of one
   * @throws DatabaseUnavailableError without a connection; QueryFailedError for an error of the database
   */
  async read<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    return manager?.queryRunner
      ? rowsWithin<Row>(manager, text, values)
      : this.run(text, values, async (_client, _left, send) => send());
  }

  /** The same for a statement that may write: if its client gives up, it is not applied later. */
  async query<Row extends object>(text: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    return manager?.queryRunner
      ? rowsWithin<Row>(manager, text, values)
      : this.run(text, values, (client, left, send) => runAlone(client, this.pool.bounds, left, send));
  }

  private async run<Row extends object>(
    text: string,
    values: unknown[],
    within: (client: PoolClient, left: number, send: () => Promise<Row[]>) => Promise<Row[]>,
  ): Promise<Row[]> {
    const ends = performance.now() + REQUEST_MS;
    const statement = { text, values, ...(this.isPrepared && { name: this.nameOf(text) }) };
    const client = await this.pool.connect();
    try {
      const left = atLeastOne(ends - performance.now());
      const rows = await within(client, left, () => rowsOf<Row>(client, statement, left));
      client.release();
      return rows;
    } catch (error) {
      client.release(!isRefusal(error));
      // As TypeORM does, so that the filter has one kind of error to map.
      throw error instanceof Error ? new QueryFailedError(text, values, error) : error;
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

/**
 * Whether a statement was refused for its values, or for the sake of another transaction (SQLSTATE classes 23 and 40): its
 * connection is intact. After any other error it is closed, as TypeORM does.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && /^(23|40)/.test(error.code ?? '');
}

/** pg sends a query of its own class as it is; any other object it copies, property by property, for 5 % of a request. */
function rowsOf<Row extends object>(
  client: PoolClient,
  { text, values, name }: QueryConfig,
  query_timeout: number,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null, result?: QueryResult<Row>) =>
      error || !result ? reject(error) : resolve(result.rows);
    client.query(Object.assign(new Query<Row>(text, values), { name, callback, query_timeout }));
  });
}
