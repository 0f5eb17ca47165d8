import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The compiler that `npm run build` runs. */
const TSC = 'node_modules/@typescript/native/bin/tsc';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-build-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Builds one file with the build configuration. Returns whether it succeeded, and its output. */
async function build(compilerOptions: object): Promise<{ works: boolean; written: string[] }> {
  await writeFile(join(directory, 'main.ts'), 'export const answer = 42;\n');
  const outDir = join(directory, 'dist');
  const project = {
    extends: resolve('tsconfig.build.json'),
    compilerOptions: {
      rootDir: directory,
      outDir,
      tsBuildInfoFile: join(outDir, 'info'),
      ...compilerOptions,
    },
    include: ['main.ts'],
  };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(project));
  const works = await promisify(execFile)(process.execPath, [TSC, '-p', directory]).then(
    () => true,
    () => false,
  );
  return { works, written: await readdir(outDir).catch(() => []) };
}

describe('build', () => {
  it('keeps chunks of earlier builds for a day, because a running server loads them later', async () => {
    const pathOf = (name: string) => join('dist/src/chunks', `${basename(directory)}-${name}.js`);
    const [recent, old] = [pathOf('recent'), pathOf('old')];
    for (const path of [recent, old]) await writeFile(path, '');
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await utimes(old, yesterday, yesterday);
    await promisify(execFile)(process.execPath, ['bin/bundle.mjs']);
    await access(recent);
    await expect(access(old)).rejects.toThrow('ENOENT');
    await rm(recent);
  });

  it('writes no output if the development dependencies are missing', async () => {
    const typeRoots = [resolve('node_modules/@types')];
    expect(await build({ typeRoots })).toMatchObject({
      works: true,
      written: expect.arrayContaining(['main.js']),
    });
    await rm(join(directory, 'dist'), { recursive: true });
    const failed = await build({ typeRoots: [join(directory, 'none')], types: ['none'] });
    expect(failed.works).toBe(false);
    expect(failed.written.filter((name) => name.endsWith('.js'))).toEqual([]);
  });
});
