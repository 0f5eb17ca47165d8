import { setTimeout as delay } from 'node:timers/promises';
import { callbackify } from 'node:util';
import pg, { Pool as PgPool, type PoolClient, type PoolConfig } from 'pg';
import type { Hosts } from './hosts.js';
import { LargeTextClient } from './large-text.js';
import { StatementEvents } from './statement-events.js';
import { atLeastOne, bound, type Bounds, CONNECT_MS, REQUEST_MS } from './statement-timeouts.js';
import { DatabaseUnavailableError } from './unavailable.js';

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/** The configuration of {@link Pool}. */
export interface PoolSettings extends PoolConfig {
  /** Default: `none`. */
  bounds?: Bounds;
  /** Hosts of a URL that `pg` alone cannot serve. */
  hosts?: Hosts;
  /** Reports the statements of the pool. Default: a new object. */
  statements?: StatementEvents;
}

/**
 * A `pg` pool that limits the time of statements, and throws {@link DatabaseUnavailableError} if it cannot connect. `pg` itself
 * identifies a timeout only by its message.
 */
export class Pool extends PgPool {
  readonly bounds: Bounds;
  readonly statements: StatementEvents;
  /** Time at which each connection was requested, until its first statement. */
  private readonly requestTimes = new WeakMap<object, number>();

  constructor(private readonly config: PoolSettings = {}) {
    const { bounds = 'none', hosts, connectionTimeoutMillis = CONNECT_MS } = config;
    super({ ...config, Client: LargeTextClient, ...hosts?.poolConfig(connectionTimeoutMillis) });
    this.bounds = bounds;
    this.statements = config.statements ?? new StatementEvents();
    this.on('connect', (client) => this.statements.observe(client)); // before `bound`, which adds its own statements
    if (bounds !== 'none') this.on('connect', (client) => bound(client, bounds, () => this.timeLeft(client)));
    this.on('connect', takeCallbacks);
    // The next statement reports a broken connection. After its last statement and before it returns to the pool, a connection
    // has no other error listener, and an error event without a listener ends the process.
    this.on('connect', (client) => client.on('error', () => undefined));
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    const start = performance.now();
    const { hosts } = this.config;
    if (!callback) {
      const connecting = hosts ? this.connectToAny(hosts, start) : this.open();
      return connecting.catch((error: unknown) => {
        throw this.toUnavailable(error, start);
      });
    }
    if (hosts) {
      void this.callBack(callback);
      return;
    }
    try {
      super.connect((error, client, done) => {
        if (client) this.requestTimes.set(client, start);
        callback(error && this.toUnavailable(error, start), client, done);
      });
    } catch (error) {
      callback(this.toUnavailable(error, start), undefined, () => undefined);
    }
  }

  private async callBack(callback: ConnectCallback): Promise<void> {
    let client: PoolClient;
    try {
      client = await this.connect();
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), undefined, () => undefined);
      return;
    }
    callback(undefined, client, client.release);
  }

  /** Connects, and rejects instead of throwing: `pg` throws synchronously if it cannot read a certificate file. */
  private open(): Promise<PoolClient> {
    try {
      return super.connect();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Tries the hosts one after the other, within the connection timeout. */
  private async connectToAny(hosts: Hosts, start: number): Promise<PoolClient> {
    const ends = start + (this.config.connectionTimeoutMillis ?? CONNECT_MS);
    for (let failures = 0; ;) {
      try {
        const client = await this.connectBefore(ends);
        if (hosts.isStale(client)) {
          client.release(true);
          continue;
        }
        this.requestTimes.set(client, start);
        const { release } = client;
        client.release = (error) => release(error ?? hosts.isStale(client));
        return client;
      } catch (error) {
        failures += 1;
        if (failures > hosts.urls.length || performance.now() >= ends) throw error;
      }
    }
  }

  /** Fails at `ends`, and releases a connection that arrives later. */
  private async connectBefore(ends: number): Promise<PoolClient> {
    const connecting = this.open();
    if (this.idleCount > this.waitingCount) return connecting;
    const over = new AbortController();
    const deadline = delay(ends - performance.now(), null, { signal: over.signal, ref: false });
    try {
      const client = await Promise.race([connecting, deadline]);
      if (client) return client;
    } finally {
      over.abort();
      deadline.catch(() => undefined);
    }
    connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw new Error('timeout exceeded when trying to connect');
  }

  /** Returns the limit of the next statement in milliseconds. The wait for the connection counts for the first statement. */
  private timeLeft(client: PoolClient): number {
    const start = this.requestTimes.get(client) ?? performance.now();
    this.requestTimes.delete(client);
    return atLeastOne(start + REQUEST_MS - performance.now());
  }

  /** Detects a timeout by the clock, because the error of `pg` has no code. */
  private toUnavailable(error: unknown, start: number): DatabaseUnavailableError {
    const { connectionTimeoutMillis: limit, max } = this.config;
    const waited = performance.now() - start;
    if (!limit || waited < limit - 10) return this.unavailable(error);
    const isFull = this.totalCount >= (max ?? 0);
    return this.unavailable(
      error,
      `${isFull ? `no free connection in the pool of ${max}` : 'no response'} within ${limit / 1000} s`,
    );
  }

  /** Creates an error that contains the name of this database. */
  unavailable(cause: unknown, timedOut?: string): DatabaseUnavailableError {
    return new DatabaseUnavailableError(this.config, cause, timedOut);
  }

  /** Creates a separate pool for the same database. The caller ends it. */
  separate(config: PoolSettings): Pool {
    return new Pool({ ...this.config, ...config });
  }
}

/** Replaces the callback that `pool.query` passes to a client by a promise, because limits and events need the promise. */
function takeCallbacks(client: PoolClient): void {
  client.query = new Proxy(client.query, {
    apply(query, _client, parameters: unknown[]) {
      const callback = parameters.at(-1);
      if (!isCallback(callback)) return Reflect.apply(query, client, parameters);
      const run = callbackify(async (): Promise<unknown> =>
        Reflect.apply(query, client, parameters.slice(0, -1)),
      );
      run(callback);
    },
  });
}

function isCallback(value: unknown): value is (error: Error | null, result: unknown) => void {
  return typeof value === 'function';
}

/** The `pg` module with this pool, for TypeORM's `driver` option. */
export const driver = { ...pg, Pool };
