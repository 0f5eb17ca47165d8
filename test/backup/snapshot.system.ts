import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DataSource } from 'typeorm';
import { beforeAll, describe, expect, it } from 'vitest';
import { onPostgres } from '../support/database.js';
import { cli, environment, Program } from '../support/process.js';
import { useTenant, useTestServer } from '../support/server.js';
import { call, onDatabase, useBackups } from './use-backups.js';

const server = useTestServer();
const tenant = useTenant(server);
const backups = useBackups();
let monitor: string;
let page: string;

beforeAll(async () => {
  [monitor = ''] = await server.monitors(tenant, 1);
  ({ id: page } = await server.page(tenant));
  // Three megabytes of incompressible data, more than all buffers between the tables and a reader.
  for (let part = 0; part < 6; part++)
    await server.sql(
      `INSERT INTO monitors (id, organization_id, project_id, name, description)
       SELECT gen_random_uuid(), $1, $2, 'Large', (SELECT string_agg(md5(random()::text || one || part), '') FROM generate_series(1, 62) AS part)
         FROM generate_series(1, 500) AS one`,
      [tenant.organization_id, tenant.project_id],
    );
});

/** Changes a monitor and a status page in one transaction. */
async function change(number: number): Promise<void> {
  await server.app.get(DataSource).transaction(async (manager) => {
    await manager.query('UPDATE monitors SET name = $2 WHERE id = $1', [monitor, `Number ${number}`]);
    await manager.query('UPDATE status_pages SET name = $2 WHERE id = $1', [page, `Number ${number}`]);
  });
}

describe('backup while the server writes', () => {
  it('writes a consistent snapshot', async () => {
    await change(1);
    const path = backups.path();
    const child = spawn(process.execPath, ['dist/src/cli/main.js', 'backup', '-'], {
      env: environment(server.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    await once(child.stdout, 'readable'); // it has started to read, and waits for its reader
    for (let number = 2; number <= 20; number++) await change(number);
    const errors: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    await pipeline(child.stdout, createWriteStream(path));
    expect(await exited).toEqual([0, null]);
    // The result is on standard error, because standard output is the backup.
    expect(JSON.parse(errors.join('').split('\n').at(-2) ?? '')).toMatchObject({ rows: expect.any(Number) });

    const target = await backups.database();
    await call(target, 'restore', path);
    await onDatabase(target, async (database) => {
      const [names]: { monitor: string; page: string }[] = await database.query(
        `SELECT monitors.name AS monitor, status_pages.name AS page FROM monitors, status_pages WHERE monitors.id = $1 AND status_pages.id = $2`,
        [monitor, page],
      );
      expect(names?.monitor).toMatch(/^Number \d+$/);
      expect(names?.page).toBe(names?.monitor);
    });
    if (!onPostgres)
      expect(
        (await readdir(String(server.env['DATA_DIR']))).filter((name) => name.startsWith('backup-')),
      ).toEqual([]);
  });

  it('leaves no file if it is interrupted', async () => {
    const folder = backups.path('interrupted');
    await mkdir(folder);
    const program = Program.run('cli/main.js', ['backup', join(folder, 'backup')], server.env);
    while ((await readdir(folder)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    program.kill('SIGTERM');
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(/^database: .*\nerror: interrupted\n$/);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

describe('killed restore', () => {
  it('leaves the database empty and can be repeated', async () => {
    await call(server.env, 'backup', backups.path('whole'));
    const whole = await readFile(backups.path('whole'));
    const target = await backups.database();
    const program = Program.run('cli/main.js', ['restore', '-'], target);
    await program.writes(whole.subarray(0, -20)); // all but the end, so that rows have been inserted
    program.kill('SIGKILL');
    expect(await program.exit()).toBe(null);
    const count = (): Promise<object[]> =>
      onDatabase(target, (database) => database.query('SELECT count(*)::int AS count FROM monitors'));
    expect(await count()).toEqual([{ count: 0 }]);
    expect(await cli(target, 'restore', backups.path('whole'))).toMatchObject({ code: 0 });
    expect(await count()).toEqual([{ count: 3001 }]);
  });
});
