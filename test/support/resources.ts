import { randomUUID } from 'node:crypto';
import { type Scope } from '../../src/auth/scopes.js';
import type { Answer, Ask, One, Tenant, TestServer } from './server.js';

// A new resource is one entry in RESOURCES, and one in REFERENCES for each of its columns that holds ids without a
// foreign key. The tests in test/resources and test/architecture do the rest, and fail until both are complete.

/** A resource as it comes over the wire, with the fields that the generic tests read. */
export interface Row {
  id: string;
  project_id?: string;
  created_at: string;
  /** Only where the resource has versions. */
  updated_at?: string;
}

/** The fields of a body that are to be sent. */
export type Fields = Record<string, unknown>;

/** Makes the fields for a tenant. May make what they refer to first. */
type FieldsOf = (server: TestServer, tenant: Tenant) => Fields | Promise<Fields>;

export interface Resource {
  /** The table; also the resource's name in the tests. */
  table: string;
  path: string;
  scopes: { read: Scope; write: Scope };
  /** Whose the list is: a list of a project takes `project_id`, as does the body of a POST. */
  owner: 'project' | 'organization';
  /** The body of a POST, without `project_id`. */
  create: FieldsOf;
  /** By what follows `/:id`: for each PATCH, a new value of each field that it takes. */
  patches: Record<string, FieldsOf>;
  /** Other operations on one: POST with an empty body. By what follows `/:id`. */
  actions: string[];
  /** Why it has no `updated_at`, thus no ETag, and why its DELETE takes no `If-Match`. */
  unversioned?: string;
  /** Why its DELETE keeps the row. */
  kept?: string;
}

const unique = (): string => randomUUID().slice(-12);

const sectionsOf = async (server: TestServer, tenant: Tenant): Promise<object[]> => [
  { id: 'core', title: 'Core', monitor_ids: await server.monitors(tenant, 1) },
];

export const RESOURCES: Resource[] = [
  {
    table: 'projects',
    path: '/v1/projects',
    scopes: { read: 'projects:read', write: 'projects:write' },
    owner: 'organization',
    create: () => ({ name: 'Project' }),
    patches: { '': () => ({ name: 'Changed' }) },
    actions: [],
  },
  {
    table: 'monitors',
    path: '/v1/monitors',
    scopes: { read: 'monitors:read', write: 'monitors:write' },
    owner: 'project',
    create: () => ({ name: 'Monitor' }),
    patches: { '': () => ({ name: 'Changed', description: 'Changed' }) },
    actions: [],
  },
  {
    table: 'status_pages',
    path: '/v1/status-pages',
    scopes: { read: 'status_pages:read', write: 'status_pages:write' },
    owner: 'project',
    create: async (server, tenant) => ({ name: 'Page', sections: await sectionsOf(server, tenant) }),
    patches: {
      '': async (server, tenant) => ({
        name: 'Changed',
        is_public: false,
        accent_color: '#abcdef',
        sections: await sectionsOf(server, tenant),
      }),
      '/settings': () => ({
        slug: `changed-${unique()}`,
        description: 'Changed',
        show_powered_by: false,
        show_history: false,
        history_days: 30,
        rss_enabled: false,
        subscribe_enabled: true,
        custom_domain: `${unique()}.example`,
      }),
    },
    actions: [],
  },
  {
    table: 'api_keys',
    path: '/v1/api-keys',
    scopes: { read: 'api_keys:read', write: 'api_keys:write' },
    owner: 'organization',
    create: () => ({ name: 'Key', scopes: ['api_keys:write'] }),
    patches: {},
    actions: ['/rotate'],
    unversioned: 'a key changes only by being used, rotated and revoked',
    kept: 'a revoked key stays in the list',
  },
];

/** A column that holds ids of another resource without a foreign key: jsonb or uuid[]. */
export interface Reference {
  column: `${string}.${string}`;
  to: string;
  /** Fields of a body that make the column hold the id. */
  fields: (id: string) => Fields;
  /** Why the id stays when what it names is deleted. */
  kept?: string;
  /** Why no GIN index finds it. */
  unindexed?: string;
}

export const REFERENCES: Reference[] = [
  {
    column: 'status_pages.sections',
    to: 'monitors',
    fields: (id) => ({ sections: [{ id: 'core', title: 'Core', monitor_ids: [id] }] }),
  },
  {
    column: 'api_keys.project_ids',
    to: 'projects',
    fields: (id) => ({ project_ids: [id] }),
    kept: 'a key stays narrowed: without the id of its only project it would see none, or all',
    unindexed: 'nothing looks keys up by a project but their list, which has an index of its own',
  },
];

/** What an operation of a resource is tried on. */
export interface Sample {
  id: string;
  project_id: string;
  create: Fields;
  patches: Record<string, Fields>;
}

export interface Operation {
  /** As the router has it, such as `PATCH /v1/monitors/:id`. */
  route: string;
  scopes: Scope[];
  path: string;
  ask: Ask & { json?: Fields };
  /** Whether it names something of a tenant: then it is 404 for others. */
  names: boolean;
}

/** Resources by their tables, for `it.each` with `%s`: `$table` would stand in quotes. */
export const byTable = (resources: Resource[]): [string, Resource][] =>
  resources.map((resource) => [resource.table, resource]);

/** Resources by their paths, for `describe.each`. */
export const byPath = (resources: Resource[]): [string, Resource][] =>
  resources.map((resource) => [resource.path, resource]);

/** The resource of a table. */
export function resourceOf(table: string | undefined): Resource {
  const found = RESOURCES.find((resource) => resource.table === table);
  if (!found) throw new Error(`${table} is in no entry of RESOURCES`);
  return found;
}

/** A resource that is made by a POST; `extra` are fields in the place of the usual ones. */
export async function make(
  server: TestServer,
  tenant: Tenant,
  resource: Resource,
  extra: Fields = {},
): Promise<Row> {
  const { owner, path } = resource;
  const fields = { ...(await resource.create(server, tenant)), ...extra };
  const json = owner === 'project' ? { ...fields, project_id: tenant.project_id } : fields;
  const { status, text, body } = await server.ask<One<Row>>(path, { method: 'POST', key: tenant.key, json });
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
  return body.data;
}

/** A resource of a tenant, with a body for each operation. */
export async function sampleOf(server: TestServer, tenant: Tenant, resource: Resource): Promise<Sample> {
  const patches: Record<string, Fields> = {};
  for (const [suffix, fields] of Object.entries(resource.patches))
    patches[suffix] = await fields(server, tenant);
  return {
    id: (await make(server, tenant, resource)).id,
    project_id: tenant.project_id,
    create: await resource.create(server, tenant),
    patches,
  };
}

/** The path of a list of the tenant. */
export function listPath(
  { owner, path }: Resource,
  { project_id }: Pick<Tenant, 'project_id'>,
  query: Record<string, string> = {},
): string {
  const search = new URLSearchParams({ ...(owner === 'project' && { project_id }), ...query });
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Every operation of a resource on a sample, DELETE last: each succeeds if it is sent in this order. */
export function operationsOf(resource: Resource, { id, project_id, create, patches }: Sample): Operation[] {
  const { path, owner, scopes, actions } = resource;
  const ofProject = owner === 'project';
  const read = [scopes.read];
  const write = [scopes.write];
  const one = `${path}/${id}`;
  const on = (method: string, suffix: string, json?: Fields) => ({
    route: `${method} ${path}/:id${suffix}`,
    scopes: method === 'GET' ? read : write,
    path: one + suffix,
    ask: { method, json },
    names: true,
  });
  return [
    {
      route: `GET ${path}`,
      scopes: read,
      path: listPath(resource, { project_id }),
      ask: {},
      names: ofProject,
    },
    {
      route: `POST ${path}`,
      scopes: write,
      path,
      ask: { method: 'POST', json: ofProject ? { ...create, project_id } : create },
      names: ofProject,
    },
    on('GET', ''),
    ...Object.entries(patches).map(([suffix, fields]) => on('PATCH', suffix, fields)),
    ...actions.map((suffix) => on('POST', suffix, {})),
    on('DELETE', ''),
  ];
}

/** The operations that belong to no resource: a file that makes several, and the key in use. */
export function otherOperations({ project_id }: Pick<Sample, 'project_id'>): Operation[] {
  const fromYaml = (format: string, body: string): Operation => ({
    route: `POST /v1/imports/${format}`,
    scopes: ['status_pages:write', 'monitors:write'],
    path: `/v1/imports/${format}?project_id=${project_id}`,
    ask: { method: 'POST', body, headers: { 'Content-Type': 'application/yaml' } },
    names: true,
  });
  return [
    {
      route: 'POST /v1/imports/statuspage',
      scopes: ['status_pages:write', 'monitors:write'],
      path: `/v1/imports/statuspage?project_id=${project_id}`,
      ask: { method: 'POST', json: { page: { name: 'Page' }, components: [] } },
      names: true,
    },
    fromYaml('upptime', 'sites: []\nstatus-website: { name: Page }\n'),
    fromYaml('gatus', 'endpoints: []\n'),
    { route: 'GET /v1/me', scopes: [], path: '/v1/me', ask: {}, names: false },
  ];
}

/** The routes that an operation is in, of resources and others: each of them is tried by the generic tests. */
export function coveredRoutes(): string[] {
  const nothing = { id: '', project_id: '', create: {} };
  const routes = RESOURCES.flatMap((resource) => {
    const patches = Object.fromEntries(Object.keys(resource.patches).map((suffix) => [suffix, {}]));
    return operationsOf(resource, { ...nothing, patches }).map(({ route }) => route);
  });
  return [...routes, ...otherOperations(nothing).map(({ route }) => route)];
}

/** What a client can tell an answer by: all but the request id and the date. */
export function visible({ status, headers, body }: Pick<Answer<unknown>, 'status' | 'headers' | 'body'>) {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status, headers: kept, body: JSON.stringify({ ...body, request_id: '' }) };
}
