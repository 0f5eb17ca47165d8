import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adminUrlOf, readSamples } from '../support/metrics.js';
import { callCli, Program } from '../support/process.js';
import { until } from '../support/server.js';
import { Cluster, openClient } from './support/cluster.js';
import { Service } from './support/service.js';
import { AFTER_BREAK, expectSoundPages, Stream, Writer } from './support/writers.js';

let primary: Cluster;
let standby: Cluster;

beforeAll(async () => {
  primary = await Cluster.create();
  standby = await primary.standby();
});
afterEach(async () => {
  await Program.killAll();
  const [{ follows } = { follows: false }] = await standby.sql<{ follows: boolean }>(
    'SELECT pg_is_in_recovery() AS follows',
  );
  if (!follows) return;
  await standby.configure({ recovery_min_apply_delay: '0' });
  await standby.sql('SELECT pg_wal_replay_resume()');
});
afterAll(async () => {
  await standby?.destroy();
  await primary?.destroy();
});

/** A database on the primary, which the standby has replicated. */
async function replicated(): Promise<{ name: string; url: string; replica: string }> {
  const { DATABASE_URL: url } = await primary.database();
  const name = new URL(url).pathname.slice(1);
  await until(
    async () => (await standby.sql(`SELECT 1 FROM pg_database WHERE datname = '${name}'`)).length > 0,
  );
  return { name, url, replica: standby.urlOf(name) };
}

async function start(url: string, replica: string, more: Record<string, string> = {}): Promise<Service> {
  const env = { DATABASE_URL: url, DATABASE_REPLICA_URLS: replica, EMBEDDED: '', ...more };
  const service = await Service.start(env, primary.seed);
  await says(service, 'replica is used for reads', 1);
  return service;
}

/** Waits until the log contains a message the given number of times. */
async function says(service: Service, message: string, times: number): Promise<void> {
  await until(async () => service.program.stdout.split(message).length > times);
}

function pages(service: Service): string {
  return `/v1/status-pages?project_id=${service.seed.project}&limit=100`;
}

async function nameOf(service: Service): Promise<string> {
  const path = `/v1/projects/${service.seed.project}`;
  return (await service.ask<{ data: { name: string } }>(path)).body.data.name;
}

async function rename(service: Service, name: string): Promise<void> {
  const path = `/v1/projects/${service.seed.project}`;
  expect((await service.ask(path, { method: 'PATCH', json: { name } })).status).toBe(200);
}

/** Whether the standby runs statements of the service. */
async function isRead(database: string): Promise<boolean> {
  const rows = await standby.sql(
    `SELECT 1 FROM pg_stat_activity
      WHERE datname = '${database}' AND application_name = 'status-pages' AND query LIKE '%json%'`,
  );
  return rows.length > 0;
}

describe('replica', () => {
  it('serves reads, and a key reads its own writes even if the replica lags', async () => {
    const { name, url, replica } = await replicated();
    const service = await start(url, replica);
    await until(async () => (await service.ask(pages(service))).status === 200 && isRead(name));
    await standby.configure({ recovery_min_apply_delay: '300ms' });
    for (let round = 1; round <= 30; round++) {
      await rename(service, `Round ${round}`);
      expect(await nameOf(service)).toBe(`Round ${round}`);
    }
    await service.stop();
  });

  it('serves no reads while it lags by more than two seconds', async () => {
    const { name, url, replica } = await replicated();
    const service = await start(url, replica);
    await standby.sql('SELECT pg_wal_replay_pause()');
    // By another process, unknown to this one.
    await primary.sql(`UPDATE projects SET name = 'Elsewhere'`, primary.urlOf(name));
    const written = performance.now();
    // Independent of the machine's load: a read that is sent two seconds after the write returns it.
    for (let asked = written; (await nameOf(service)) !== 'Elsewhere'; asked = performance.now())
      expect(asked - written).toBeLessThan(2_000);
    await says(service, 'replica is not used for reads', 1);
    expect(await nameOf(service)).toBe('Elsewhere');
    await standby.sql('SELECT pg_wal_replay_resume()');
    await says(service, 'replica is used for reads', 2);
    expect(await nameOf(service)).toBe('Elsewhere');
    await service.stop();
  });

  it('fails no request while it is stopped, and is used again afterwards', async () => {
    const { url, replica } = await replicated();
    const service = await start(url, replica);
    const writers = await Writer.create(service, 4);
    const stream = new Stream(service, writers);
    await stream.reaches(20);
    await standby.stopAtOnce();
    await says(service, 'replica is not used for reads', 1);
    await stream.reaches(20);
    await standby.start();
    await says(service, 'replica is used for reads', 2);
    await stream.reaches(20);
    await stream.stop();
    expect(writers.map((writer) => writer.count('refused') + writer.count('unknown'))).toEqual([0, 0, 0, 0]);
    expect(service.program.stdout).not.toMatch(/"status":503/);
    await expectSoundPages(writers);
    await service.stop();
  });

  it('serves the reads of an organization whose client disconnected during authentication', async () => {
    const { name, url, replica } = await replicated();
    const service = await start(url, replica);
    const waits = async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'`;
      return (await primary.sql(waiting)).length > 0;
    };
    const holder = await openClient(primary.urlOf(name));
    await holder.query('BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const left = new AbortController();
    const asked = fetch(`${service.url}/v1/projects/${service.seed.project}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${service.seed.key}`, 'Content-Type': 'application/json' },
      body: '{"name":"Left"}',
      signal: left.signal,
    });
    await until(waits);
    left.abort();
    await expect(asked).rejects.toThrow('aborted');
    await service.program.prints(/request aborted/);
    await holder.query('COMMIT');
    await holder.end();
    await until(async () => (await service.ask(pages(service))).status === 200 && isRead(name));
    await service.stop();
  });

  it('shows a key its own writes if the primary uses synchronous_commit=off', async () => {
    await primary.configure({ synchronous_commit: 'off', wal_writer_delay: '10s' });
    try {
      const { url, replica } = await replicated();
      const service = await start(url, replica);
      for (let round = 1; round <= 5; round++) {
        await rename(service, `Round ${round}`);
        const names = new Set<string>();
        for (let read = 0; read < 30; read++) {
          await delay(50);
          names.add(await nameOf(service));
        }
        expect([...names]).toEqual([`Round ${round}`]);
      }
      await service.stop();
    } finally {
      await primary.configure({ synchronous_commit: 'on', wal_writer_delay: '200ms' });
    }
  });

  it('serves reads while the primary is idle after a new WAL segment', async () => {
    const { name, url, replica } = await replicated();
    const service = await start(url, replica, { ADMIN_PORT: '0' });
    const admin_url = await adminUrlOf(service.program);
    const inUse = async () =>
      (await readSamples(admin_url))[`status_pages_replica_in_use{replica="127.0.0.1:${standby.port}"}`];
    // PostgreSQL writes a WAL record about every 15 seconds by itself, but not in every round.
    for (let round = 1; round <= 4; round++) {
      await primary.sql(`UPDATE projects SET name = 'Round ${round}'`, primary.urlOf(name));
      await primary.sql('SELECT pg_switch_wal()');
      const end = performance.now() + 3_500; // a replica that seems two seconds behind is excluded
      for (; performance.now() < end; await delay(50)) expect(await inUse()).toBe(1);
    }
    await service.stop();
  });

  it('exposes metrics of its use, its lag and its reads', async () => {
    const { name, url, replica } = await replicated();
    const secret = replica.replace('postgres@', 'postgres:sesame@');
    const service = await start(url, secret, { WEB_CONCURRENCY: '2', ADMIN_PORT: '0' });
    const admin_url = await adminUrlOf(service.program);
    const label = `{replica="127.0.0.1:${standby.port}"}`;
    const inUse = async () => (await readSamples(admin_url))[`status_pages_replica_in_use${label}`];
    const lag = async () => (await readSamples(admin_url))[`status_pages_replica_lag_seconds${label}`];
    const reads = async (result: string) =>
      (await readSamples(admin_url))[`status_pages_replica_reads_total{result="${result}"}`] ?? 0;
    await until(async () => (await inUse()) === 1);
    expect(await lag()).toBeLessThan(1.5);
    const [byReplica, byPrimary] = [await reads('replica'), await reads('primary')];
    for (let round = 0; round < 6; round++) await nameOf(service);
    expect([await reads('replica'), await reads('primary')]).toEqual([byReplica + 6, byPrimary]);

    await standby.sql('SELECT pg_wal_replay_pause()');
    await primary.sql(`UPDATE projects SET name = 'Elsewhere'`, primary.urlOf(name));
    await until(async () => Number(await lag()) > 6);
    expect(await inUse()).toBe(0);
    for (let round = 0; round < 6; round++) await nameOf(service);
    expect([await reads('replica'), await reads('primary')]).toEqual([byReplica + 6, byPrimary + 6]);
    await standby.sql('SELECT pg_wal_replay_resume()');
    await until(async () => (await inUse()) === 1);

    await standby.stopAtOnce();
    await until(async () => (await inUse()) === 0);
    await until(async () => (await lag()) === undefined);
    await standby.start();
    await until(async () => (await inUse()) === 1);
    expect(await (await fetch(`${admin_url}/metrics`)).text()).not.toContain('sesame');
    await service.stop();
  });

  it('rejects writes of the command line and serves its reads', async () => {
    const { replica: DATABASE_URL } = await replicated();
    const advice = 'the database is read-only (25006). Set DATABASE_URL to the primary';
    const call = (...parameters: string[]) => callCli({ DATABASE_URL, EMBEDDED: '' }, ...parameters);
    expect((await call('organization', 'list')).code).toBe(0);
    for (const parameters of [
      ['organization', 'create', '--name', 'Refused'],
      ['api-key', 'create', '--name', 'Refused', '--all-scopes'],
      ['demo', '--pages', '1'],
    ]) {
      const { code, stdout, stderr } = await call(...parameters);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr.split('\n')).toEqual([expect.stringMatching(/^database: /), `error: ${advice}`, '']);
    }
  });

  it('serves a write to other processes immediately with remote_apply', async () => {
    const { url, replica } = await replicated();
    await primary.configure({ synchronous_standby_names: 'standby', synchronous_commit: 'remote_apply' });
    const [one, other] = [await start(url, replica), await start(url, replica)];
    for (let round = 1; round <= 30; round++) {
      await rename(one, `Round ${round}`);
      expect(await nameOf(other)).toBe(`Round ${round}`);
    }
    await Promise.all([one.stop(), other.stop()]);
  });

  // The last test, because it promotes the standby.
  it('takes over writes within five seconds if promoted, without losing updates', async () => {
    await primary.configure({ synchronous_standby_names: 'standby', synchronous_commit: 'on' });
    const { name, replica } = await replicated();
    const service = await start(primary.urlWith(standby, name), replica);
    const stopWatching = service.watchLive();
    const writers = await Writer.create(service, 8);
    const stream = new Stream(service, writers);
    await stream.reaches(40);
    await primary.stopAtOnce();
    await stream.reaches(8, 'refused');
    await standby.sql('SELECT pg_promote()');
    const promoted = performance.now();
    await stream.reaches(1);
    expect(performance.now() - promoted).toBeLessThan(5_000);
    await service.recovers();
    await stream.reaches(40);
    await stream.stop();
    await stopWatching();
    await expectSoundPages(writers, AFTER_BREAK);
    await service.stop();
  });
});
