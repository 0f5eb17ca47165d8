import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { SCOPES } from '../src/platform/auth/scopes.js';
import { fill, isFilled } from './fill.js';
import { processorTimeOf, SERVICE, serviceEnv } from './processes.js';
import { print } from './print.js';

/** A filled benchmark database, with an API key. */
export interface Database {
  url: string;
  organization_id: string;
  key: string;
}

/** Creates a database with `pages` status pages on the server of `url`, or reuses a database from an earlier run. */
export async function prepareDatabase(url: string, name: string, pages: number): Promise<Database> {
  const own = new URL(url);
  own.pathname = `/${name}`;
  const started = performance.now();
  if (await hasPages(own.href, pages)) {
    print(`${name}: reusing ${pages} pages of an earlier run`);
  } else {
    print(`${name}: inserting ${pages} pages …`);
    await dropDatabase(url, name);
    await withClient(url, (client) => client.query(`CREATE DATABASE ${name}`));
    // The CLI also runs the migrations.
    const { id } = await cli(own.href, 'organization', 'create', '--name', 'Bench');
    await withClient(own.href, (client) => fill(client, id, pages));
    if (!(await hasPages(own.href, pages))) throw new Error(`${name} does not have the expected content`);
    print(`${name}: filled in ${Math.round((performance.now() - started) / 1000)} s`);
  }
  const organization_id = await withClient(own.href, async (client) => {
    await client.query('VACUUM ANALYZE status_pages'); // cleans up after updates of earlier runs
    const { rows } = await client.query<{ organization_id: string }>(
      'SELECT organization_id FROM status_pages LIMIT 1',
    );
    return rows[0]?.organization_id ?? '';
  });
  return { url: own.href, organization_id, key: await createKey(own.href, organization_id) };
}

/** Creates an API key with all scopes. */
export async function createKey(databaseUrl: string, organizationId: string): Promise<string> {
  const scopes = SCOPES.flatMap((scope) => ['--scope', scope]);
  const owner = ['--organization', organizationId];
  const { key } = await cli(databaseUrl, 'api-key', 'create', '--name', 'Bench', ...owner, ...scopes);
  return key;
}

/** Drops a database on the server of `url`, if it exists. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await withClient(url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** Runs `work` with a connection. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  return work(client).finally(() => client.end());
}

/** CPU time of each connection to a database so far, in seconds. NaN if PostgreSQL runs on another machine. */
export async function backendTimes(url: string): Promise<Map<number, number>> {
  const pids = await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return rows.map(({ pid }) => pid);
  });
  return new Map(
    await Promise.all(pids.map(async (pid) => [pid, await processorTimeOf(String(pid))] as const)),
  );
}

/** CPU time of the open connections to a database since `before`, in seconds. */
export async function backendTimeSince(url: string, before: Map<number, number>): Promise<number> {
  const spent = [...(await backendTimes(url))].map(([pid, time]) => time - (before.get(pid) ?? 0));
  const known = spent.filter((time) => !Number.isNaN(time)); // a connection can end at this moment
  return known.length === 0 ? NaN : known.reduce((total, time) => total + time, 0);
}

async function hasPages(url: string, pages: number): Promise<boolean> {
  try {
    return await withClient(url, (client) => isFilled(client, pages));
  } catch (error) {
    // SQLSTATE invalid_catalog_name: the database does not exist
    if (error instanceof Error && 'code' in error && error.code === '3D000') return false;
    throw error;
  }
}

/** Runs a CLI command, and returns the JSON object that it prints. */
export async function cli(
  databaseUrl: string,
  ...parameters: string[]
): Promise<{ id: string; key: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, [SERVICE.cli, ...parameters], {
    env: serviceEnv(databaseUrl, 0),
  });
  const answer: { id: string; key: string } = JSON.parse(stdout);
  return answer;
}
