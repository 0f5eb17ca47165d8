import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const README = resolve(import.meta.dirname, '../README.md');

it('the README example runs with the built package, and prints the PostgreSQL version', async () => {
  const [, example = ''] = /```js\n(.*?)```/s.exec(await readFile(README, 'utf8')) ?? [];
  const directory = await mkdtemp(join(tmpdir(), 'embedded-postgres-readme-'));
  await symlink(resolve('node_modules'), join(directory, 'node_modules'));
  await writeFile(join(directory, 'example.mjs'), example);
  const options = { cwd: directory, env: { ...process.env, NODE_OPTIONS: '' } };
  const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], options);
  expect(stdout).toContain('PostgreSQL 18');
  await rm(directory, { recursive: true });
});
