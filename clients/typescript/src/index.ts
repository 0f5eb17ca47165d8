import createFetchClient, { type Client } from 'openapi-fetch';
import { type Problem, StatusPagesError } from './error.js';
import { List, type Page } from './list.js';
import { type RetryOptions, withRetries } from './retry.js';
import type { components, operations, paths } from './schema.js';

export { List, type Page, type Problem, type RetryOptions, StatusPagesError };
export type { components, operations, paths };

type Schemas = components['schemas'];
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
/** The query of a list. The client passes the cursor itself. */
type ListQuery<Name extends keyof operations> = Omit<Query<Name>, 'cursor'>;

export type StatusPage = Schemas['StatusPage'];
export type StatusPageCreate = Schemas['StatusPageCreate'];
export type StatusPageUpdate = Schemas['StatusPageUpdate'];
export type StatusPageSettingsUpdate = Schemas['StatusPageSettingsUpdate'];
export type Section = Schemas['Section'];
export type Project = Schemas['Project'];
export type ProjectCreate = Schemas['ProjectCreate'];
export type ProjectUpdate = Schemas['ProjectUpdate'];
export type Monitor = Schemas['Monitor'];
export type MonitorCreate = Schemas['MonitorCreate'];
export type MonitorUpdate = Schemas['MonitorUpdate'];
export type ApiKey = Schemas['ApiKey'];
export type ApiKeyCreate = Schemas['ApiKeyCreate'];
export type ApiKeyRotation = Schemas['ApiKeyRotation'];
export type NewApiKey = Schemas['NewApiKey'];
export type Me = Schemas['Me'];
export type ImportReport = Schemas['ImportReport'];

export interface ClientOptions extends RetryOptions {
  /** The URL of the API without `/v1`, such as `https://status.example.com`. */
  baseUrl: string;
  /** The API key, `sp_…`, sent as a bearer token. */
  apiKey: string;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Makes a change conditional: it fails with 412 `precondition_failed` if the resource has changed. */
export interface IfUnchanged {
  /** The resource as you read it, or its `updated_at`. */
  ifUnchanged?: { updated_at: string } | string;
}

// An interface: for an alias, tsc would emit a default import into dist/cjs, which needs esModuleInterop.
/** The openapi-fetch client of this API: `http.GET('/v1/me')` resolves to `data` or `error`, and `response`. */
export interface HttpClient extends Client<paths> {}

/**
 * Creates a client of the Status Pages API. Methods return the `data` of the response, and throw {@link StatusPagesError}
 * for an error response. The client retries requests after 429 and 503, see {@link RetryOptions}.
 *
 *     const client = createClient({ baseUrl: 'https://status.example.com', apiKey });
 *     const page = await client.statusPages.get(id);
 */
export function createClient({ baseUrl, apiKey, fetch: send, ...retry }: ClientOptions) {
  const http: HttpClient = createFetchClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: withRetries(send ?? ((request) => fetch(request)), retry),
  });

  return {
    /** All operations of the OpenAPI document, with key and retries. Returns errors instead of throwing them. */
    http,

    /** The API key in use. */
    me: async (): Promise<Me> => dataOf(await http.GET('/v1/me')),

    statusPages: {
      list: (query: ListQuery<'listStatusPages'>): List<StatusPage> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/status-pages', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: StatusPageCreate): Promise<StatusPage> =>
        dataOf(await http.POST('/v1/status-pages', { body })),
      get: async (id: string): Promise<StatusPage> =>
        dataOf(await http.GET('/v1/status-pages/{id}', { params: { path: { id } } })),
      update: async (id: string, body: StatusPageUpdate, condition?: IfUnchanged): Promise<StatusPage> =>
        dataOf(await http.PATCH('/v1/status-pages/{id}', { params: paramsOf(id, condition), body })),
      updateSettings: async (
        id: string,
        body: StatusPageSettingsUpdate,
        condition?: IfUnchanged,
      ): Promise<StatusPage> =>
        dataOf(await http.PATCH('/v1/status-pages/{id}/settings', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/status-pages/{id}', { params: paramsOf(id, condition) })),
    },

    projects: {
      list: (query: ListQuery<'listProjects'> = {}): List<Project> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/projects', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: ProjectCreate): Promise<Project> =>
        dataOf(await http.POST('/v1/projects', { body })),
      get: async (id: string): Promise<Project> =>
        dataOf(await http.GET('/v1/projects/{id}', { params: { path: { id } } })),
      update: async (id: string, body: ProjectUpdate, condition?: IfUnchanged): Promise<Project> =>
        dataOf(await http.PATCH('/v1/projects/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/projects/{id}', { params: paramsOf(id, condition) })),
    },

    monitors: {
      list: (query: ListQuery<'listMonitors'>): List<Monitor> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/monitors', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: MonitorCreate): Promise<Monitor> =>
        dataOf(await http.POST('/v1/monitors', { body })),
      get: async (id: string): Promise<Monitor> =>
        dataOf(await http.GET('/v1/monitors/{id}', { params: { path: { id } } })),
      update: async (id: string, body: MonitorUpdate, condition?: IfUnchanged): Promise<Monitor> =>
        dataOf(await http.PATCH('/v1/monitors/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/monitors/{id}', { params: paramsOf(id, condition) })),
    },

    apiKeys: {
      list: (query: ListQuery<'listApiKeys'> = {}): List<ApiKey> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/api-keys', { params: { query: { ...query, cursor } } })),
        ),
      /** Only this response has the key itself. */
      create: async (body: ApiKeyCreate): Promise<NewApiKey> =>
        dataOf(await http.POST('/v1/api-keys', { body })),
      get: async (id: string): Promise<ApiKey> =>
        dataOf(await http.GET('/v1/api-keys/{id}', { params: { path: { id } } })),
      revoke: async (id: string): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/api-keys/{id}', { params: { path: { id } } })),
      /** Only this response has the new key itself. */
      rotate: async (id: string, body: ApiKeyRotation = {}): Promise<NewApiKey> =>
        dataOf(await http.POST('/v1/api-keys/{id}/rotate', { params: { path: { id } }, body })),
    },

    imports: {
      /** @param file a `components.json`, as text */
      statuspage: async (file: string, query: Query<'importStatuspage'>): Promise<ImportReport> =>
        dataOf(
          await http.POST('/v1/imports/statuspage', {
            params: { query },
            ...rawBody(file, 'application/json'),
            body: {}, // the type requires an object; the serializer sends the file
          }),
        ),
      /** @param file a `.upptimerc.yml`, as text */
      upptime: async (file: string, query: Query<'importUpptime'>): Promise<ImportReport> =>
        dataOf(
          await http.POST('/v1/imports/upptime', {
            params: { query },
            ...rawBody(file, 'application/yaml'),
          }),
        ),
      /** @param file a configuration of Gatus, as text */
      gatus: async (file: string, query: Query<'importGatus'>): Promise<ImportReport> =>
        dataOf(
          await http.POST('/v1/imports/gatus', {
            params: { query },
            ...rawBody(file, 'application/yaml'),
          }),
        ),
    },
  };
}

export type StatusPagesClient = ReturnType<typeof createClient>;

/** Sends a file unchanged as the body. */
function rawBody(file: string, type: string) {
  return { headers: { 'Content-Type': type }, body: file, bodySerializer: () => file };
}

/** The id as a path parameter, and the version as `If-Match`. */
function paramsOf(id: string, { ifUnchanged }: IfUnchanged = {}) {
  const version = typeof ifUnchanged === 'object' ? ifUnchanged.updated_at : ifUnchanged;
  return { path: { id }, header: version === undefined ? {} : { 'If-Match': `"${version}"` } };
}

interface FetchResult<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

function dataOf<T>({ data, error, response }: FetchResult<{ data: T }>): T {
  if (!data) throw toError(response, error);
  return data.data;
}

function pageOf<T>({ data, error, response }: FetchResult<Page<T>>): Page<T> {
  if (!data) throw toError(response, error);
  return data;
}

function requireSuccess({ error, response }: FetchResult<unknown>): void {
  if (!response.ok) throw toError(response, error);
}

function toError(response: Response, error: unknown): StatusPagesError {
  return new StatusPagesError(response, isProblem(error) ? error : undefined);
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error && 'request_id' in error;
}
