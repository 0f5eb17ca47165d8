import { afterAll, beforeAll } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { adminUrlOf } from '../support/metrics.js';
import { cli, type Program, startProgram } from '../support/process.js';

/** A running server with an admin port, and the key and project of its demo organization. */
export interface WithAdmin {
  program: Program & { url: string };
  database: TestDatabase;
  admin_url: string;
  key: string;
  project_id: string;
}

/** Starts a server with an admin port for the tests of a file. */
export function useAdmin(env: Record<string, string> = {}): WithAdmin {
  const running: Partial<WithAdmin> = {};
  const get = <Name extends keyof WithAdmin>(name: Name): WithAdmin[Name] => {
    const value = running[name];
    if (value === undefined) throw new Error('the server starts before the tests');
    return value;
  };
  beforeAll(async () => {
    const database = await createDatabase();
    running.database = database;
    running.program = await startProgram({ ...database.env, DEMO: 'false', ADMIN_PORT: '0', ...env });
    running.admin_url = await adminUrlOf(running.program);
    const { stdout } = await cli(database.env, 'demo', '--pages', '1');
    const { key, project_id }: Pick<WithAdmin, 'key' | 'project_id'> = JSON.parse(stdout);
    Object.assign(running, { key, project_id });
  });
  afterAll(async () => {
    running.program?.kill('SIGKILL');
    await running.program?.exit();
    await running.database?.drop();
  });
  return {
    get program() {
      return get('program');
    },
    get database() {
      return get('database');
    },
    get admin_url() {
      return get('admin_url');
    },
    get key() {
      return get('key');
    },
    get project_id() {
      return get('project_id');
    },
  };
}
