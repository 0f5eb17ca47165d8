import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environment } from '../support/process.js';

const run = promisify(execFile);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-serve-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('bin/serve', () => {
  it.each(['v20.19.0', 'v24.21.0', 'v26.10.0'])(
    'starts the server with the flags for Node.js %s',
    async (version) => {
      // Prints its version or parameters instead of running Node.js.
      const fake = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo "$@"; fi\n`;
      await writeFile(join(directory, 'node'), fake, { mode: 0o755 });
      const env = { ...process.env, PATH: `${directory}${delimiter}${process.env['PATH']}` };
      const { stdout: flags } = await run('sh', ['bin/v8-flags', version]);
      expect(flags).toMatch(/^(--[a-z-]+(=\d+)?\s)+$/);
      const { stdout } = await run('sh', ['bin/serve', '--dev'], { env });
      expect(stdout.split('\n').at(-2)).toBe(`${flags.trim()} bin/../dist/src/main.js --dev`);
    },
  );

  it('uses flags that this version of Node.js supports', async () => {
    const { stdout: flags } = await run('sh', ['bin/v8-flags', process.version]);
    expect((await run(process.execPath, [...flags.trim().split(' '), '-p', '1'])).stdout).toBe('1\n');
  });

  it('starts without the flags if Node.js does not support one', async () => {
    await mkdir(join(directory, 'bin'));
    await copyFile('bin/serve', join(directory, 'bin/serve'));
    await writeFile(join(directory, 'bin/v8-flags'), 'echo --no-such-flag-of-v8\n');
    await symlink(resolve('dist'), join(directory, 'dist'));
    // The program itself rejects its environment. Node.js would print "bad option".
    const env = environment({ DATABASE_URL: 'nonsense' });
    await expect(run('sh', [join(directory, 'bin/serve')], { env })).rejects.toThrow(
      'Status Pages could not start: DATABASE_URL must be',
    );
  });
});
