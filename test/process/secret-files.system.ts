import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, Program, startProgram, stop, useDirectory } from '../support/process.js';
import { useTestServer } from '../support/server.js';

const directory = useDirectory();
const shared = useTestServer();

/**
 * The environment of a program with these secrets in files, each with a trailing newline, and no other database
 * setting.
 */
async function withFiles(secrets: Record<string, string>): Promise<NodeJS.ProcessEnv> {
  const files = Object.entries(secrets).map(async ([name, value]) => {
    const path = join(directory.path, name);
    await writeFile(path, `${value}\n`, { mode: 0o600 });
    return [`${name}_FILE`, path];
  });
  return { EMBEDDED: undefined, ...Object.fromEntries(await Promise.all(files)) };
}

describe('secret in a file', () => {
  it('can be the database URL of `npm start`', async () => {
    const env = await withFiles({ DATABASE_URL: 'postgres://ann:sesame@127.0.0.1:1/nowhere' });
    const program = Program.run('main.js', ['--dev'], { ...env, PORT: '0' });
    expect([await program.exit(), program.stderr]).toEqual([
      1,
      'Status Pages could not start: PostgreSQL at 127.0.0.1:1, database "nowhere": connection refused\n',
    ]);
  });

  it('can be the URL of the replicas', async () => {
    const env = await withFiles({
      DATABASE_URL: 'postgres://ann:sesame@127.0.0.1:1/nowhere',
      DATABASE_REPLICA_URLS: 'mysql://sesame',
    });
    const program = Program.run('main.js', [], { ...env, PORT: '0' });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(
      /^Status Pages could not start: DATABASE_REPLICA_URLS must be a URL .*\n$/,
    );
    expect(program.stderr).not.toContain('sesame');
  });

  it('stops the startup and a command if it is missing', async () => {
    const env = { EMBEDDED: undefined, DATABASE_URL_FILE: join(directory.path, 'missing') };
    const line = 'DATABASE_URL_FILE points to a file that cannot be read (ENOENT)\n';
    const program = Program.run('main.js', ['--dev'], { ...env, PORT: '0' });
    expect([await program.exit(), program.stderr]).toEqual([1, `Status Pages could not start: ${line}`]);
    expect(await cli(env, 'organization', 'list')).toEqual({ code: 1, stdout: '', stderr: `error: ${line}` });
  });

  it('works for the server and the command line', async () => {
    const { DATABASE_URL = '', PREPARED_STATEMENTS = '' } = shared.databaseEnv;
    const env = { ...(await withFiles({ DATABASE_URL })), PREPARED_STATEMENTS };
    const { code, stderr } = await cli(env, 'organization', 'list');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    const server = await startProgram({ ...env, DATA_DIR: directory.path });
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    await stop(server);
  });
});
