import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { atLeastOne } from '../database/bounds.js';
import { StatementRunner } from '../database/statement-runner.js';
import type { Pool } from '../database/pool.js';

/** Within a second, with a little for the way. */
const TIMEOUT_MS = 900;
/** How long an answer holds, so that asking often costs the database nothing. */
const CACHE_TTL_MS = 500;

/** Whether the database takes writes, asked on a connection of its own: the pool may be busy for longer than a balancer waits. */
@Injectable()
export class Readiness implements OnApplicationShutdown {
  private readonly pool: Pool;
  private answer: Promise<void> | undefined;

  constructor({ pool }: StatementRunner) {
    this.pool = pool.beside({
      max: 1,
      connectionTimeoutMillis: TIMEOUT_MS,
      idleTimeoutMillis: 0, // never: a busy database takes new connections slowly
    });
    this.pool.on('error', () => undefined); // the next check connects anew
  }

  /** @throws DatabaseUnavailableError when the database does not answer within a second, or is read-only */
  async check(): Promise<void> {
    this.answer ??= this.query().finally(() => {
      setTimeout(() => (this.answer = undefined), CACHE_TTL_MS).unref();
    });
    return this.answer;
  }

  private async query(): Promise<void> {
    const ends = performance.now() + TIMEOUT_MS;
    const client = await this.pool.connect();
    // On for a standby, and for `default_transaction_read_only`.
    const text = `SELECT current_setting('transaction_read_only') AS read_only`;
    const statement = { text, query_timeout: atLeastOne(ends - performance.now()) };
    const { rows } = await client.query<{ read_only: string }>(statement).catch((error: unknown) => {
      client.release(true);
      throw this.pool.unavailable(error);
    });
    client.release();
    if (rows[0]?.read_only !== 'off') throw this.pool.unavailable(new Error('it is read-only'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
