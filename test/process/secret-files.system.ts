import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decryptText } from '../../src/platform/secrets/encryption.js';
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

  it('can be the key of the instance, which encrypts in the place of the key in the database', async () => {
    const { DATABASE_URL = '', PREPARED_STATEMENTS = '' } = shared.databaseEnv;
    const key = randomBytes(32);
    const env = {
      ...(await withFiles({ DATABASE_URL, SECRET_KEY: key.toString('base64') })),
      PREPARED_STATEMENTS,
    };
    const server = await startProgram({ ...env, DATA_DIR: directory.path });
    const tenant = await shared.tenant();
    const created = await fetch(`${server.url}/v1/webhook-endpoints`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ project_id: tenant.project_id, url: 'https://hooks.example.com/' }),
    });
    expect(created.status).toBe(201);
    const { data }: { data: { id: string; secret: string } } = JSON.parse(await created.text());
    const [row] = await shared.sql<{ secret: Buffer }[]>(
      'SELECT secret FROM webhook_endpoints WHERE id = $1',
      [data.id],
    );
    expect(decryptText([key], 'webhook secret', row?.secret ?? Buffer.alloc(0))).toBe(data.secret);
    await stop(server);
    expect(server.stdout + server.stderr).not.toContain(key.toString('base64').slice(0, 20));
  });

  it.each([
    ['1', 'sesame'],
    ['2', `${'a'.repeat(64)},sesame`],
  ])(
    'stops the startup of %s processes without its value if it is no key',
    async (WEB_CONCURRENCY, SECRET_KEY) => {
      const { DATABASE_URL = '' } = shared.databaseEnv;
      const env = await withFiles({ DATABASE_URL, SECRET_KEY });
      const form =
        'SECRET_KEY must be 32 bytes in hexadecimal or base64, or several such keys separated by commas';
      const program = Program.run('main.js', [], { ...env, WEB_CONCURRENCY, PORT: '0' });
      expect([await program.exit(), program.stderr]).toEqual([1, `Status Pages could not start: ${form}\n`]);
      expect(program.stdout + program.stderr).not.toMatch(/sesame|aaaa/);
      expect(await cli(env, 'organization', 'list')).toEqual({
        code: 1,
        stdout: '',
        stderr: `error: ${form}\n`,
      });
    },
  );

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
