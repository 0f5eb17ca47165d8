import { cp, symlink, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { cli, environment, Program, startProgram, stop, useDirectory } from '../support/process.js';
import { useTestServer } from '../support/server.js';
import { V8_FLAGS } from '../support/v8-flags.js';

const directory = useDirectory();
const shared = useTestServer();

/** A copy of the build, in a separate project directory. */
async function copyOfTheBuild(): Promise<string> {
  const project = join(directory.path, 'project');
  await cp('dist/src', join(project, 'dist/src'), { recursive: true });
  await cp('package.json', join(project, 'package.json'));
  await symlink(join(process.cwd(), 'node_modules'), join(project, 'node_modules'));
  return project;
}

describe('.env file', () => {
  it('takes effect in any working directory, like a relative DATA_DIR', async () => {
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
});

describe('configuration', () => {
  it("causes warnings in the server's log and on the CLI's standard error", async () => {
    const env = { ...shared.databaseEnv, RATE_LIMT: '5' };
    const server = await startProgram(env);
    await server.prints(/"level":40.*RATE_LIMT is unknown and ignored/);
    const { code, stderr } = await cli(env, 'organization', 'create', '--name', 'x');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: The variable RATE_LIMT is unknown/m);
    await stop(server);
  });
});
