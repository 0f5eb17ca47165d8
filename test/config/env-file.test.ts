import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { loadEnvFile } from '../../src/config/env-file.js';
import { EnvError, findMisspelledNames } from '../../src/config/env.js';
import { cli, environment, Program, startProgram, stop, useDirectory } from '../support/process.js';
import { useTestServer } from '../support/server.js';
import { V8_FLAGS } from '../support/v8-flags.js';

const directory = useDirectory();
const shared = useTestServer();

/** A copy of what was built, in a project folder of its own. */
async function copyOfTheBuild(): Promise<string> {
  const project = join(directory.path, 'project');
  await cp('dist/src', join(project, 'dist/src'), { recursive: true });
  await cp('package.json', join(project, 'package.json'));
  await symlink(join(process.cwd(), 'node_modules'), join(project, 'node_modules'));
  return project;
}

describe('the file .env', () => {
  it('is read beside package.json, whatever the working directory is, and so is a relative DATA_DIR', async () => {
    const project = await copyOfTheBuild();
    await cp(inject('templateDataDir'), join(project, 'database'), { recursive: true });
    await writeFile(
      join(project, '.env'),
      'EMBEDDED=true\nDATA_DIR=./database # relative\nDEMO=false\nPORT="0"\n',
    );
    const env = {
      ...environment({ EMBEDDED: undefined }),
      DATA_DIR: undefined,
      DEMO: undefined,
      PORT: undefined,
    };
    const main = join(project, 'dist/src/main.js');
    const server = new Program(spawn(process.execPath, [...V8_FLAGS, main], { env, cwd: tmpdir() }));
    await server.prints(/listens on/);
    const cliMain = join(project, 'dist/src/cli/main.js');
    const create = ['organization', 'create', '--name', 'x'];
    const call = new Program(spawn(process.execPath, [...V8_FLAGS, cliMain, ...create], { env, cwd: '/' }));
    expect([await call.exit(), call.stderr]).toEqual([0, `database: embedded, in ${project}/database\n`]);
    await stop(server);
  });

  it('gives way to the environment, and to its choice of the database as a whole', async () => {
    const before = { ...process.env };
    await writeFile(
      join(directory.path, '.env'),
      `# comment\nexport DATABASE_URL=postgres://localhost/x\nPORT=1\n\nRATE_LIMIT='5' # five\n`,
    );
    Object.assign(process.env, { EMBEDDED: 'true', PORT: '2' });
    delete process.env['DATABASE_URL'];
    delete process.env['RATE_LIMIT'];
    loadEnvFile(directory.path);
    const { DATABASE_URL, PORT, RATE_LIMIT } = process.env;
    process.env = before;
    expect([DATABASE_URL, PORT, RATE_LIMIT]).toEqual([undefined, '2', '5']);
  });

  it.each(['RATE_LIMIT 5', 'RATE_LIMIT: 5', '=5', '5=5', 'RATE_LIMIT="5', "RATE_LIMIT='5' 6"])(
    'with a broken line stops the start, and the error has the number of the line but not its text: %s',
    async (line) => {
      await writeFile(join(directory.path, '.env'), `A=1\n# comment\nB="2\n2"\n${line}\nC=3\n`);
      const before = { ...process.env };
      expect(() => loadEnvFile(directory.path)).toThrow(
        new EnvError(`${directory.path}/.env, line 5: must be NAME=value or a comment`),
      );
      expect(process.env).toEqual(before);
    },
  );
});

describe('the configuration', () => {
  it('warns of a name that is nearly one of ours, and of no other', () => {
    const names = {
      RATE_LIMT: '5',
      DATABSE_URL: 'x',
      LOGLEVEL: 'x',
      HOSTS: '',
      HOME: '',
      DATABASES: '',
      PATH: '',
    };
    expect(findMisspelledNames({ ...names, PORT: '1' })).toEqual([
      'The variable RATE_LIMT is unknown and ignored. Did you mean RATE_LIMIT?',
      'The variable DATABSE_URL is unknown and ignored. Did you mean DATABASE_URL?',
      'The variable LOGLEVEL is unknown and ignored. Did you mean LOG_LEVEL?',
    ]);
  });

  it('is warned about by the server in its log and by the CLI on standard error', async () => {
    const env = { ...shared.databaseEnv, RATE_LIMT: '5' };
    const server = await startProgram(env);
    await server.prints(/"level":40.*RATE_LIMT is unknown and ignored/);
    const { code, stderr } = await cli(env, 'organization', 'create', '--name', 'x');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: The variable RATE_LIMT is unknown/m);
    await stop(server);
  });

  it('is listed in .env.example and in the README, variable by variable', async () => {
    const { Env } = await import('../../src/config/env.js');
    const names = Object.keys(new Env()).toSorted();
    const example = await readFile('.env.example', 'utf8');
    expect(
      [...example.matchAll(/^#? ?((?!\w+_FILE=)[A-Z_]+)=/gm)].map(([, name]) => name).toSorted(),
    ).toEqual(names);
    const readme = await readFile('README.md', 'utf8');
    expect([...readme.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, name]) => name).toSorted()).toEqual(names);
  });
});
