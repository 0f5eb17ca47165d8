import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Program, useDirectory } from '../support/process.js';
import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/server.js';
import { useCluster } from './support/cluster.js';
import { useSeededDirectory } from './support/seed.js';
import { Service } from './support/service.js';
import { expectSoundPages, Stream, Writer } from './support/writers.js';

const cluster = useCluster();
const seeded = useSeededDirectory();
const directory = useDirectory();
afterEach(() => Program.killAll());

const DATABASES = [
  { name: 'PostgreSQL', env: () => cluster.current.database(), seed: () => cluster.current.seed },
  { name: 'the embedded PostgreSQL', env: () => seeded.copy(), seed: () => seeded.seed },
];

describe.each(DATABASES)('too few file descriptors, on $name,', ({ env, seed }) => {
  it('leave open connections working; new ones are accepted after others close', async () => {
    const service = await Service.start(await env(), seed());
    const writers = await Writer.create(service, 4);
    const stream = new Stream(service, writers);
    const stopWatching = service.watchLive();
    await stream.reaches(20);
    // The startup alone needs more, because Node.js loads all modules concurrently.
    execFileSync('prlimit', [`--nofile=${(await service.descriptors()) + 20}`, '--pid', String(service.pid)]);
    const others = Array.from({ length: 300 }, () => new RawConnection(service.url));
    // Connections without a descriptor are closed, or wait.
    const connected = ({ socket, closed }: RawConnection) =>
      Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed]);
    await Promise.all(others.map(connected));
    await stream.reaches(40);
    for (const { socket } of others) socket.destroy();
    await stream.reaches(20);
    await stream.stop();
    await stopWatching();
    const later = new RawConnection(service.url).send('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    await later.answers(1);
    expect(later.statuses).toEqual([200]);
    later.socket.destroy();
    await service.recovers();
    await expectSoundPages(writers);
    await service.stop();
  });
});

interface Page {
  id: string;
  updated_at: string;
}

describe.each(DATABASES)('clock that jumps an hour back and forth, on $name,', ({ env, seed }) => {
  it('fails no request, while versions increase and visitors see each update', async () => {
    const CLOCK_FILE = join(directory.path, 'clock');
    const flags = ['--import', join(process.cwd(), 'test/faults/support/shifted-clock.mjs')];
    const service = await Service.start({ CLOCK_FILE, ...(await env()) }, seed(), flags);
    const setClock = async (seconds: string) => {
      await writeFile(CLOCK_FILE, seconds);
      service.signal('SIGUSR2');
      const isSet = async () => (await readFile(`${CLOCK_FILE}.set`, 'utf8').catch(() => '')) === seconds;
      await until(isSet);
    };
    const { project } = seed();
    const create = <Created>(path: string, json: object) =>
      service.ask<{ data: Created }>(path, { method: 'POST', json });
    const json = { project_id: project, name: 'Before', slug: 'jumps', is_public: true };
    const { body, headers } = await create<Page>('/v1/status-pages', json);
    const path = `/v1/status-pages/${body.data.id}`;
    const made = [body.data.id];
    let { updated_at } = body.data;
    let etag = String(headers['etag']);
    const seen = async () => (await service.ask('/status/jumps')).text;
    expect(await seen()).toContain('Before');

    for (const [index, seconds] of ['3600', '0', '-3600', '3600', '-3600', '0'].entries()) {
      const fleeting = await create<{ id: string; key: string }>('/v1/api-keys', {
        name: 'Fleeting',
        scopes: ['status_pages:read'],
      });
      const { id, key } = fleeting.body.data;
      const withKey = { headers: { Authorization: `Bearer ${key}` } };
      expect((await service.ask('/v1/me', withKey)).status).toBe(200);
      await setClock(seconds);

      const name = `Jump ${index}`;
      const patch = { method: 'PATCH', json: { name }, headers: { 'If-Match': etag } };
      const updated = await service.ask<{ data: Page }>(path, patch);
      expect(updated.status).toBe(200);
      expect(updated.body.data.updated_at > updated_at).toBe(true);
      updated_at = updated.body.data.updated_at;
      etag = String(updated.headers['etag']);
      await until(async () => (await seen()).includes(name));

      made.push((await create<Page>('/v1/status-pages', { project_id: project, name })).body.data.id);
      expect(await listed(service)).toEqual(expect.arrayContaining(made));
      expect((await service.ask('/v1/me', withKey)).status).toBe(200);
      expect((await service.ask(`/v1/api-keys/${id}`, { method: 'DELETE' })).status).toBe(204);
      expect((await service.ask('/v1/me', withKey)).status).toBe(401);
    }
    await service.recovers();
    await service.stop();
  });

  /** The status pages of all pages of results, each once. */
  async function listed(service: Service): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor && `&cursor=${cursor}`;
      const { status, body } = await service.ask<{
        data: Page[];
        pagination: { next_cursor: string | null };
      }>(`/v1/status-pages?project_id=${seed().project}&limit=10${more}`);
      expect(status).toBe(200);
      ids.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor;
    }
    expect(new Set(ids).size).toBe(ids.length);
    return ids;
  }
});
