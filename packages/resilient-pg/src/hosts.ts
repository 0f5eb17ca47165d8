import { type Client, type ClientBase, type ClientConfig, type PoolConfig } from 'pg';
import { parsePostgresUrl } from './postgres-url.js';
import { LargeTextClient } from './large-text.js';

/** SQLSTATE of a write on a standby, or with `default_transaction_read_only`. */
const READ_ONLY = '25006';

/**
 * Hosts of a URL with several hosts or with `target_session_attrs=read-write`. All connections go to one host: first to the first
 * host, and after each failure to the next one.
 */
export class Hosts {
  private current = 0;
  /** URL of the host that accepted the latest connection. */
  private accepted: string | undefined;
  private readonly failures = new Map<string, unknown>();

  private constructor(
    readonly urls: readonly string[],
    private readonly mustWrite: boolean,
  ) {}

  /** Creates the hosts of a URL. Returns undefined if `pg` alone can serve it: one host, which may be read-only. */
  static of(url: string): Hosts | undefined {
    const { urls, mustWrite } = parsePostgresUrl(url);
    return urls.length > 1 || mustWrite ? new Hosts(urls, mustWrite) : undefined;
  }

  /** Returns the `pg` options of a pool that connects to the hosts. */
  poolConfig(timeLimit: number): PoolConfig {
    return {
      Client: clientOf(this),
      verify: (client, verified) => void this.verify(client, timeLimit / this.urls.length, verified),
    };
  }

  /** URL of the host for the next connection. */
  get url(): string {
    return this.urls[this.current] ?? '';
  }

  /** Returns the latest error of a host since its last successful connection. */
  errorOf(url: string): unknown {
    return this.failures.get(url);
  }

  /** Records a failure, and switches the next connection to another host if it would use this one. */
  failed(url: string, error: unknown): void {
    this.failures.set(url, error);
    if (url === this.url) this.current = (this.current + 1) % this.urls.length;
  }

  /** Returns whether the host of a connection has since been replaced by another host, or has become read-only. */
  isStale(client: ClientBase): boolean {
    if (!(client instanceof HostClient)) return false;
    return client.isReadOnly || (this.accepted !== undefined && client.url !== this.accepted);
  }

  /** Checks a new connection. Fails if the server is read-only but must be writable. */
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
    // `on` on a standby, and with `default_transaction_read_only`.
    const text = `SELECT current_setting('transaction_read_only') AS read_only`;
    const statement = { text, query_timeout };
    const { rows } = await client.query<{ read_only: string }>(statement);
    if (rows[0]?.read_only !== 'off') throw new Error('the server is read-only');
    client.onReadOnly((error) => this.failed(client.url, error));
  }
}

/** Returns a client class for `pg`, which creates the clients of a pool itself, with the pool configuration. */
function clientOf(hosts: Hosts): new (config?: ClientConfig) => ClientBase {
  return class extends HostClient {
    constructor(config: ClientConfig = {}) {
      super(hosts, config);
    }
  };
}

/** A client that connects to one of the hosts. */
class HostClient extends LargeTextClient {
  readonly url: string;
  /** Whether the server has rejected a write because it is read-only. */
  isReadOnly = false;
  /** In milliseconds. 0 disables the limit. */
  private readonly timeLimit: number;

  constructor(
    private readonly hosts: Hosts,
    config: ClientConfig,
  ) {
    const { url } = hosts;
    const { connectionTimeoutMillis: limit = 0 } = config;
    // The hosts share the connection timeout of the pool.
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
      // The timeout error of `pg` has no code.
      const isLate = this.timeLimit > 0 && performance.now() - start >= this.timeLimit - 10;
      const late = new Error(`no response within ${this.timeLimit / 1_000} s`);
      this.hosts.failed(this.url, isLate ? late : error);
      throw error;
    }
  }

  /** Calls `callback` when the server rejects a write because it has become read-only. */
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
