import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { openEmbedded } from '../../src/platform/database/embedded-postgres.js';
import { cli, Program, startProgram, stop, useDirectory } from '../support/process.js';

const directory = useDirectory();

describe('shared DATA_DIR', () => {
  it('refuses to start a second server on the same DATA_DIR', async () => {
    const DATA_DIR = await directory.migrated();
    const first = await openEmbedded(DATA_DIR, 'server');
    const second = Program.run('main.js', [], { DATA_DIR, PORT: '0' });
    expect(await second.exit()).toBe(1);
    expect(second.stderr).toMatch(/^.*DATA_DIR is in use by another server.*\n$/);
    const client = new Client({ host: first.socketDir, user: 'postgres', database: 'postgres' });
    await client.connect();
    expect((await client.query('SELECT name FROM organizations')).rows).toEqual([{ name: 'Default' }]);
    await client.end();
    await first.close();
  });

  it("supports calls of the CLI before, during and after a server's run", async () => {
    const env = { DATA_DIR: await directory.migrated(), SLOW_STATEMENT_MS: '0' }; // a slow machine prints nothing else
    const create = (name: string) => cli(env, 'organization', 'create', '--name', name);
    const before = [create('a'), create('b')];
    const server = await startProgram({ ...env, DEMO: 'false' });
    const during = [create('c'), create('d')];
    const done = await Promise.all([...before, ...during]);
    const after = create('e');
    await stop(server);
    done.push(await after);
    const stated = `database: embedded, in ${env.DATA_DIR}\n`;
    expect(done.map(({ code, stderr }) => [code, stderr])).toEqual(done.map(() => [0, stated]));

    const embedded = await openEmbedded(env.DATA_DIR, 'server');
    const client = new Client({ host: embedded.socketDir, user: 'postgres', database: 'postgres' });
    await client.connect();
    const { rows } = await client.query<{ name: string }>('SELECT name FROM organizations ORDER BY name');
    await client.end();
    await embedded.close();
    expect(rows.map(({ name }) => name)).toEqual(['Default', 'a', 'b', 'c', 'd', 'e'].toSorted());
  });
});

describe('choice of the database', () => {
  it.each([
    ['is missing', {}],
    ['is empty', { DATABASE_URL: '' }],
  ])('stops the server and the CLI with exit code 1 if it %s', async (_case, choice) => {
    const env = { EMBEDDED: undefined, DATA_DIR: join(directory.path, 'data'), PORT: '0', ...choice };
    const server = Program.run('main.js', [], env, directory.path);
    expect(await server.exit()).toBe(1);
    expect(server.stderr).toMatch(/^Status Pages could not start: DATABASE_URL must [^\n]+\n$/);
    const call = Program.run('cli/main.js', ['demo'], env, directory.path);
    expect([await call.exit(), call.stdout]).toEqual([1, '']);
    expect(call.stderr).toMatch(/^error: DATABASE_URL must [^\n]+\n$/);
    expect(await readdir(directory.path)).toEqual([]);
  });

  it('defaults to the embedded PostgreSQL for npm start', async () => {
    const env = { EMBEDDED: undefined, DATA_DIR: await directory.migrated(), DEMO: 'false', PORT: '0' };
    const server = Program.run('main.js', ['--dev'], env);
    await server.prints(/listens on/);
    await stop(server);
    const other = Program.run('main.js', ['--dev'], { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/x' });
    expect(await other.exit()).toBe(1);
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      await readFile('package.json', 'utf8'),
    );
    expect(scripts['start']).toBe(`npm run --silent build && ${scripts['start:prod']} --dev`);
  });
});
