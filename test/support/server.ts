import { createClient, type StatusPagesClient } from '../../clients/typescript/src/index.js';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import type { Pagination } from '../../src/pagination/page.js';
import type { FieldError, ProblemBody } from '../../src/problems/problem.js';
import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { type Scope, SCOPES } from '../../src/auth/scopes.js';
import { createApp } from '../../src/create-app.js';
import { MonitorsService } from '../../src/monitors/monitors.service.js';
import { OrganizationsService } from '../../src/organizations/organizations.service.js';
import { ProjectsService } from '../../src/projects/projects.service.js';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import { type NewStatusPage, StatusPagesService } from '../../src/status-pages/status-pages.service.js';
import { Contract } from './contract.js';
import { createDatabase } from './database.js';
import { environment } from './process.js';

/** What the API answers: one resource, or a list of them, or an error. */
export interface Answer<T = WirePage> {
  status: number;
  headers: Headers;
  text: string;
  body: Body<T>;
}

/** A resource as it comes over the wire. */
export type Wire<T> = {
  [Field in keyof T]: T[Field] extends Date
    ? string
    : T[Field] extends Date | null
      ? string | null
      : T[Field];
};

export type WirePage = Wire<StatusPageDto>;

/** What bodies can hold: of a list, of one resource, or of an error. Each test looks at what it expects. */
export type Body<T = WirePage> = { data: T[] & T; pagination: Pagination } & ProblemBody & {
    errors: FieldError[];
  };

/** A request; `json` is sent as `application/json` unless another type is given. */
export interface Ask {
  method?: string;
  key?: string | null;
  headers?: Record<string, string>;
  json?: unknown;
  body?: string | Uint8Array;
  /** The answer is forced by a fault that the test makes: it is not held to the OpenAPI document. */
  undocumented?: boolean;
}

/** An organization with a project and a key that has every scope. */
export interface Tenant {
  organization_id: string;
  project_id: string;
  key: string;
  key_id: string;
}

/** A server on a database of its own, started as `main.ts` starts it. */
export class TestServer {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  /** @param module the root module, by default the one of production */
  static async start(env: Record<string, string> = {}, module?: Type): Promise<TestServer> {
    const database = await createDatabase();
    const quiet = { LOG_LEVEL: 'silent', DEMO: 'false' };
    const app = await createApp(environment({ ...quiet, ...database.env, ...env }), module);
    await app.listen(0, '127.0.0.1');
    return new TestServer(app, await app.getUrl(), database.drop);
  }

  private documented: Promise<Contract> | undefined;

  /** What every answer is held to. */
  private contract(): Promise<Contract> {
    return (this.documented ??= fetch(`${this.url}/openapi.json`)
      .then((response) => response.text())
      .then((text) => new Contract(JSON.parse(text))));
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.dropDatabase();
  }

  /** The client of `clients/typescript`, as somebody with this key uses it; its answers are held to the document, too. */
  client(apiKey: string): StatusPagesClient {
    return createClient({
      baseUrl: this.url,
      apiKey,
      fetch: async (request) => {
        const response = await fetch(request);
        const { status, headers } = response;
        const text = await response.clone().text();
        const { pathname } = new URL(request.url);
        const faults = (await this.contract()).faultsOf(request.method, pathname, { status, headers, text });
        if (faults.length > 0) throw new Error(`not as documented: ${faults.join('; ')}`);
        return response;
      },
    });
  }

  async ask<T = WirePage>(
    path: string,
    { method = 'GET', key, headers = {}, json, body, undocumented = false }: Ask = {},
  ): Promise<Answer<T>> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key && { Authorization: `Bearer ${key}` }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
    });
    const text = await response.text();
    const faults = (await this.contract()).faultsOf(method, new URL(response.url).pathname, {
      status: response.status,
      headers: response.headers,
      text,
    });
    if (faults.length > 0 && !undocumented) throw new Error(`not as documented: ${faults.join('; ')}`);
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : {},
    };
  }

  list(tenant: Tenant, query: Record<string, string | number> = {}, key = tenant.key): Promise<Answer> {
    const search = new URLSearchParams({ project_id: tenant.project_id });
    for (const [name, value] of Object.entries(query)) search.set(name, String(value));
    return this.ask(`/v1/status-pages?${search}`, { key });
  }

  patch(
    tenant: Pick<Tenant, 'key'>,
    id: string,
    json: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.ask(`/v1/status-pages/${id}`, { method: 'PATCH', key: tenant.key, json, headers });
  }

  async tenant(): Promise<Tenant> {
    const { id: organization_id } = await this.app.get(OrganizationsService).create('Tenant');
    const project_id = await this.project(organization_id);
    const { key, id: key_id } = await this.key(organization_id);
    return { organization_id, project_id, key, key_id };
  }

  async project(organization_id: string): Promise<string> {
    return (await this.app.get(ProjectsService).createIn({ organization_id, name: 'Project' })).id;
  }

  async key(
    organization_id: string,
    { scopes = [...SCOPES], project_ids = null, expires_in = null }: KeyOptions = {},
  ): Promise<{ key: string; id: string }> {
    const expires_at = expires_in === null ? null : new Date(Date.now() + expires_in * 1000);
    const wanted = { organization_id, name: 'Key', scopes, project_ids, expires_at };
    return this.app.get(ApiKeysService).createIn(wanted);
  }

  async monitors({ organization_id, project_id }: Tenant, count: number): Promise<string[]> {
    const names = Array.from({ length: count }, (_, index) => ({ name: `Monitor ${index + 1}` }));
    const monitors = await this.app.get(MonitorsService).createIn({ organization_id, project_id }, names);
    return monitors.map(({ id }) => id);
  }

  page({ organization_id, project_id }: Tenant, wanted: Partial<NewStatusPage> = {}): Promise<StatusPageDto> {
    return this.app
      .get(StatusPagesService)
      .createIn({ organization_id, project_id }, { name: 'Page', ...wanted });
  }

  /** A statement on the database, around the service. */
  sql<T>(statement: string, parameters: unknown[] = []): Promise<T> {
    return this.app.get(DataSource).query(statement, parameters);
  }
}

interface KeyOptions {
  scopes?: Scope[];
  project_ids?: string[] | null;
  expires_in?: number | null;
}

/** Waits until `probe` answers something true, for at most a minute. */
export async function until<T>(probe: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error('waited a minute in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
