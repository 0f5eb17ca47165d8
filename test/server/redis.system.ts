import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Program, startProgram, stop } from '../support/process.js';
import { Redis } from '../support/redis.js';
import { TestServer, until, useTestServer } from '../support/server.js';

const LIMIT = 5;
const AWAY = /^.*Redis is not available.*$/gm;
const BACK = /Redis is available/;

const SETTINGS = {
  RATE_LIMIT: String(LIMIT),
  AUTH_RATE_LIMIT: String(LIMIT),
  TRUST_PROXY: '1',
  LOG_LEVEL: 'info',
};

const server = useTestServer();

/** A process of its own on the database of the test. */
const start = (env: Record<string, string>) => startProgram({ ...server.databaseEnv, ...SETTINGS, ...env });

async function newKey(): Promise<string> {
  return (await server.tenant()).key;
}

/** The status of a request with a key, or without one, and how many are left. */
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

/** Waits until two servers count a key together, as they do when both have Redis again. */
async function untilTogether(one: { url: string }, other: { url: string }): Promise<void> {
  await until(async () => {
    const key = await newKey();
    const [, left] = await ask(one, key);
    return left === LIMIT - 1 && (await ask(other, key))[1] === LIMIT - 2;
  });
}

/** When a process warned that Redis is not available. */
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

  it('start with a wrong password, too: each counts for itself, and no log shows the password', async () => {
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

  it('count the requests of a key together', async () => {
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

  it('count the failed authentications of an address together; keys that a process knows still work', async () => {
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

  it('answer without a wait for each request while it is frozen, and count together afterwards', async () => {
    redis.freeze();
    const times: number[] = [];
    while (times.length < 30) {
      const key = await newKey();
      const started = performance.now();
      expect(await ask(one, key)).toEqual([200, LIMIT - 1]);
      times.push(performance.now() - started);
    }
    // One that waits for Redis takes 100 ms at least.
    expect(times.filter((time) => time < 100).length).toBeGreaterThan(5);
    redis.thaw();
    await one.prints(BACK);
    await untilTogether(one, other);
  });

  it('count for themselves while it is away, say so once a minute, and count together afterwards', async () => {
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

  it('stop with it frozen', async () => {
    redis.freeze();
    try {
      expect(await Promise.all([one, other].map(stop))).toHaveLength(2);
    } finally {
      redis.thaw();
    }
  });
});

describe('REDIS_URL', { tags: ['redis'] }, () => {
  let redis: Redis & { certificate: string };

  beforeAll(async () => {
    redis = await Redis.startWithTls();
  });
  afterAll(async () => {
    await Program.killAll();
    await redis.remove();
  });

  it('with rediss:// counts over TLS, if the certificate is of a known authority', async () => {
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

describe('a server with REDIS_URL', { tags: ['redis'] }, () => {
  it('tells nobody to wait for more than a minute if its clock jumps, and closes its connection at the end', async () => {
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
