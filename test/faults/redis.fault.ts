import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAll, openConnections } from '../cluster/use-workers.js';
import { answerOn } from '../support/http-agent.js';
import { Program } from '../support/process.js';
import { Redis } from '../support/redis.js';
import { until } from '../support/server.js';
import { useCluster } from './support/cluster.js';
import { Service } from './support/service.js';

const cluster = useCluster();

const WORKERS = 2;
const LIMIT = 40;
/** A request that waits for Redis takes 100 ms. The rest is a margin for a busy machine. */
const MAX_MS = 3_000;

/** Sends requests with one key continuously on several connections. */
class Load {
  readonly statuses = new Map<number | undefined, number>();
  slowest = 0;
  private isRunning = true;
  private readonly agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  private readonly done: Promise<void[]>;

  constructor(service: Service) {
    this.done = Promise.all(this.agents.map((agent) => this.run(agent, service)));
  }

  get answered(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Waits for the given number of further responses. */
  async goesOn(answers: number): Promise<void> {
    const target = this.answered + answers;
    await until(async () => this.answered >= target);
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await this.done;
    for (const agent of this.agents) agent.destroy();
  }

  private async run(agent: Agent, { url, seed }: Service): Promise<void> {
    while (this.isRunning) {
      const started = performance.now();
      const { status } = await answerOn(agent, `${url}/v1/me`, seed.key);
      this.slowest = Math.max(this.slowest, performance.now() - started);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    }
  }
}

describe('Redis with two workers, under load', { tags: ['redis'] }, () => {
  let redis: Redis;
  let service: Service;
  beforeAll(async () => {
    redis = await Redis.start();
    service = await Service.start(
      {
        ...(await cluster.current.database()),
        WEB_CONCURRENCY: String(WORKERS),
        RATE_LIMIT: '1000000',
        REDIS_URL: redis.url,
        // Nothing is sent. Without a mail server, the start logs another warning.
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'status@example.com',
      },
      cluster.current.seed,
    );
  });
  afterAll(async () => {
    await Program.killAll();
    await redis.remove();
  });

  it.each([
    ['killed and started again', async () => redis.stop(), async () => redis.start()],
    ['stopped (SIGSTOP) and continued', async () => redis.freeze(), async () => redis.thaw()],
  ])('%s fails no request and leaks no connection', async (_how, begin, end) => {
    const load = new Load(service);
    for (let round = 0; round < 3; round++) {
      await load.goesOn(200);
      await begin();
      await load.goesOn(400);
      await end();
      await until(async () => (await redis.clients()) === WORKERS);
    }
    await load.goesOn(200);
    await load.stop();
    expect([...load.statuses.keys()]).toEqual([200]);
    expect(load.slowest).toBeLessThan(MAX_MS);
    // The connections that were counted last may be old ones, which a worker had closed while Redis stood still.
    await until(async () => (await redis.clients()) === WORKERS);
  });

  it('causes only one warning a minute for each worker', () => {
    const lines = service.program.stdout.trim().split('\n');
    const logged: { level: number; msg: string; pid: number; time: string }[] = lines.map((line) =>
      JSON.parse(line),
    );
    const warnings = logged.filter(({ level }) => level > 30);
    expect(new Set(warnings.map(({ msg }) => msg))).toEqual(
      new Set(['Redis is unavailable; each process counts its rate limits separately']),
    );
    const minutes = 1 + (Date.parse(logged.at(-1)?.time ?? '') - Date.parse(logged[0]?.time ?? '')) / 60_000;
    expect(warnings.length).toBeLessThanOrEqual(WORKERS * minutes);
  });
});

describe('limits of two workers', { tags: ['redis'] }, () => {
  let redis: Redis;
  beforeAll(async () => {
    redis = await Redis.start();
  });
  afterAll(async () => {
    await Program.killAll();
    await redis.remove();
  });

  it.each([
    ['with Redis', async () => undefined],
    ['while Redis is stopped (SIGSTOP)', async () => redis.freeze()],
    ['while Redis is down', async () => redis.stop()],
  ])('hold across both workers %s', async (_when, begin) => {
    const limits = { RATE_LIMIT: String(LIMIT), AUTH_RATE_LIMIT: String(LIMIT), REDIS_URL: redis.url };
    const env = { ...(await cluster.current.database()), WEB_CONCURRENCY: String(WORKERS), ...limits };
    const service = await Service.start(env, cluster.current.seed);
    await begin();
    const connections = openConnections(2 * LIMIT);
    const statuses = async (key?: string) => {
      const all = await askAll(connections, `${service.url}/v1/me`, key);
      return [200, 401, 429].map((status) => all.filter((one) => one === status).length);
    };
    expect(await statuses(service.seed.key)).toEqual([LIMIT, 0, LIMIT]);
    expect(await statuses()).toEqual([0, LIMIT, LIMIT]);
    for (const agent of connections) agent.destroy();
    redis.thaw();
    await service.stop();
  });
});
