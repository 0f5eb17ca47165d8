import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { atLeastOne, type Pool } from '@status-pages/resilient-pg';
import { StatementRunner } from '../database/statement-runner.js';

/** One second, minus a margin for the network. */
const TIMEOUT_MS = 900;
/** Time for which frequent checks share a result, in milliseconds. */
const CACHE_TTL_MS = 500;

/**
 * Checks that the database is writable. Uses its own connection, because the pool can be busy for longer than a load balancer
 * waits.
 */
@Injectable()
export class Readiness implements OnApplicationShutdown {
  private readonly pool: Pool;
  private result: Promise<void> | undefined;

  constructor({ pool }: StatementRunner) {
    this.pool = pool.separate({
      max: 1,
      connectionTimeoutMillis: TIMEOUT_MS,
      idleTimeoutMillis: 0, // never, because a busy database accepts new connections slowly
    });
    this.pool.on('error', () => undefined); // the next check reconnects
  }

  /** @throws DatabaseUnavailableError if the database does not respond within a second, or is read-only */
  async check(): Promise<void> {
    this.result ??= this.query().finally(() => {
      setTimeout(() => (this.result = undefined), CACHE_TTL_MS).unref();
    });
    return this.result;
  }

  private async query(): Promise<void> {
    const ends = performance.now() + TIMEOUT_MS;
    const client = await this.pool.connect();
    // `on` for a standby, and with `default_transaction_read_only`
    const text = `SELECT current_setting('transaction_read_only') AS read_only`;
    const statement = { text, query_timeout: atLeastOne(ends - performance.now()) };
    const { rows } = await client.query<{ read_only: string }>(statement).catch((error: unknown) => {
      client.release(true);
      throw this.pool.unavailable(error);
    });
    client.release();
    if (rows[0]?.read_only !== 'off') throw this.pool.unavailable(new Error('the database is read-only'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
