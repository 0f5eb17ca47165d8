import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { callCli } from '../../support/process.js';

/** Contents of a database before a test: the demo data, and a key with every scope. */
export interface Seed {
  key: string;
  project: string;
}

const PAGES = 25;

/** Migrates a database if necessary, and fills it with demo data. */
export async function seedDatabase(env: NodeJS.ProcessEnv): Promise<Seed> {
  const { code, stdout, stderr } = await callCli(env, 'demo', '--pages', String(PAGES));
  if (code !== 0) throw new Error(`no demo data: ${stderr}`);
  const { key, project_id }: { key: string; project_id: string } = JSON.parse(stdout);
  return { key, project: project_id };
}

/** A data directory with demo data, for the tests of a file. */
export interface SeededDirectory {
  readonly seed: Seed;
  /** Copies it to a new directory or to `target`. Returns the environment of a server that uses the copy. */
  copy(target?: string): Promise<{ DATA_DIR: string; EMBEDDED: string; DATABASE_URL: string }>;
}

export function useSeededDirectory(): SeededDirectory {
  let folder = '';
  let copies = 0;
  const seed: Seed = { key: '', project: '' };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'status-pages-faults-'));
    const DATA_DIR = join(folder, 'seeded');
    await cp(inject('templateDataDir'), DATA_DIR, { recursive: true });
    Object.assign(seed, await seedDatabase({ DATA_DIR }));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    seed,
    copy: async (target = join(folder, `copy-${++copies}`)) => {
      await cp(join(folder, 'seeded'), target, { recursive: true });
      return { DATA_DIR: target, EMBEDDED: 'true', DATABASE_URL: '' };
    },
  };
}
