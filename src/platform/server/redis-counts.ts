import type { RedisClientType } from '@redis/client';
import type { Logger } from 'pino';
import type { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Timeout after which Redis is considered unavailable, in milliseconds. */
const REPLY_MS = 100;
/** Maximum time to connect, with TLS and authentication, in milliseconds. */
const CONNECT_MS = 2_000;
const RETRY_MS = 1_000;
const LOG_INTERVAL_MS = 60_000;
const KEY_PREFIX = 'status-pages:limit';

type Client = RedisClientType<Record<never, never>, Record<never, never>, Record<never, never>, 2>;

/**
 * Counts in Redis, which is considered either fast or down. After an error, or 100 ms without a reply, the connection is
 * dropped, and a new one is opened in the background once per second. So a Redis that hangs delays only the requests of the
 * first 100 ms. Logs the outage once per minute, but never the URL or the text of an error, which can contain the password.
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
   * @param seconds the default length of the window, which starts with the first count of a subject
   */
  constructor(
    private readonly url: string,
    private readonly seconds: number,
    private readonly logger: Logger,
  ) {}

  /** Connects. Resolves within two seconds, even without a connection. */
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
        points: 1, // each subject has its own limit
        duration: this.seconds,
      });
      this.use(client, limiter);
    } catch (error) {
      this.drop(client, error);
    }
  }

  /** Adds one to the count of a subject. Returns the new count, or undefined while Redis is down. */
  async add(subject: string, seconds = this.seconds): Promise<RateLimiterRes | undefined> {
    return this.ask(async (limiter) => limiter.penalty(subject, 1, { customDuration: seconds }));
  }

  /** Returns the count of a subject, null if there is no count, or undefined while Redis is down. */
  async get(subject: string): Promise<RateLimiterRes | null | undefined> {
    return this.ask(async (limiter) => limiter.get(subject));
  }

  /** Closes the connection permanently. */
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
    this.logger.info({ redis: this.host }, 'Redis is available; rate limits are shared across processes');
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
      'Redis is unavailable; each process counts its rate limits separately',
    );
  }

  /** Whether Redis is connected. */
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
    const error = Object.assign(new Error(`no reply within ${milliseconds} ms`), { code: 'ETIMEDOUT' });
    // If this process was busy, the reply may have arrived. setImmediate lets it be read first.
    timer = setTimeout(() => setImmediate(() => reject(error)), milliseconds);
  });
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the code of an error, such as `ECONNREFUSED`, or the code of a reply, such as `WRONGPASS`. The rest of a reply can
 * contain the password.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^[A-Z]+(?= )/.exec(error.message)?.[0] ?? error.constructor.name;
}
