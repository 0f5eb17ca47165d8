import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startPostgres } from './support.js';

const README = resolve(import.meta.dirname, '../README.md');

it('the README example runs with the built package', async () => {
  const [, example = ''] = /```js\n(.*?)```/s.exec(await readFile(README, 'utf8')) ?? [];
  const directory = await mkdtemp(join(tmpdir(), 'resilient-pg-readme-'));
  await symlink(resolve('node_modules'), join(directory, 'node_modules'));
  await writeFile(join(directory, 'example.mjs'), example);
  const { url, stop } = await startPostgres();
  const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: url };
  const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: directory, env });
  expect(stdout).toBe('3\n');
  await stop();
  await rm(directory, { recursive: true });
});
