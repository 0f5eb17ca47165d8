import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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
  it('starts the server with the flags of V8 and its own parameters', async () => {
    // Prints its parameters in the place of Node.js.
    await writeFile(join(directory, 'node'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${directory}${delimiter}${process.env['PATH']}` };
    const { stdout } = await run('sh', ['bin/serve', '--dev'], { env });
    expect(stdout.split('\n').at(-2)).toMatch(/^(--[a-z-]+(=\d+)? ){3}\S+dist\/src\/main\.js --dev$/);
  });

  it('starts without the flags if this version of Node.js lacks one', async () => {
    await mkdir(join(directory, 'bin'));
    const script = await readFile('bin/serve', 'utf8');
    const changed = script.replace(/^flags='/m, "flags='--no-such-flag-of-v8 ");
    expect(changed).not.toBe(script);
    await writeFile(join(directory, 'bin/serve'), changed);
    await symlink(resolve('dist'), join(directory, 'dist'));
    // The program itself refuses its environment; Node.js would say "bad option".
    const env = environment({ DATABASE_URL: 'nonsense' });
    await expect(run('sh', [join(directory, 'bin/serve')], { env })).rejects.toThrow(
      'Status Pages could not start: DATABASE_URL must be',
    );
  });
});
