import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { callCli, useDirectory } from '../support/process.js';
import { type Cluster, useCluster } from './support/cluster.js';
import { seedDatabase } from './support/seed.js';
import { Service } from './support/service.js';
import { expectSoundPages, Writer } from './support/writers.js';

const holder = useCluster();
const directory = useDirectory();
let cluster: Cluster;
let names = 0;

beforeAll(async () => {
  cluster = holder.current;
  // As in docs/database.md.
  await cluster.sql('CREATE ROLE status_pages_owner LOGIN');
  await cluster.sql('CREATE ROLE status_pages LOGIN');
});

/** Creates a database of the owner, without tables. */
async function createDatabase(): Promise<string> {
  const name = `of_roles_${++names}`;
  await cluster.sql(`CREATE DATABASE ${name} OWNER status_pages_owner`);
  return name;
}

function urlOf(database: string, role: string): string {
  const url = new URL(cluster.urlOf(database));
  url.username = role;
  return url.href;
}

/** Uses tables, triggers, locks and the cleanup. */
async function expectWork(service: Service): Promise<void> {
  const { project: project_id } = service.seed;
  await service.recovers();
  const writers = await Writer.create(service, 2);
  await expectSoundPages(writers);
  const post = async (path: string, json: object) => {
    const headers = { 'Idempotency-Key': path };
    const answer = await service.ask<{ data: { id: string } }>(path, { method: 'POST', json, headers });
    expect([path, answer.status]).toEqual([path, 201]);
    return answer.body.data.id;
  };
  const monitor = await post('/v1/monitors', { project_id, name: 'Web' });
  const reports = [{ monitor_id: monitor, status: 'major_outage' }];
  const reported = await service.ask('/v1/monitor-reports', {
    method: 'POST',
    json: { project_id, reports },
  });
  expect(reported.status).toBeLessThan(300);
  for (const path of ['status', 'days'])
    expect((await service.ask(`/v1/monitors/${monitor}/${path}`)).status).toBe(200);
  for (const { page } of writers)
    expect((await service.ask(`/v1/status-pages/${page}`, { method: 'DELETE' })).status).toBe(204);
  expect((await service.ask(`/v1/monitors/${monitor}`, { method: 'DELETE' })).status).toBe(204);
}

describe('PostgreSQL role', () => {
  it('can migrate and serve a database that it owns', async () => {
    const env = { DATABASE_URL: urlOf(await createDatabase(), 'status_pages_owner'), EMBEDDED: '' };
    const service = await Service.start(env, await seedDatabase(env));
    await expectWork(service);
    await service.stop();
  });

  it('can back up and restore a database that it owns', async () => {
    const [source, target] = [await createDatabase(), await createDatabase()].map((database) => ({
      DATABASE_URL: urlOf(database, 'status_pages_owner'),
      EMBEDDED: '',
    }));
    const seed = await seedDatabase({ ...source });
    const file = join(directory.path, 'backup');
    for (const [env, command] of [
      [source, 'backup'],
      [target, 'restore'],
    ] as const)
      expect(await callCli({ ...env }, command, file)).toMatchObject({ code: 0 });
    const service = await Service.start({ ...target }, seed);
    await expectWork(service);
    await service.stop();
  });

  it('can serve a migrated database without rights to change the schema', async () => {
    const database = await createDatabase();
    const owner = urlOf(database, 'status_pages_owner');
    const tables = 'SELECT, INSERT, UPDATE, DELETE ON TABLES TO status_pages';
    await cluster.sql(`ALTER DEFAULT PRIVILEGES GRANT ${tables}`, owner);
    const seed = await seedDatabase({ DATABASE_URL: owner, EMBEDDED: '' });
    await cluster.sql('REVOKE INSERT, UPDATE, DELETE ON migrations FROM status_pages', owner);
    const url = urlOf(database, 'status_pages');
    await expect(cluster.sql('CREATE TABLE mine ()', url)).rejects.toThrow('permission denied');
    const service = await Service.start({ DATABASE_URL: url, EMBEDDED: '' }, seed);
    await expectWork(service);
    await service.stop();
  });

  it('stops the startup if it cannot run a pending migration', async () => {
    const database = await createDatabase();
    const { program } = Service.spawn({ DATABASE_URL: urlOf(database, 'status_pages'), EMBEDDED: '' });
    expect([await program.exit(), program.stderr]).toEqual([
      1,
      'Status Pages could not start: a migration is pending, but the role in DATABASE_URL is not allowed to change the schema. ' +
        'Run the migrations as the owner of the schema (permission denied for schema public)\n',
    ]);
  });
});
