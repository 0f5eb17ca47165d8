import { createClient, type StatusPagesClient } from '../../clients/typescript/src/index.js';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import passport from 'passport';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Pagination } from '../../src/platform/pagination/list-page.js';
import type { FieldError, ProblemBody } from '../../src/platform/problems/problem.js';
import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { BearerStrategy } from '../../src/platform/auth/bearer.strategy.js';
import { type Scope, SCOPES } from '../../src/platform/auth/scopes.js';
import { DEFAULT_ORGANIZATION_ID } from '../../src/platform/database/default-organization.js';
import { createApp } from '../../src/create-app.js';
import { MonitorsService } from '../../src/monitors/monitors.service.js';
import { Outage } from '../../src/visitors/cache/outage.js';
import { DocumentCache } from '../../src/visitors/cache/document-cache.js';
import { PageVersions } from '../../src/visitors/cache/page-versions.js';
import { OrganizationsService } from '../../src/organizations/organizations.service.js';
import { ProjectsService } from '../../src/projects/projects.service.js';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import { type NewStatusPage, StatusPagesService } from '../../src/status-pages/status-pages.service.js';
import { actorIn } from './actors.js';
import { type Contract, contractOf } from './contract.js';
import { createPatience, hasten, passTime } from './clock.js';
import {
  borrowDatabase,
  createDatabase,
  directly,
  onPostgres,
  socketEnv,
  type TestDatabase,
} from './database.js';
import { callCli, environment } from './process.js';
import { send } from './send.js';

/** The body of a response with one resource. */
export interface One<T> {
  data: T;
}

/** The body of a response with a page of a list. */
export interface ListPage<T> {
  data: T[];
  pagination: Pagination;
}

/**
 * A response of the API. The test declares the type of `body`; `expectProblem` checks an error and returns its body.
 */
export interface Answer<B = Body> {
  status: number;
  headers: Headers;
  text: string;
  body: B & ProblemBody & { errors: FieldError[] };
}

/** A resource as returned by the API. */
export type Wire<T> = {
  [Field in keyof T]: T[Field] extends Date
    ? string
    : T[Field] extends Date | null
      ? string | null
      : T[Field];
};

export type WirePage = Wire<StatusPageDto>;

/** The default body of a request: a status page, or a list of them. */
export type Body = One<WirePage> & ListPage<WirePage>;

/** A request; `json` is sent as `application/json` unless another type is given. */
export interface Ask {
  method?: string;
  key?: string | null;
  headers?: Record<string, string>;
  json?: unknown;
  body?: string | Uint8Array;
  /** Whether the test forces the response with a fault, so that it is not checked against the OpenAPI document. */
  undocumented?: boolean;
}

/** An organization with a project and a key that has every scope. */
export interface Tenant {
  organization_id: string;
  project_id: string;
  key: string;
  key_id: string;
}

/**
 * A server for the tests of a file, on an empty database.
 *
 * ```ts
 * const server = useTestServer();
 * it('responds', async () => expect((await server.ask('/health/live')).status).toBe(200));
 * ```
 *
 * Without `env`, it is the server that the files of a worker share. Starting one takes a second of CPU time, emptying
 * its tables for the next file a few milliseconds. With `env`, it is started for this file, and stopped after it.
 * @param module the root module, by default the production module; it also requires `env`
 */
export function useTestServer(env?: Record<string, string>, module?: Type): TestServer {
  const server = new TestServer();
  beforeAll(() => (env ? server.start(env, module) : server.share()));
  afterAll(() => (env ? server.stop() : undefined));
  return server;
}

/** A tenant for the tests of a file, created before them. */
export function useTenant(server: TestServer): Tenant {
  const tenant: Tenant = { organization_id: '', project_id: '', key: '', key_id: '' };
  beforeAll(async () => Object.assign(tenant, await server.tenant()));
  return tenant;
}

/** A server that listens, and its database. */
interface RunningServer {
  app: NestExpressApplication;
  url: string;
  env: NodeJS.ProcessEnv;
  contract: Contract;
  dropDatabase: () => Promise<void>;
}

let shared: RunningServer | undefined;

/** The contract of the production module. It is the same with each configuration, and reading it takes 100 ms. */
let contract: Contract | undefined;

/** Seconds of driven time that a server has to close. */
const MAX_CLOSING_S = 30;

/** Servers of this process that are running, in the order of their starts. */
const all: RunningServer[] = [];

async function run(env: Record<string, string>, module?: Type): Promise<RunningServer> {
  const database = await databaseFor(env);
  const quiet = { LOG_LEVEL: process.env['DBG'] ?? 'silent', DEMO: 'false', DELIVERY: 'off' };
  const DATA_DIR = await mkdtemp(join(inject('runDirectory'), 'test-'));
  const own = environment({ ...quiet, EMBEDDED: '', DATA_DIR, ...database?.env, ...env });
  const app = await createApp(own, module);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const running = {
    app,
    url,
    env: own,
    contract: module ? await contractOf(url) : (contract ??= await contractOf(url)),
    dropDatabase: async () => database?.drop(),
  };
  all.push(running);
  return running;
}

/** Returns the database of a server: its own one if its files matter. undefined: `env` selects one. */
function databaseFor(env: Record<string, string>): Promise<TestDatabase> | undefined {
  if ('DATABASE_URL' in env) return undefined;
  return 'EMBEDDED' in env || shared === undefined ? createDatabase() : borrowDatabase();
}

/** Makes passport, which is global in a process, use the keys of this application instead of the one started last. */
function authenticateFor({ app }: RunningServer): void {
  passport.use('bearer', app.get(BearerStrategy));
}

/**
 * Makes the server forget the status pages of the previous file. Otherwise it would read them again while their
 * tables are emptied.
 */
async function forgetPages({ app }: RunningServer): Promise<void> {
  await app.get(PageVersions).check(); // none is in flight then
  const cache = app.get(DocumentCache);
  for (const page of cache.directory.all()) await cache.drop(page);
}

/** A larger table is vacuumed after its rows were deleted, so that tests read the same blocks after any other file. */
const SMALL_BYTES = 64 * 1024;

/**
 * Deletes all rows except those created by the migrations, and the key of the instance, which the server has loaded.
 * DELETE takes a few milliseconds, TRUNCATE 300, because it recreates the files of each table and index.
 */
async function emptyTables(running: RunningServer): Promise<void> {
  const dataSource = running.app.get(DataSource);
  // autoLoadEntities also knows the entities of modules that earlier files of the worker have added.
  const tables: { name: string; is_large: boolean }[] = await dataSource.query(
    `SELECT name, pg_relation_size(name::regclass) > $2 AS is_large
       FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL`,
    [
      dataSource.entityMetadatas.map(({ tablePath }) => tablePath).filter((name) => name !== 'secrets'),
      SMALL_BYTES,
    ],
  );
  await dataSource.transaction(async (manager) => {
    await manager.query('SET LOCAL session_replication_role = replica'); // without triggers and foreign keys
    await manager.query(tables.map(({ name }) => `DELETE FROM ${name}`).join('; '));
    await manager.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [
      DEFAULT_ORGANIZATION_ID,
      'Default',
    ]);
  });
  const large = tables.filter(({ is_large }) => is_large).map(({ name }) => name);
  if (large.length > 0) await vacuum(running, large);
  // After a file that sets Date to the future, PGlite would wait for its statistics until then, and look at the time each millisecond.
  if (!onPostgres) await dataSource.query('SELECT pg_stat_force_next_flush()');
}

/** Vacuums and analyzes tables. Without PgBouncer, through which each statement of the server is a transaction. */
async function vacuum({ app, env }: RunningServer, tables: string[]): Promise<void> {
  const statement = `VACUUM ANALYZE ${tables.join(', ')}`;
  const { DATABASE_URL = '' } = env;
  if (DATABASE_URL === '') return app.get(DataSource).query(statement);
  const client = new Client(onPostgres ? directly(DATABASE_URL) : DATABASE_URL);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A server, started like in `main.ts`, with helpers for tests. Most files get it from {@link useTestServer}. */
export class TestServer {
  private running: RunningServer | undefined;

  static async start(env: Record<string, string> = {}, module?: Type): Promise<TestServer> {
    const server = new TestServer();
    await server.start(env, module);
    return server;
  }

  async start(env: Record<string, string>, module?: Type): Promise<void> {
    this.running = await run(env, module);
  }

  /** Uses the server that the files of a worker share, with empty tables. */
  async share(): Promise<void> {
    shared ??= await run({});
    authenticateFor(shared);
    await forgetPages(shared);
    await emptyTables(shared);
    shared.app.get(Outage).end(); // a rendering that failed because of TRUNCATE looks like one for a second
    this.running = shared;
  }

  async stop(): Promise<void> {
    const stopped = this.started();
    await hasten(stopped.app.close(), MAX_CLOSING_S); // idle connections have a second to send a request
    await stopped.dropDatabase();
    all.splice(all.indexOf(stopped), 1);
    const last = shared ?? all.at(-1);
    if (last) authenticateFor(last);
  }

  private started(): RunningServer {
    if (!this.running) throw new Error('the server starts before the tests: use it in beforeAll or later');
    return this.running;
  }

  get app(): NestExpressApplication {
    return this.started().app;
  }

  get url(): string {
    return this.started().url;
  }

  /** The environment that it was started with. */
  get env(): NodeJS.ProcessEnv {
    return this.started().env;
  }

  /** The environment of another program on the database of this server, through its socket if it is embedded. */
  get databaseEnv(): Record<string, string> {
    const { DATABASE_URL = '', DATA_DIR = '' } = this.env;
    if (onPostgres) return { DATABASE_URL, EMBEDDED: '' };
    return DATABASE_URL === ''
      ? socketEnv(join(DATA_DIR, 'run'))
      : { DATABASE_URL, EMBEDDED: '', PREPARED_STATEMENTS: 'false' };
  }

  /** The client of `clients/typescript` with this key. Its responses are also checked against the document. */
  client(apiKey: string): StatusPagesClient {
    return createClient({ baseUrl: this.url, apiKey, fetch: (request) => this.fetch(request) });
  }

  /** Sends a request. Checks the response against the document. */
  async fetch(request: Request): Promise<Response> {
    const response = await fetch(request);
    const { status, headers } = response;
    const text = await response.clone().text();
    const { pathname } = new URL(request.url);
    const faults = this.started().contract.faultsOf(request.method, pathname, { status, headers, text });
    if (faults.length > 0) throw new Error(`not as documented: ${faults.join('; ')}`);
    return response;
  }

  async ask<B = Body>(
    path: string,
    { method = 'GET', key, headers = {}, json, body, undocumented = false }: Ask = {},
  ): Promise<Answer<B>> {
    const response = await send(this.url + path, {
      method,
      headers: {
        ...(typeof body === 'string' && { 'content-type': 'text/plain;charset=UTF-8' }), // as `fetch` does
        ...(key && { authorization: `Bearer ${key}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      },
      body: json === undefined ? body : JSON.stringify(json),
    });
    const { text } = response;
    const faults = this.started().contract.faultsOf(method, response.pathname, response);
    if (faults.length > 0 && !undocumented) throw new Error(`not as documented: ${faults.join('; ')}`);
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : {},
    };
  }

  /** Calls the CLI on the database of the server, in this process. */
  async cli(...parameters: string[]): ReturnType<typeof callCli> {
    try {
      return await callCli(this.env, ...parameters);
    } finally {
      authenticateFor(this.started()); // the CLI's application has registered its own
    }
  }

  list(
    tenant: Tenant,
    query: Record<string, string | number> = {},
    key = tenant.key,
  ): Promise<Answer<ListPage<WirePage>>> {
    const search = new URLSearchParams({ project_id: tenant.project_id });
    for (const [name, value] of Object.entries(query)) search.set(name, String(value));
    return this.ask(`/v1/status-pages?${search}`, { key });
  }

  patch(
    tenant: Pick<Tenant, 'key'>,
    id: string,
    json: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<One<WirePage>>> {
    return this.ask(`/v1/status-pages/${id}`, { method: 'PATCH', key: tenant.key, json, headers });
  }

  async tenant(): Promise<Tenant> {
    const { id: organization_id } = await this.app.get(OrganizationsService).create('Tenant');
    const project_id = await this.project(organization_id);
    const { key, id: key_id } = await this.key(organization_id);
    return { organization_id, project_id, key, key_id };
  }

  async project(organization_id: string): Promise<string> {
    return (await this.app.get(ProjectsService).createIn(actorIn(organization_id), { name: 'Project' })).id;
  }

  async key(
    organization_id: string,
    { scopes = [...SCOPES], project_ids = null, expires_in = null }: KeyOptions = {},
  ): Promise<{ key: string; id: string }> {
    const expires_at = expires_in === null ? null : new Date(Date.now() + expires_in * 1000);
    const wanted = { name: 'Key', scopes, project_ids, expires_at };
    return this.app.get(ApiKeysService).createIn(actorIn(organization_id), wanted);
  }

  async monitors({ organization_id, project_id }: Tenant, count: number): Promise<string[]> {
    const names = Array.from({ length: count }, (_, index) => ({ name: `Monitor ${index + 1}` }));
    const monitors = await this.app
      .get(MonitorsService)
      .createIn(actorIn(organization_id), project_id, names);
    return monitors.map(({ id }) => id);
  }

  /** A status page. Without a name in `wanted`, its slug is unique, because pages of visitors are cached. */
  page({ organization_id, project_id }: Tenant, wanted: Partial<NewStatusPage> = {}): Promise<StatusPageDto> {
    const slug = wanted.name === undefined ? { slug: `page-${randomBytes(6).toString('hex')}` } : {};
    return this.app
      .get(StatusPagesService)
      .createIn(actorIn(organization_id), project_id, { name: 'Page', ...slug, ...wanted });
  }

  /** Vacuums and analyzes a table, so that plans do not depend on what ran before. */
  vacuum(table: string): Promise<void> {
    return vacuum(this.started(), [table]);
  }

  /** Runs a statement on the database, bypassing the service. */
  sql<T>(statement: string, parameters: unknown[] = []): Promise<T> {
    return this.app.get(DataSource).query(statement, parameters);
  }
}

interface KeyOptions {
  scopes?: Scope[];
  project_ids?: string[] | null;
  expires_in?: number | null;
}

/**
 * Waits until `probe` returns a truthy value, for at most a minute or the given time in milliseconds. While the process
 * is idle, lets time pass, so that what happens once a second happens now.
 */
export async function until<T>(
  probe: () => Promise<T | undefined | false>,
  timeout_ms = 60_000,
  wait = createPatience(),
): Promise<T> {
  const deadline = Date.now() + timeout_ms;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`waited ${timeout_ms / 1000} seconds in vain`);
    await wait();
  }
}

/** Idle time after which a change counts as late. The threads that draw pictures work while the process is idle. */
const LATE_MS = 1_500;

/**
 * Lets two seconds pass, within which each process shows a change, and then waits until `probe` returns a truthy value
 * without letting more time pass. Fails if the process has nothing to do, because it waits for more time.
 */
export async function withinTwoSeconds<T>(probe: () => Promise<T | undefined | false>): Promise<T> {
  for (let second = 0; second < 2; second++) {
    await passTime(1_000);
    await probe();
  }
  const before = performance.eventLoopUtilization();
  const wait = createPatience(0);
  return until(probe, 60_000, async () => {
    await wait();
    const { idle } = performance.eventLoopUtilization(before);
    if (idle > LATE_MS) throw new Error('the change is not visible after two seconds');
  });
}
