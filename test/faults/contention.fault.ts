import { afterEach, describe, expect, it } from 'vitest';
import { Program } from '../support/process.js';
import { openClient, useCluster } from './support/cluster.js';
import { useSeededDirectory } from './support/seed.js';
import { Service } from './support/service.js';
import { expectSoundPages, Stream, Writer } from './support/writers.js';

const cluster = useCluster();
const seeded = useSeededDirectory();
afterEach(() => Program.killAll());

interface PageBody {
  data: { id: string; name: string };
}

/** Counts how often each value occurs. */
function tally(values: (number | string)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

describe.each([
  { name: 'PostgreSQL', env: () => cluster.current.database(), seed: () => cluster.current.seed },
  { name: 'the embedded PostgreSQL', env: () => seeded.copy(), seed: () => seeded.seed },
])('concurrent requests on $name', ({ env, seed }) => {
  it('with the same If-Match succeed exactly once in 100 updates', async () => {
    const service = await Service.start(await env(), seed());
    const json = { project_id: seed().project, name: 'Before' };
    const created = await service.ask<PageBody>('/v1/status-pages', { method: 'POST', json });
    const path = `/v1/status-pages/${created.body.data.id}`;
    const headers = { 'If-Match': String(created.headers['etag']) };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        service.ask<PageBody>(path, { method: 'PATCH', json: { name: `Update ${index}` }, headers }),
      ),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 412: 99 });
    const winner = answers.find(({ status }) => status === 200);
    const now = await service.ask<PageBody>(path);
    expect([now.body.data.name, now.headers['etag']]).toEqual([
      winner?.body.data.name,
      winner?.headers['etag'],
    ]);
    await service.stop();
  });

  it('from 200 clients on two connections get a response in bounded time', async () => {
    const service = await Service.start({ ...(await env()), DATABASE_POOL_SIZE: '2' }, seed());
    const writers = await Writer.create(service, 4);
    const stopWatching = service.watchLive();
    const paths = [
      `/v1/status-pages?project_id=${seed().project}`,
      `/v1/monitors?project_id=${seed().project}`,
      '/v1/me',
      `/v1/status-pages/${writers[0]?.page}`,
    ];
    const stream = new Stream(service, writers);
    const client = async (_: unknown, index: number) => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 4; turn++)
        statuses.push((await service.ask(paths[(index + turn) % 4] ?? '')).status);
      return statuses;
    };
    const counts = tally((await Promise.all(Array.from({ length: 200 }, client))).flat());
    expect(Object.keys(counts).filter((status) => !['200', '503'].includes(status))).toEqual([]);
    expect(counts['200']).toBeGreaterThan(0);
    await service.recovers();
    await stream.stop();
    await stopWatching();
    await expectSoundPages(writers);
    await service.stop();
  });
});

describe('another session of PostgreSQL', () => {
  it('causes 503 only for requests to a table that it locks', async () => {
    const env = await cluster.current.database();
    const { seed } = cluster.current;
    const service = await Service.start(env, seed);
    // With ten connections, an organization holds four slots at most. One stays free for other tables.
    const writers = await Writer.create(service, 3);
    const stopWatching = service.watchLive();
    const other = await openClient(env.DATABASE_URL);
    await other.query('BEGIN');
    await other.query('LOCK TABLE status_pages IN ACCESS EXCLUSIVE MODE');
    const outcomes = Promise.all(writers.map((writer) => writer.write()));
    for (let turn = 0; turn < 10; turn++)
      expect((await service.ask(`/v1/monitors?project_id=${seed.project}`)).status).toBe(200);
    expect(await outcomes).toEqual(writers.map(() => 'refused'));
    expect((await service.ask(`/v1/status-pages?project_id=${seed.project}`)).status).toBe(503);
    await other.query('COMMIT');
    await service.recovers();
    await expectSoundPages(writers);
    const stream = new Stream(service, writers);
    await stream.reaches(20);
    // Again, during a stream of updates.
    await other.query('BEGIN');
    await other.query('LOCK TABLE status_pages IN ACCESS EXCLUSIVE MODE');
    await stream.reaches(3, 'refused');
    await other.query('COMMIT');
    await other.end();
    await stream.reaches(20);
    await stream.stop();
    await stopWatching();
    await expectSoundPages(writers);
    await service.stop();
  });

  it('causes 503 only for writes by making the database read-only', async () => {
    const env = await cluster.current.database();
    const { seed } = cluster.current;
    const service = await Service.start(env, seed);
    const writers = await Writer.create(service, 4);
    const stopWatching = service.watchLive();
    const stream = new Stream(service, writers);
    const name = new URL(env.DATABASE_URL).pathname.slice(1);
    const setReadOnly = async (value: string) => {
      await cluster.current.sql(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
      await cluster.current.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'status-pages'`,
      );
    };
    await stream.reaches(20);
    await setReadOnly('on');
    await stream.reaches(20, 'refused');
    expect((await service.ask('/health/ready')).status).toBe(503);
    const list = `/v1/status-pages?project_id=${seed.project}`;
    expect((await service.ask(list)).status).toBe(200);
    await setReadOnly('off');
    await service.recovers();
    await stream.reaches(20);
    await stream.stop();
    await stopWatching();
    await expectSoundPages(writers);
    await service.stop();
  });
});
