import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const README = resolve(import.meta.dirname, '../README.md');

it('the README example runs with the built package', async () => {
  const [, example = ''] = /```js\n(.*?)```/s.exec(await readFile(README, 'utf8')) ?? [];
  const anyPort = example
    .replace('listen(3000', "listen(0, '127.0.0.1'")
    .replace("'http://localhost:3000'", 'server.address().port');
  const directory = await mkdtemp(join(tmpdir(), 'fair-admission-readme-'));
  await symlink(resolve('node_modules'), join(directory, 'node_modules'));
  await writeFile(join(directory, 'example.mjs'), anyPort);
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, ['example.mjs'], { cwd: directory, env });
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  const responses = Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${Number(port)}`));
  const texts = await Promise.all(responses.map(async (response) => (await response).text()));
  expect(new Set(texts)).toEqual(new Set(['Hello\n']));
  child.kill();
  await once(child, 'exit');
  await rm(directory, { recursive: true });
});
