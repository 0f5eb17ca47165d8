import type { RedisClientType } from '@redis/client';
import type { Logger } from 'pino';
import type { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Redis counts as away if it does not reply in this time. */
const REPLY_MS = 100;
/** Maximum time to connect, with TLS and authentication. */
const CONNECT_MS = 2_000;
const RETRY_MS = 1_000;
const LOG_INTERVAL_MS = 60_000;
const KEY_PREFIX = 'status-pages:limit';

type Client = RedisClientType<Record<never, never>, Record<never, never>, Record<never, never>, 2>;

/**
 * Counts in Redis, which is either fast or away: after an error, or 100 ms without a reply, the connection is dropped, and a new
 * one is opened in the background once a second. So a Redis that hangs delays only the requests of the first 100 ms. Logs its
 * absence once a minute: never the URL or the text of an error, which can contain the password.
 */
export class RedisCounts {
  private client: Client | undefined;
  private limiter: RateLimiterRedis | undefined;
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;
  private warnedAt = -Infinity;
  private isReportedAway = false;

  /**
   * @param url `redis://` or `rediss://`
   * @param seconds the window: it starts with the first count of a subject
   */
  constructor(
    private readonly url: string,
    private readonly seconds: number,
    private readonly logger: Logger,
  ) {}

  /** Connects. Resolves after two seconds at the latest, also without a connection. */
  async open(): Promise<void> {
    const [{ createClient }, rateLimiter] = await Promise.all([
      import('@redis/client'),
      import('rate-limiter-flexible'),
    ]);
    if (this.isClosed) return;
    const client = createClient({
      url: this.url,
      RESP: 2, // works with every version, and with proxies
      disableClientInfo: true,
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
      socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
    });
    this.client = client;
    client.on('error', (error) => this.drop(client, error));
    try {
      await within(CONNECT_MS, client.connect());
      await within(REPLY_MS, client.ping());
      const limiter = new rateLimiter.RateLimiterRedis({
        storeClient: client,
        useRedisPackage: true,
        keyPrefix: KEY_PREFIX,
        points: 1, // each subject has a limit of its own
        duration: this.seconds,
      });
      this.use(client, limiter);
    } catch (error) {
      this.drop(client, error);
    }
  }

  /** Adds one to the count of a subject: the new count, or undefined while Redis is away. */
  async add(subject: string): Promise<RateLimiterRes | undefined> {
    return this.ask(async (limiter) => limiter.penalty(subject));
  }

  /** The count of a subject: null if there is none, or undefined while Redis is away. */
  async get(subject: string): Promise<RateLimiterRes | null | undefined> {
    return this.ask(async (limiter) => limiter.get(subject));
  }

  /** Closes the connection for good. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    this.limiter = undefined;
    this.client?.destroy();
    this.client = undefined;
  }

  private async ask<Result>(
    command: (limiter: RateLimiterRedis) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { client, limiter } = this;
    if (!client || !limiter) return undefined;
    try {
      return await within(REPLY_MS, command(limiter));
    } catch (error) {
      this.drop(client, error);
      return undefined;
    }
  }

  private use(client: Client, limiter: RateLimiterRedis): void {
    if (this.client !== client) return;
    this.limiter = limiter;
    if (!this.isReportedAway) return;
    this.isReportedAway = false;
    this.logger.info({ redis: this.host }, 'Redis is available: limits count across processes');
  }

  private drop(client: Client, error: unknown): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.limiter = undefined;
    client.destroy();
    this.retry = setTimeout(() => void this.open(), RETRY_MS).unref();
    if (performance.now() - this.warnedAt < LOG_INTERVAL_MS) return;
    this.warnedAt = performance.now();
    this.isReportedAway = true;
    this.logger.warn(
      { redis: this.host, reason: reasonOf(error) },
      'Redis is not available: each process counts its limits for itself',
    );
  }

  /** Whether Redis counts at this moment. */
  get isConnected(): boolean {
    return this.limiter !== undefined;
  }

  /** Without user and password. */
  get host(): string {
    return new URL(this.url).host;
  }
}

/** @throws Error `ETIMEDOUT` if the reply is late */
async function within<Reply>(milliseconds: number, reply: Promise<Reply>): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = Object.assign(new Error('no reply in time'), { code: 'ETIMEDOUT' });
    // If this process was busy, the reply may have arrived: setImmediate lets it be read first.
    timer = setTimeout(() => setImmediate(() => reject(error)), milliseconds);
  });
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The code of an error, such as `ECONNREFUSED`, or `WRONGPASS` of a reply. The rest of a reply can quote the password. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^[A-Z]+(?= )/.exec(error.message)?.[0] ?? error.constructor.name;
}
