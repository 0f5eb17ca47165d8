import { type Client, type ClientBase, type ClientConfig, type PoolConfig } from 'pg';
import { parsePostgresUrl } from '../config/postgres-url.js';
import { LargeTextClient } from './large-text.js';
import { READ_ONLY } from './statements.js';

/**
 * The hosts of a URL that names several, or that demands a server that accepts writes. All connections go to one of them:
 * the first at the start, and the next after each failure.
 */
export class Hosts {
  private current = 0;
  /** The host of the newest connection that was accepted. */
  private accepted: string | undefined;
  private readonly failures = new Map<string, unknown>();

  private constructor(
    readonly urls: readonly string[],
    private readonly mustWrite: boolean,
  ) {}

  /** Returns undefined for a URL with one host that may be read-only: `pg` alone can serve it. */
  static of(url: string): Hosts | undefined {
    const { urls, mustWrite } = parsePostgresUrl(url);
    return urls.length > 1 || mustWrite ? new Hosts(urls, mustWrite) : undefined;
  }

  /** The options of `pg` for a pool that connects to the hosts. */
  poolConfig(timeLimit: number): PoolConfig {
    return {
      Client: clientOf(this),
      verify: (client, verified) => void this.verify(client, timeLimit / this.urls.length, verified),
    };
  }

  /** The URL of the host for the next connection. */
  get url(): string {
    return this.urls[this.current] ?? '';
  }

  /** The last error of a host since its last connection. */
  errorOf(url: string): unknown {
    return this.failures.get(url);
  }

  /** Makes the next connection go to another host, unless it does already. */
  failed(url: string, error: unknown): void {
    this.failures.set(url, error);
    if (url === this.url) this.current = (this.current + 1) % this.urls.length;
  }

  /** Whether a connection leads to a host that another one has replaced since, or that has become read-only. */
  isStale(client: ClientBase): boolean {
    if (!(client instanceof HostClient)) return false;
    return client.isReadOnly || (this.accepted !== undefined && client.url !== this.accepted);
  }

  /** Checks a new connection. It is an error if it is read-only, but must not be. */
  private async verify(
    client: ClientBase,
    timeLimit: number,
    verified: (error?: Error) => void,
  ): Promise<void> {
    if (client instanceof HostClient) {
      try {
        if (this.mustWrite) await this.requireWritable(client, timeLimit);
      } catch (error) {
        this.failed(client.url, error);
        verified(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      this.accepted = client.url;
      this.failures.delete(client.url);
    }
    verified();
  }

  private async requireWritable(client: HostClient, query_timeout: number): Promise<void> {
    // `on` for a standby, and with `default_transaction_read_only`.
    const text = `SELECT current_setting('transaction_read_only') AS read_only`;
    const statement = { text, query_timeout };
    const { rows } = await client.query<{ read_only: string }>(statement);
    if (rows[0]?.read_only !== 'off') throw new Error('the server is read-only');
    client.onReadOnly((error) => this.failed(client.url, error));
  }
}

/** `pg` creates the clients of a pool by itself, with the configuration of the pool. */
function clientOf(hosts: Hosts): new (config?: ClientConfig) => ClientBase {
  return class extends HostClient {
    constructor(config: ClientConfig = {}) {
      super(hosts, config);
    }
  };
}

/** A client of one of the hosts. */
class HostClient extends LargeTextClient {
  readonly url: string;
  /** Whether the server has refused a write, because it is read-only. */
  isReadOnly = false;
  /** In milliseconds; 0: no limit. */
  private readonly timeLimit: number;

  constructor(
    private readonly hosts: Hosts,
    config: ClientConfig,
  ) {
    const { url } = hosts;
    const { connectionTimeoutMillis: limit = 0 } = config;
    // The hosts share the time of the pool for a connection.
    const timeLimit = Math.floor(limit / hosts.urls.length);
    super({ ...config, connectionString: url, connectionTimeoutMillis: timeLimit });
    this.url = url;
    this.timeLimit = timeLimit;
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<Client> | void {
    const connecting = this.open();
    if (!callback) return connecting;
    void callBack(connecting, callback);
  }

  private async open(): Promise<Client> {
    const start = performance.now();
    try {
      return await super.connect();
    } catch (error) {
      // The error of `pg` has no code.
      const isLate = this.timeLimit > 0 && performance.now() - start >= this.timeLimit - 10;
      const late = new Error(`no answer within ${this.timeLimit / 1_000} s`);
      this.hosts.failed(this.url, isLate ? late : error);
      throw error;
    }
  }

  /** Calls `callback` when the server refuses a write, because it has become read-only. */
  onReadOnly(callback: (error: unknown) => void): void {
    this.connection.on('errorMessage', (error: { code?: string }) => {
      if (error.code !== READ_ONLY || this.isReadOnly) return;
      this.isReadOnly = true;
      callback(error);
    });
  }
}

async function callBack(connecting: Promise<Client>, callback: (error: Error | null) => void): Promise<void> {
  try {
    await connecting;
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  callback(null);
}
