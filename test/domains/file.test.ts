import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DomainFile } from '../../src/domains/domain-file.js';
import type { KnownDomain } from '../../src/domains/domain-map.js';
import { DomainSaver } from '../../src/domains/domain-saver.js';
import { Env } from '../../src/platform/config/env.js';
import { passTime } from '../support/clock.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { domainsOf } from './use-domains.js';

const server = useTestServer();
const tenant = useTenant(server);
const domains = domainsOf(server);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'domains-'));
});
afterAll(() => rm(directory, { recursive: true }));
beforeEach(async () => {
  for (const name of await readdir(directory)) await rm(join(directory, name));
});

const fileOf = (DATABASE_URL?: string): DomainFile =>
  new DomainFile({ DATA_DIR: directory, ...(DATABASE_URL !== undefined && { DATABASE_URL }) });

const PUBLIC: KnownDomain = { domain: 'public.example', page_id: 'a', slug: 'public', is_public: true };
const PRIVATE: KnownDomain = { domain: 'private.example', page_id: 'b', slug: 'secret', is_public: false };

/** Path of the file in the directory. */
async function path(): Promise<string> {
  const [name = ''] = await readdir(directory);
  return join(directory, name);
}

describe('the file of verified domains', () => {
  it('contains them for a startup without the database, but no slug of a private page', async () => {
    await fileOf().write([PUBLIC, PRIVATE]);
    expect(await readFile(await path(), 'utf8')).not.toContain('secret');
    const read = await fileOf().read();
    expect(read.size).toBe(2);
    expect(read.get('PUBLIC.example:443')).toEqual(PUBLIC);
    expect(read.get('private.example')).toEqual({ ...PRIVATE, slug: '' });
    expect(read.get('other.example')).toBeUndefined();
  });

  it('yields no domains to a process with another database', async () => {
    await fileOf('postgres://localhost/one').write([PUBLIC]);
    expect((await fileOf('postgres://localhost/two').read()).size).toBe(0);
    expect((await fileOf('postgres://localhost/one').read()).size).toBe(1);
  });

  it('yields no domains if it is older than 7 days, or if others could have written it', async () => {
    expect((await fileOf().read()).size).toBe(0);
    await fileOf().write([PUBLIC]);
    const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000);
    await utimes(await path(), eightDaysAgo, eightDaysAgo);
    expect((await fileOf().read()).size).toBe(0);
    await fileOf().touch();
    expect((await fileOf().read()).size).toBe(1);
    await chmod(await path(), 0o622);
    expect((await fileOf().read()).size).toBe(0);
  });

  it('yields its domains without the damaged lines', async () => {
    await fileOf().write([PUBLIC]);
    const text = await readFile(await path(), 'utf8');
    await writeFile(await path(), `\0\n[]\n["x.example"]\n{"a":1}\n["x.example","a",1]\n${text}["cut.exam`);
    const read = await fileOf().read();
    expect([...read.values()]).toEqual([PUBLIC]);
  });

  it('changes as a whole, and yields 100,000 domains in a few seconds', async () => {
    const many = Array.from({ length: 100_000 }, (_, index) => ({
      ...PUBLIC,
      domain: `status-${index}.example`,
      page_id: `page-${index}`,
    }));
    await fileOf().write(many);
    expect(await readdir(directory)).toHaveLength(1);
    const startedAt = performance.now();
    expect((await fileOf().read()).size).toBe(100_000);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('a server', () => {
  it('writes its verified domains to DATA_DIR', async () => {
    const saver = server.app.get(DomainSaver, { strict: false });
    const { id } = await domains.page(tenant, 'saved.example');
    await saver.save();
    expect((await saver.file.read()).get('saved.example')?.page_id).toBe(id);
    await domains.set(id, `status = 'lost'`);
    await saver.save();
    expect((await saver.file.read()).get('saved.example')).toBeUndefined();
  });

  it('writes them again after a disk error', async () => {
    const saver = server.app.get(DomainSaver, { strict: false });
    await domains.page(tenant, 'first.example');
    await saver.save();
    const { DATA_DIR } = server.app.get(Env, { strict: false });
    const name = (await readdir(DATA_DIR)).find((entry) => /^domains-.*jsonl$/.test(entry)) ?? '';
    const file = join(DATA_DIR, name);
    await rm(file);
    await mkdir(file);
    await domains.page(tenant, 'second.example');
    await saver.save();
    await rm(file, { recursive: true });
    await until(async () => {
      vi.setSystemTime(Date.now() + 5_000);
      await passTime(1_000);
      return (await saver.file.read()).get('second.example') !== undefined;
    });
    expect((await saver.file.read()).get('first.example')).toBeDefined();
    vi.useRealTimers();
  });
});
