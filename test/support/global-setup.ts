import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import type { TestProject } from 'vitest/node';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { openEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated data directory to copy; making one takes seconds, copying it does not. */
    templateDataDir: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Some tests start what was built, as a user does.
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const { TEST_DATABASE_URL } = project.config.env;
  if (TEST_DATABASE_URL === 'missing') throw new Error('npm run test:postgres needs DATABASE_URL');
  const directory = await mkdtemp(join(tmpdir(), 'status-pages-template-'));
  const embedded = await openEmbeddedPostgres(directory, 'server');
  const dataSource = new DataSource(dataSourceOptions(embedded, 2));
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  await embedded.close();
  project.provide('templateDataDir', directory);
  return () => rm(directory, { recursive: true, force: true });
}
