import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { afterEach, describe, expect, it } from 'vitest';
import { Program } from '../support/process.js';
import { until } from '../support/server.js';
import { Audience, type Sql } from './support/audience.js';
import { openClient, useCluster } from './support/cluster.js';
import type { Message } from './support/mail-server.js';
import { useSeededDirectory } from './support/seed.js';
import { Service } from './support/service.js';
import { SmallDisk } from './support/small-disk.js';
import { expectSoundPages, Writer } from './support/writers.js';

const cluster = useCluster();
const seeded = useSeededDirectory();

let disk: SmallDisk | undefined;
afterEach(async () => {
  await Program.killAll();
  disk?.unmount();
  disk = undefined;
});

/** The database with its write-ahead log, and a few MiB. */
const EMBEDDED_MIB = 120;

async function startOnSmallDisk(): Promise<{
  disk: SmallDisk;
  env: { DATA_DIR: string };
  service: Service;
  writers: Writer[];
}> {
  disk = await SmallDisk.mount(EMBEDDED_MIB);
  const env = await seeded.copy(join(disk.path, 'data'));
  const service = await Service.start(env, seeded.seed);
  const writers = await Writer.create(service, 4);
  return { disk, env, service, writers };
}

/** Runs statements on the embedded PostgreSQL of a server, outside of it. */
function sqlOf({ DATA_DIR }: { DATA_DIR: string }): Sql {
  const host = encodeURIComponent(join(DATA_DIR, 'run'));
  return async (statement) => {
    const guest = await openClient(`postgres://postgres@/postgres?host=${host}`);
    return guest
      .query(statement)
      .then(({ rows }) => rows)
      .finally(() => guest.end());
  };
}

/** Makes PostgreSQL start a new WAL segment with the next update. */
async function endSegment(env: { DATA_DIR: string }): Promise<void> {
  await sqlOf(env)('SELECT pg_switch_wal()');
}

// Only root can mount a small file system. A limit on file sizes would cause a different error.
describe('full disk under DATA_DIR', { tags: ['mount'] }, () => {
  it('fails writes with 503 until there is space again, while reads continue', async () => {
    const { disk: small, env, service, writers } = await startOnSmallDisk();
    const { project } = seeded.seed;
    const stopWatching = service.watchLive();
    await endSegment(env); // one segment is enough for the rest of the test
    for (const writer of writers) await writer.write();
    await small.fill();
    await until(async () => {
      // Incompressible text.
      const titles = Array.from({ length: 100 }, () => randomBytes(100).toString('hex'));
      const sections = titles.map((title, index) => ({ id: `s${index}`, title, monitor_ids: [] }));
      const json = { project_id: project, name: 'Large', sections };
      const { status } = await service.ask('/v1/status-pages', { method: 'POST', json });
      expect([201, 503]).toContain(status);
      return status === 503;
    });
    expect((await service.ask(`/v1/status-pages?project_id=${project}`)).status).toBe(200);
    await small.free();
    await service.recovers();
    await stopWatching();
    await expectSoundPages(writers);
    await service.stop();
  });

  it('ends the process if the WAL needs space, without losing updates', async () => {
    const { disk: small, env, service, writers } = await startOnSmallDisk();
    for (const writer of writers) await writer.write();
    await small.fill();
    while (service.isRunning) {
      for (const writer of writers) await writer.write();
      await endSegment(env).catch(() => undefined); // the process exits
    }
    expect(await service.program.exit()).toBe(1);
    expect(service.program.stderr).toMatch(
      /^Status Pages stopped because the embedded PostgreSQL failed: DATA_DIR: no space left on the device\n$/,
    );
    service.expectSoundLog();
    // Still full: the startup reports the error and damages no data.
    const again = Service.spawn(env);
    expect(await again.program.exit()).toBe(1);
    expect(again.program.stderr).toMatch(
      /^Status Pages could not start: DATA_DIR: no space left on the device\n$/,
    );
    await small.free();
    const second = await Service.start(env, seeded.seed);
    for (const writer of writers) writer.use(second);
    await expectSoundPages(writers);
    await second.recovers();
    await second.stop();
  });

  it('stops the first startup with an error message and a clean directory', async () => {
    disk = await SmallDisk.mount(8);
    const env = { DATA_DIR: disk.path };
    const { program } = Service.spawn(env);
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toBe('Status Pages could not start: DATA_DIR: no space left on the device\n');
    expect((await readdir(disk.path)).toSorted()).toEqual(['lock', 'run']);
    disk.resize(EMBEDDED_MIB);
    const service = await Service.start(env, seeded.seed);
    expect((await service.ask('/health/ready')).status).toBe(200);
    await service.stop();
  });

  it('prevents only saved copies if the database is PostgreSQL', async () => {
    disk = await SmallDisk.mount(1);
    await disk.fill();
    const { seed } = cluster.current;
    const service = await Service.start({ ...(await cluster.current.database()), DATA_DIR: disk.path }, seed);
    const json = { project_id: seed.project, name: 'Before', slug: 'full', is_public: true };
    const { body } = await service.ask<{ data: { id: string } }>('/v1/status-pages', {
      method: 'POST',
      json,
    });
    const seen = async () => (await service.ask('/status/full')).text;
    expect(await seen()).toContain('Before');
    const patch = { method: 'PATCH', json: { name: 'After' } };
    expect((await service.ask(`/v1/status-pages/${body.data.id}`, patch)).status).toBe(200);
    await until(async () => (await seen()).includes('After'));
    await service.stop();
  });
});

/** The messages of a directory, as in the ledger of a mail server. Fails if one is incomplete. */
async function messagesIn(directory: string): Promise<Message[]> {
  const names = await readdir(directory);
  return Promise.all(
    names.map(async (name) => {
      expect(name).toMatch(/\.eml$/);
      const { to, subject, messageId, html } = await simpleParser(await readFile(join(directory, name)));
      expect(html).toMatch(/<\/html>\s*$/);
      const [{ text = '' } = {}] = [to].flat();
      return { to: text, subject: subject ?? '', message_id: messageId ?? '' };
    }),
  );
}

describe('full disk under MAIL_DIR', { tags: ['mount'] }, () => {
  it('delays mail until there is space again, while the service serves', async () => {
    const small = (disk = await SmallDisk.mount(8));
    const env = await seeded.copy();
    const mail = { MAIL_DIR: join(small.path, 'mail'), NOTIFY_DELAY: '0', DELIVERY: 'on' };
    const service = await Service.start({ ...env, ...mail }, seeded.seed);
    const audience = await Audience.create(service, sqlOf(env), { reader: 30 });
    const stopWatching = service.watchLive();
    await audience.happen('Space left');
    await audience.isFinished();
    await small.fill();
    await audience.happen('No space left');
    await until(async () => (await audience.deliveries('error IS NOT NULL')).length > 0);
    const delayed = await audience.deliveries('error IS NOT NULL');
    expect(new Set(delayed.map(({ status, error }) => `${status}: ${error}`))).toEqual(
      new Set(['pending: ENOSPC']),
    );
    await service.recovers();
    await small.free();
    await audience.isFinished({ isHurried: true });
    expect(audience.expectDelivered(await messagesIn(mail.MAIL_DIR))).toEqual(new Set());
    await stopWatching();
    await service.stop();
  });
});
