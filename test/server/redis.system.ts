import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Program, startProgram, stop } from '../support/process.js';
import { Redis } from '../support/redis.js';
import { TestServer, until, useTestServer } from '../support/server.js';

const LIMIT = 5;
const AWAY = /^.*Redis is unavailable.*$/gm;
const BACK = /Redis is available/;

const SETTINGS = {
  RATE_LIMIT: String(LIMIT),
  AUTH_RATE_LIMIT: String(LIMIT),
  TRUST_PROXY: '1',
  LOG_LEVEL: 'info',
};

const server = useTestServer();

/** A separate process on the database of the test. */
const start = (env: Record<string, string>) => startProgram({ ...server.databaseEnv, ...SETTINGS, ...env });

async function newKey(): Promise<string> {
  return (await server.tenant()).key;
}

/** The status of a request, with or without a key, and the remaining quota. */
async function ask(
  { url }: { url: string },
  key?: string,
  address = '192.0.2.1',
): Promise<[status: number, left: number]> {
  const response = await fetch(`${url}/v1/me`, {
    headers: { 'X-Forwarded-For': address, ...(key && { Authorization: `Bearer ${key}` }) },
  });
  await response.text();
  const [, left] = /;r=(\d+);/.exec(response.headers.get('ratelimit') ?? '') ?? [];
  return [response.status, Number(left)];
}

async function inTurn(
  programs: { url: string }[],
  times: number,
  askOne: (program: { url: string }) => Promise<unknown>,
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let time = 0; time < times; time++)
    for (const program of programs) answers.push(await askOne(program));
  return answers;
}

/** Waits until two servers count a key together, as they do after both have reconnected to Redis. */
async function untilTogether(one: { url: string }, other: { url: string }): Promise<void> {
  await until(async () => {
    const key = await newKey();
    const [, left] = await ask(one, key);
    return left === LIMIT - 1 && (await ask(other, key))[1] === LIMIT - 2;
  });
}

/** The times at which a process logged that Redis is unavailable. */
function warningsOf({ stdout }: Program): number[] {
  return (stdout.match(AWAY) ?? []).map((line) => Date.parse(JSON.parse(line).time));
}

describe('two processes with one REDIS_URL', { tags: ['redis'] }, () => {
  let redis: Redis;
  let one: Program & { url: string };
  let other: Program & { url: string };

  beforeAll(async () => {
    redis = await Redis.start();
    const wrong = `redis://user:sesame@127.0.0.1:${redis.port}`;
    [one, other] = await Promise.all([start({ REDIS_URL: redis.url }), start({ REDIS_URL: wrong })]);
  });
  afterAll(async () => {
    await Program.killAll();
    await redis.remove();
  });

  it('count per process if one has a wrong password, which is never logged', async () => {
    const [warning = ''] = other.stdout.match(AWAY) ?? [];
    expect(JSON.parse(warning)).toMatchObject({ redis: `127.0.0.1:${redis.port}`, reason: 'WRONGPASS' });
    const key = await newKey();
    expect(await inTurn([one, other], 1, (program) => ask(program, key))).toEqual([
      [200, 4],
      [200, 4],
    ]);
    await stop(other);
    expect(other.stdout).not.toContain('sesame');
    other = await start({ REDIS_URL: redis.url });
  });

  it('share the count of requests of a key', async () => {
    const key = await newKey();
    expect(await inTurn([one, other], 4, (program) => ask(program, key))).toEqual([
      [200, 4],
      [200, 3],
      [200, 2],
      [200, 1],
      [200, 0],
      [429, 0],
      [429, 0],
      [429, 0],
    ]);
  });

  it('share the count of failed authentications of an address', async () => {
    const address = '192.0.2.2';
    const known = await newKey();
    await ask(one, known, address);
    expect(await inTurn([one, other], 4, (program) => ask(program, undefined, address))).toEqual([
      [401, 4],
      [401, 3],
      [401, 2],
      [401, 1],
      [401, 0],
      [429, 0],
      [429, 0],
      [429, 0],
    ]);
    expect(await ask(one, known, address)).toEqual([200, 3]);
    expect(await ask(other, await newKey(), address)).toEqual([429, 0]);
  });

  it('do not wait for a frozen Redis on each request', async () => {
    redis.freeze();
    const times: number[] = [];
    while (times.length < 30) {
      const key = await newKey();
      const started = performance.now();
      expect(await ask(one, key)).toEqual([200, LIMIT - 1]);
      times.push(performance.now() - started);
    }
    // A request that waits for Redis takes at least 100 ms.
    expect(times.filter((time) => time < 100).length).toBeGreaterThan(5);
    redis.thaw();
    await one.prints(BACK);
    await untilTogether(one, other);
  });

  it('count per process while Redis is down, with one warning a minute', async () => {
    await redis.stop();
    const key = await newKey();
    for (const program of [one, other])
      expect(await inTurn([program], LIMIT + 1, () => ask(program, key))).toEqual([
        [200, 4],
        [200, 3],
        [200, 2],
        [200, 1],
        [200, 0],
        [429, 0],
      ]);
    await redis.start();
    await untilTogether(one, other);
    const times = warningsOf(one);
    expect(times.length).toBeGreaterThan(0);
    for (const [index, time] of times.slice(1).entries())
      expect(time - (times[index] ?? time)).toBeGreaterThan(59_000);
  });

  it('stop while Redis is frozen', async () => {
    redis.freeze();
    try {
      expect(await Promise.all([one, other].map(stop))).toHaveLength(2);
    } finally {
      redis.thaw();
    }
  });
});

describe('REDIS_URL with rediss://', { tags: ['redis'] }, () => {
  let redis: Redis & { certificate: string };

  beforeAll(async () => {
    redis = await Redis.startWithTls();
  });
  afterAll(async () => {
    await Program.killAll();
    await redis.remove();
  });

  it('requires a certificate of a known authority', async () => {
    const REDIS_URL = `rediss://localhost:${redis.port}`;
    const [one, other, doubtful] = await Promise.all([
      start({ REDIS_URL, NODE_EXTRA_CA_CERTS: redis.certificate }),
      start({ REDIS_URL, NODE_EXTRA_CA_CERTS: redis.certificate }),
      start({ REDIS_URL }),
    ]);
    const key = await newKey();
    expect(await inTurn([one, other, doubtful], 1, (program) => ask(program, key))).toEqual([
      [200, 4],
      [200, 3],
      [200, 4],
    ]);
    const [warning = ''] = doubtful.stdout.match(AWAY) ?? [];
    expect(JSON.parse(warning)).toMatchObject({ reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    await Promise.all([one, other, doubtful].map(stop));
  });
});

describe('server with REDIS_URL', { tags: ['redis'] }, () => {
  it('sends at most 60 seconds in Retry-After if its clock jumps', async () => {
    const redis = await Redis.start();
    try {
      const own = await TestServer.start({
        ...server.databaseEnv,
        ...SETTINGS,
        LOG_LEVEL: 'silent',
        REDIS_URL: redis.url,
      });
      const { key } = await own.tenant();
      vi.useFakeTimers({ toFake: ['Date'] });
      try {
        expect(await inTurn([own], LIMIT, () => ask(own, key))).toContainEqual([200, 0]);
        for (const hours of [1, -2, 1]) {
          vi.setSystemTime(Date.now() + hours * 3_600_000);
          const { status, headers } = await own.ask('/v1/me', { key });
          const seconds = Number(headers.get('retry-after'));
          expect([hours, status, seconds > 0, seconds <= 60]).toEqual([hours, 429, true, true]);
        }
        expect(await redis.clients()).toBe(1);
      } finally {
        vi.useRealTimers();
        await own.stop();
      }
      await until(async () => (await redis.clients()) === 0);
    } finally {
      await redis.remove();
    }
  });
});
