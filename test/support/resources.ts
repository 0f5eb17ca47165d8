import { randomUUID } from 'node:crypto';
import { scopesOf } from '../../src/members/roles.js';
import { type Scope } from '../../src/platform/auth/scopes.js';
import type { Answer, Ask, One, ListPage, Tenant, TestServer } from './server.js';

// A new resource requires one entry in RESOURCES, and one in REFERENCES for each of its columns that stores IDs
// without a foreign key. The tests in test/resources and test/architecture fail until both are complete.

/** A resource as returned by the API, with the fields that the generic tests read. */
export interface Row {
  id: string;
  project_id?: string;
  created_at: string;
  /** Only if the resource has versions. */
  updated_at?: string;
}

/** The fields of a body to send. */
export type Fields = Record<string, unknown>;

/** Creates the fields for a tenant. Can first create the resources that they refer to. */
type FieldsOf = (server: TestServer, tenant: Tenant) => Fields | Promise<Fields>;

export interface Resource {
  /** The table, which is also the resource's name in the tests. */
  table: string;
  path: string;
  scopes: { read: Scope; write: Scope };
  /** Scopes that a written row grants, and that its writer must have. */
  granted?: Scope[];
  /** The owner of the list. A list of a project or a status page requires its ID, like the body of a POST. */
  owner: 'project' | 'organization' | 'status_page';
  /** The body of a POST, without `project_id`. For a resource of a status page, use {@link pageOf}. */
  create: FieldsOf;
  /** For each PATCH, by the path after `/:id`: a new value of each field that it accepts. */
  patches: Record<string, FieldsOf>;
  /** Fields of a PATCH that the generic tests leave out, with the reasons. */
  conditional?: Record<string, string>;
  /** Read-only fields that change with a value of `patches`, by the field. */
  derived?: Record<string, Fields>;
  /** Further POST operations on one resource, with an empty body, by the path after `/:id`. */
  actions: string[];
  /** The reason why it has no `updated_at`, and so no ETag, and why its DELETE ignores `If-Match`. */
  unversioned?: string;
  /** The reason why its DELETE keeps the row. */
  kept?: string;
  /** The reason why the deletion of its project deletes it instead of failing. */
  goesWithProject?: string;
}

const unique = (): string => randomUUID().slice(-12);

/** A domain whose checks fail without DNS. */
const newDomain = (): string => `${unique()}.localhost`;

/** A time of a maintenance window: hours after the same time in 30 days. */
const inAMonth = (hours: number): string =>
  new Date(Date.now() + (30 * 24 + hours) * 3_600_000).toISOString();

const sectionsOf = async (server: TestServer, tenant: Tenant): Promise<object[]> => [
  { id: 'core', title: 'Core', monitor_ids: await server.monitors(tenant, 1) },
];

/** The status pages that own samples, by their projects. */
const pages = new Map<string, string>();

/** A status page of the tenant's project, always the same one until it is deleted. */
async function pageOf(server: TestServer, tenant: Tenant): Promise<string> {
  const { project_id, key } = tenant;
  const found = pages.get(project_id);
  if (found !== undefined) {
    const { status } = await server.ask(`/v1/status-pages/${found}`, { key });
    if (status !== 404) return found;
  }
  const { id } = await server.page(tenant);
  pages.set(project_id, id);
  return id;
}

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
    patches: {
      '': async (server, tenant) => ({
        name: 'Changed',
        key: `changed-${unique()}`,
        description: 'Changed',
        stale_after_seconds: 300,
        draft_template_id: (await make(server, tenant, resourceOf('incident_templates'))).id,
      }),
    },
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
        custom_domain: newDomain(),
      }),
    },
    actions: [],
  },
  {
    table: 'incidents',
    path: '/v1/incidents',
    scopes: { read: 'incidents:read', write: 'incidents:write' },
    owner: 'project',
    create: () => ({ title: 'Incident', body: 'The first update.' }),
    patches: {
      '': async (server, tenant) => ({
        title: 'Changed',
        impact: 'minor',
        started_at: '2026-01-10T02:00:00.000Z',
        status_page_ids: [(await server.page(tenant)).id],
        postmortem: 'Changed',
      }),
    },
    actions: [],
    goesWithProject: 'it says nothing of what is not there any more',
  },
  {
    table: 'maintenances',
    path: '/v1/maintenances',
    scopes: { read: 'maintenances:read', write: 'maintenances:write' },
    owner: 'project',
    create: () => ({ title: 'Maintenance', starts_at: inAMonth(0), ends_at: inAMonth(2) }),
    patches: {
      '': async (server, tenant) => ({
        title: 'Changed',
        body: 'Changed',
        starts_at: inAMonth(1),
        ends_at: inAMonth(3),
        monitor_ids: await server.monitors(tenant, 1),
        status_page_ids: [(await server.page(tenant)).id],
        status: 'cancelled',
      }),
    },
    actions: [],
    goesWithProject: 'it says nothing of what is not there any more',
  },
  {
    table: 'incident_templates',
    path: '/v1/incident-templates',
    scopes: { read: 'incidents:read', write: 'incidents:write' },
    owner: 'project',
    create: () => ({ name: 'API outage', title: 'The API is unavailable' }),
    patches: {
      '': async (server, tenant) => ({
        name: 'Changed',
        title: 'Changed',
        body: 'Changed',
        status: 'identified',
        monitors: (await server.monitors(tenant, 1)).map((monitor_id) => ({
          monitor_id,
          status: 'partial_outage',
        })),
      }),
    },
    actions: [],
    goesWithProject: 'it prepares incidents of this project only',
  },
  {
    table: 'subscribers',
    path: '/v1/subscribers',
    scopes: { read: 'subscribers:read', write: 'subscribers:write' },
    owner: 'status_page',
    create: async (server, tenant) => ({
      status_page_id: await pageOf(server, tenant),
      email: `${unique()}@example.com`,
      confirmed: true,
    }),
    patches: {
      '': async (server, tenant) => ({
        monitor_ids: await server.monitors(tenant, 1),
        detail: 'edges',
        maintenances: false,
        status: 'suppressed',
      }),
    },
    derived: { status: { suppressed_reason: 'manual' } },
    actions: [],
  },
  {
    table: 'webhook_endpoints',
    path: '/v1/webhook-endpoints',
    scopes: { read: 'webhooks:read', write: 'webhooks:write' },
    owner: 'project',
    create: () => ({ url: `https://localhost/${unique()}` }), // is not public, so that tests of it fail without DNS
    patches: {
      '': async (server, tenant) => ({
        url: 'https://hooks.example.com/changed',
        description: 'Changed',
        event_types: ['incident.created'],
        format: 'slack',
        status: 'disabled',
        status_page_id: (await server.page(tenant)).id,
      }),
    },
    derived: { status: { disabled_reason: 'manual' } },
    actions: [],
    goesWithProject: 'it gets the events of this project only',
  },
  {
    table: 'checks',
    path: '/v1/checks',
    scopes: { read: 'monitors:read', write: 'monitors:write' },
    owner: 'project',
    create: async (server, tenant) => ({
      monitor_id: (await server.monitors(tenant, 1))[0],
      type: 'http',
      target: `http://localhost/${unique()}`, // is not public, so that a run of it fails without DNS
    }),
    patches: {
      '': () => ({
        target: 'http://localhost/changed',
        interval_seconds: 300,
        timeout_seconds: 20,
        failures: 3,
        recoveries: 2,
        degraded_above_ms: 500,
        status_on_failure: 'partial_outage',
        enabled: false,
        method: 'POST',
        body: 'Changed',
        expected_status: '200-299,401',
        body_contains: 'ok',
        follow_redirects: false,
      }),
    },
    conditional: {
      type: 'each type has targets of its own form',
      headers: 'no response contains their values',
      record_type: 'only for checks of the type dns',
      expected: 'only for checks of the type dns',
      days_before_expiry: 'only for checks of the type tls',
    },
    actions: [],
  },
  {
    table: 'incident_drafts',
    path: '/v1/incident-drafts',
    scopes: { read: 'incidents:read', write: 'incidents:write' },
    owner: 'project',
    create: () => ({ title: 'The API is unavailable' }),
    patches: {
      '': async (server, tenant) => ({
        title: 'Changed',
        body: 'Changed',
        status: 'identified',
        monitors: (await server.monitors(tenant, 1)).map((monitor_id) => ({
          monitor_id,
          status: 'partial_outage',
        })),
      }),
    },
    actions: [],
    goesWithProject: 'it proposes an incident of this project',
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
  {
    table: 'members',
    path: '/v1/members',
    scopes: { read: 'members:read', write: 'members:write' },
    granted: scopesOf('responder'),
    owner: 'organization',
    create: () => ({ email: `${unique()}@example.com`, name: 'Member', role: 'viewer' }),
    patches: {
      '': (_server, { project_id }) => ({
        name: 'Changed',
        role: 'responder',
        project_ids: [project_id],
        status: 'disabled',
      }),
    },
    actions: [],
  },
];

/** Tables that belong to a resource but not to operations of their own. */
export const PARTS = [
  'access_email_requests',
  'access_email_tokens',
  'access_links',
  'check_states',
  'deferred_status_changes',
  'erased_subscribers',
  'former_slugs',
  'idempotency_keys',
  'incident_impacts',
  'incident_updates',
  'maintenance_updates',
  'member_links',
  'member_passkeys',
  'member_sessions',
  'monitor_days',
  'monitor_runs',
  'monitor_states',
  'preview_links',
  'response_times',
  'status_page_access',
  'status_page_branding',
  'status_page_domains',
  'status_page_images',
  'subscription_requests',
];

/** The tables among them that have versions, because operations exist for their rows. */
export const VERSIONED_PARTS = ['incident_updates', 'maintenance_updates'];

/** The tables among them with versions that have one row for each resource, so that nothing creates or deletes them. */
export const SINGLE_PARTS = ['status_page_access', 'status_page_branding'];

/**
 * Tables of former values, which can contain IDs of deleted rows, without foreign keys. A cleanup deletes old rows.
 */
export const PAST = [
  'deleted_status_pages',
  'deliveries',
  'events',
  'response_samples',
  'status_page_revisions',
];

/** A column that stores IDs of another resource without a foreign key: jsonb or uuid[]. */
export interface Reference {
  column: `${string}.${string}`;
  to: string;
  /** Fields of a body that store the ID in the column. */
  fields: (id: string) => Fields;
  /** The reason why the ID stays after its resource is deleted. */
  kept?: string;
  /** The reason why a row whose only ID is deleted is deleted with it. */
  ends?: string;
  /** The reason why it has no GIN index. */
  unindexed?: string;
  /** For a part of a resource: the table of the resource whose `fields` store the ID. */
  of?: string;
}

export const REFERENCES: Reference[] = [
  {
    column: 'status_pages.sections',
    to: 'monitors',
    fields: (id) => ({ sections: [{ id: 'core', title: 'Core', monitor_ids: [id] }] }),
  },
  {
    column: 'incidents.monitors',
    to: 'monitors',
    fields: (id) => ({ monitors: [{ monitor_id: id, status: 'major_outage' }] }),
    unindexed: 'the updates of the incident name the monitor, too, and have an index',
  },
  {
    column: 'incident_updates.monitors',
    to: 'monitors',
    fields: (id) => ({ monitors: [{ monitor_id: id, status: 'major_outage' }] }),
    of: 'incidents',
  },
  {
    column: 'incidents.status_page_ids',
    to: 'status_pages',
    fields: (id) => ({ status_page_ids: [id] }),
  },
  {
    column: 'incident_templates.monitors',
    to: 'monitors',
    fields: (id) => ({ monitors: [{ monitor_id: id, status: 'major_outage' }] }),
  },
  {
    column: 'incident_drafts.monitors',
    to: 'monitors',
    fields: (id) => ({ monitors: [{ monitor_id: id, status: 'major_outage' }] }),
  },
  {
    column: 'maintenances.monitor_ids',
    to: 'monitors',
    fields: (id) => ({ monitor_ids: [id] }),
  },
  {
    column: 'maintenances.status_page_ids',
    to: 'status_pages',
    fields: (id) => ({ status_page_ids: [id] }),
  },
  {
    column: 'subscribers.monitor_ids',
    to: 'monitors',
    fields: (id) => ({ monitor_ids: [id] }),
    ends: 'it would otherwise be about all monitors',
  },
  {
    column: 'api_keys.project_ids',
    to: 'projects',
    fields: (id) => ({ project_ids: [id] }),
    kept: 'a key stays narrowed: without the id of its only project it would see none, or all',
    unindexed: 'nothing looks keys up by a project but their list, which has an index of its own',
  },
  {
    column: 'members.project_ids',
    to: 'projects',
    fields: (id) => ({ project_ids: [id] }),
    kept: 'a member stays narrowed: without the id of the only project, the member would see none, or all',
    unindexed: 'nothing looks members up by a project but their list, which reads at most 1,000',
  },
];

/** The target of a resource's operation. */
export interface Sample {
  id: string;
  project_id: string;
  create: Fields;
  patches: Record<string, Fields>;
}

export interface Operation {
  /** As in the router, such as `PATCH /v1/monitors/:id`. */
  route: string;
  scopes: Scope[];
  /** Scopes that the key needs for what the body grants. */
  granted?: Scope[];
  path: string;
  ask: Ask & { json?: Fields };
  /** The success status, if it is not the method's default. */
  status?: number;
  /** Whether it refers to a tenant's resource, so that it returns 404 for others. */
  names: boolean;
}

/** Resources by their tables, for `it.each` with `%s`, because `$table` would be shown in quotes. */
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

/** A resource created by a POST; `extra` fields replace the default ones. */
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

/** A tenant's resource, with a body for each operation. */
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

/** The path of the tenant's list. */
export function listPath(
  { owner, path }: Resource,
  { project_id }: Pick<Tenant, 'project_id'>,
  query: Record<string, string> = {},
): string {
  const search = new URLSearchParams({
    ...(owner === 'project' && { project_id }),
    ...(owner === 'status_page' && { status_page_id: pages.get(project_id) ?? '' }),
    ...query,
  });
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Every operation of a resource on a sample, DELETE last. Each succeeds if they are sent in this order. */
export function operationsOf(resource: Resource, { id, project_id, create, patches }: Sample): Operation[] {
  const { path, owner, scopes, actions, granted = [] } = resource;
  const projectParameters = owner === 'project';
  const read = [scopes.read];
  const write = [scopes.write];
  const one = `${path}/${id}`;
  const on = (method: string, suffix: string, json?: Fields) => ({
    route: `${method} ${path}/:id${suffix}`,
    scopes: method === 'GET' ? read : write,
    granted: json ? granted : [],
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
      names: owner !== 'organization',
    },
    {
      route: `POST ${path}`,
      scopes: write,
      granted,
      path,
      ask: { method: 'POST', json: projectParameters ? { ...create, project_id } : create },
      names: owner !== 'organization',
    },
    on('GET', ''),
    ...Object.entries(patches).map(([suffix, fields]) => on('PATCH', suffix, fields)),
    ...actions.map((suffix) => on('POST', suffix, {})),
    on('DELETE', ''),
  ];
}

/** The IDs that {@link otherOperations} refer to. */
type OtherIds = Record<
  | 'project_id'
  | 'monitor_id'
  | 'page_id'
  | 'deleted_page_id'
  | 'incident_id'
  | 'update_id'
  | 'maintenance_id'
  | 'maintenance_update_id'
  | 'webhook_endpoint_id'
  | 'delivery_id'
  | 'access_link_id'
  | 'check_id'
  | 'draft_id',
  string
>;

/** The operations that do not belong to one resource, on new resources of a tenant. */
export async function otherOperations(server: TestServer, tenant: Tenant): Promise<Operation[]> {
  const [monitor_id = ''] = await server.monitors(tenant, 1);
  const incident = await make(server, tenant, resourceOf('incidents'));
  const path = `/v1/incidents/${incident.id}/updates`;
  const { body } = await server.ask<ListPage<Row>>(path, { key: tenant.key });
  const maintenance = await make(server, tenant, resourceOf('maintenances'));
  const posted = await server.ask<One<Row>>(`/v1/maintenances/${maintenance.id}/updates`, {
    method: 'POST',
    key: tenant.key,
    json: { body: 'The first update.' },
  });
  const { id: deleted_page_id } = await make(server, tenant, resourceOf('status_pages'), {
    slug: `deleted-${unique()}`, // remains free until the page is restored
  });
  await server.ask(`/v1/status-pages/${deleted_page_id}`, { method: 'DELETE', key: tenant.key });
  const { id: webhook_endpoint_id } = await make(server, tenant, resourceOf('webhook_endpoints'));
  const { id: check_id } = await make(server, tenant, resourceOf('checks'));
  const page = await make(server, tenant, resourceOf('status_pages'), { custom_domain: newDomain() });
  const link = await server.ask<One<Row>>(`/v1/status-pages/${page.id}/access/links`, {
    method: 'POST',
    key: tenant.key,
    json: { description: 'A feed reader' },
  });
  return otherOperationsOn({
    project_id: tenant.project_id,
    monitor_id,
    page_id: page.id,
    access_link_id: link.body.data.id,
    deleted_page_id,
    incident_id: incident.id,
    update_id: body.data[0]?.id ?? '',
    maintenance_id: maintenance.id,
    maintenance_update_id: posted.body.data.id,
    webhook_endpoint_id,
    check_id,
    draft_id: (await make(server, tenant, resourceOf('incident_drafts'))).id,
    delivery_id: await deliveryTo(server, tenant, webhook_endpoint_id),
  });
}

/** All operations, each on a row of the tenant that exists. */
export async function everyOperation(server: TestServer, tenant: Tenant): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const resource of RESOURCES) {
    const sample = await sampleOf(server, tenant, resource);
    const row = await make(server, tenant, resource).catch(() => ({ id: sample.id }));
    const own =
      resource.table === 'projects' ? { ...sample, id: tenant.project_id } : { ...sample, id: row.id };
    operations.push(...operationsOf(resource, own));
  }
  return [...operations, ...(await otherOperations(server, tenant))];
}

/**
 * The operations on an update of an incident. The second one posts another update, so that the last one can delete
 * it.
 */
function updateOperations({ monitor_id, incident_id, update_id }: OtherIds): Operation[] {
  const on = (method: string, id: string, json?: Fields): Operation => ({
    route: `${method} /v1/incidents/:id/updates${id && '/:update_id'}`,
    scopes: [method === 'GET' ? 'incidents:read' : 'incidents:write'],
    path: `/v1/incidents/${incident_id}/updates${id && `/${id}`}`,
    ask: { method, json },
    names: true,
  });
  return [
    on('GET', ''),
    on('POST', '', {
      status: 'identified',
      body: 'Another update.',
      monitors: [{ monitor_id, status: 'major_outage' }],
    }),
    on('GET', update_id),
    on('PATCH', update_id, { body: 'Changed' }),
    on('DELETE', update_id),
  ];
}

/** The operations on an update of a maintenance window. */
function maintenanceUpdateOperations({ maintenance_id, maintenance_update_id }: OtherIds): Operation[] {
  const on = (method: string, id: string, json?: Fields): Operation => ({
    route: `${method} /v1/maintenances/:id/updates${id && '/:update_id'}`,
    scopes: [method === 'GET' ? 'maintenances:read' : 'maintenances:write'],
    path: `/v1/maintenances/${maintenance_id}/updates${id && `/${id}`}`,
    ask: { method, json },
    names: true,
  });
  return [
    on('GET', ''),
    on('POST', '', { body: 'Another update.' }),
    on('GET', maintenance_update_id),
    on('PATCH', maintenance_update_id, { body: 'Changed' }),
    on('DELETE', maintenance_update_id),
  ];
}

/** The operations on revisions of a status page, and on a deleted page. */
function restoreOperations({ project_id, page_id, deleted_page_id }: OtherIds): Operation[] {
  const one = '/v1/status-pages/:id';
  const read = { scopes: ['status_pages:read' as const], ask: {}, names: true };
  const write = {
    status: 200,
    scopes: ['status_pages:write' as const],
    ask: { method: 'POST', json: {} },
    names: true,
  };
  const revisions = `/v1/status-pages/${page_id}/revisions`;
  return [
    { ...read, route: `GET ${one}/revisions`, path: revisions },
    { ...read, route: `GET ${one}/revisions/:number`, path: `${revisions}/1` },
    { ...write, route: `POST ${one}/revisions/:number/restore`, path: `${revisions}/1/restore` },
    {
      ...read,
      route: 'GET /v1/deleted-status-pages',
      path: `/v1/deleted-status-pages?project_id=${project_id}`,
    },
    { ...write, route: `POST ${one}/restore`, path: `/v1/status-pages/${deleted_page_id}/restore` },
  ];
}

/** The further operations on webhook endpoints. */
function webhookOperations({ webhook_endpoint_id, delivery_id }: OtherIds): Operation[] {
  const post = (path: string, id: string, suffix: string, json = {}): Operation => ({
    route: `POST /v1/${path}/:id/${suffix}`,
    status: 200,
    scopes: ['webhooks:write'],
    path: `/v1/${path}/${id}/${suffix}`,
    ask: { method: 'POST', json },
    names: true,
  });
  return [
    {
      route: 'GET /v1/deliveries',
      scopes: ['webhooks:read'],
      path: `/v1/deliveries?endpoint_id=${webhook_endpoint_id}`,
      ask: {},
      names: true,
    },
    post('deliveries', delivery_id, 'retry'),
    post('webhook-endpoints', webhook_endpoint_id, 'rotate-secret'),
    post('webhook-endpoints', webhook_endpoint_id, 'test'),
    post('webhook-endpoints', webhook_endpoint_id, 'replay', {
      since: new Date(Date.now() - 3_600_000).toISOString(),
    }),
  ];
}

/** A failed delivery to a webhook endpoint. The server of the tests does not deliver by itself. */
export async function deliveryTo(
  server: TestServer,
  { organization_id, project_id }: Tenant,
  endpoint_id: string,
): Promise<string> {
  const id = randomUUID();
  await server.sql(
    `INSERT INTO deliveries (id, organization_id, project_id, channel, event_id, recipient_id, status, due_at, finished_at)
     SELECT $1, organization_id, project_id, 'webhook', id, $4, 'failed', now(), now()
       FROM events
      WHERE organization_id = $2 AND project_id = $3 AND created_at <= now() AND is_notified
      LIMIT 1`,
    [id, organization_id, project_id, endpoint_id],
  );
  return id;
}

/** A small picture. */
export const SMALL_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="16"><path d="M0 0h32v16z"/></svg>';

/** The operations on the branding of a status page. */
function brandingOperations({ page_id }: OtherIds): Operation[] {
  const at = (method: string, suffix: string, ask: Operation['ask']): Operation => ({
    route: `${method} /v1/status-pages/:id/branding${suffix}`,
    scopes: [method === 'GET' ? 'status_pages:read' : 'status_pages:write'],
    path: `/v1/status-pages/${page_id}/branding${suffix}`,
    ask: { ...ask, method },
    names: true,
  });
  const on = (method: string, json?: Fields) => at(method, '', { json });
  const headers = { 'Content-Type': 'image/svg+xml' };
  return [
    on('GET'),
    on('PATCH', {
      language: 'de',
      time_zone: 'Europe/Berlin',
      website_url: 'https://acme.example',
      support_url: 'mailto:support@acme.example',
      links: [{ label: 'Docs', url: 'https://docs.acme.example', placement: 'header' }],
      theme: 'dark',
      show_response_times: true,
    }),
    ...['/logo', '/logo-dark', '/favicon'].flatMap((suffix) => [
      at('PUT', suffix, { headers, body: SMALL_SVG }),
      at('DELETE', suffix, {}),
    ]),
  ];
}

/** The operations on the rules of who may see a private status page, and on its links with tokens. */
function accessOperations({ page_id, access_link_id }: OtherIds): Operation[] {
  const on = (method: string, suffix: string, json?: Fields, id = ''): Operation => ({
    route: `${method} /v1/status-pages/:id/access${suffix}`,
    scopes: ['status_pages:write'], // the rules name people
    path: `/v1/status-pages/${page_id}/access${suffix.replace(':link_id', id)}`,
    ask: { method, json },
    names: true,
  });
  return [
    on('GET', ''),
    on('PUT', '', {
      emails: ['jane@acme.example'],
      email_domains: ['acme.example'],
      networks: ['192.0.2.0/24'],
      oidc: { issuer: 'https://login.acme.example', client_id: 'status-page', email_domains: [] },
    }),
    on('GET', '/links'),
    on('POST', '/links', { description: 'A dashboard' }),
    on('DELETE', '/links/:link_id', undefined, access_link_id),
  ];
}

/** The operations that do not belong to one resource, on these IDs. */
export function otherOperationsOn(ids: OtherIds): Operation[] {
  const { project_id, monitor_id, page_id } = ids;
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
    {
      route: 'POST /v1/monitor-reports',
      status: 200,
      scopes: ['monitor_reports:write'],
      path: '/v1/monitor-reports',
      ask: {
        method: 'POST',
        json: {
          project_id,
          reports: [
            {
              monitor_id,
              status: 'operational',
              observed_at: new Date(Date.now() - 3_600_000).toISOString(),
            },
            { monitor_id, status: 'major_outage' },
          ],
        },
      },
      names: true,
    },
    ...updateOperations(ids),
    ...maintenanceUpdateOperations(ids),
    ...restoreOperations(ids),
    ...brandingOperations(ids),
    ...accessOperations(ids),
    ...webhookOperations(ids),
    {
      route: 'GET /v1/checks/:id/state',
      scopes: ['monitors:read'],
      path: `/v1/checks/${ids.check_id}/state`,
      ask: {},
      names: true,
    },
    {
      route: 'POST /v1/checks/:id/run',
      status: 200,
      scopes: ['monitors:write'],
      path: `/v1/checks/${ids.check_id}/run`,
      ask: { method: 'POST' },
      names: true,
    },
    {
      route: 'POST /v1/incident-drafts/:id/publish',
      status: 201,
      scopes: ['incidents:write'],
      path: `/v1/incident-drafts/${ids.draft_id}/publish`,
      ask: { method: 'POST', json: { notify: false } },
      names: true,
    },
    {
      route: 'POST /v1/receivers/alertmanager',
      status: 200,
      scopes: ['monitor_reports:write'],
      path: `/v1/receivers/alertmanager?project_id=${project_id}`,
      ask: {
        method: 'POST',
        json: {
          version: '4',
          alerts: [
            {
              status: 'firing',
              labels: { monitor_id },
              startsAt: new Date(Date.now() - 60_000).toISOString(),
              endsAt: '0001-01-01T00:00:00Z',
            },
          ],
        },
      },
      names: true,
    },
    {
      route: 'POST /v1/receivers/bounces',
      status: 200,
      scopes: ['subscribers:write'],
      path: '/v1/receivers/bounces',
      ask: { method: 'POST', json: { email: 'visitor@example.com', type: 'hard' } },
      names: false,
    },
    ...['GET', 'POST'].map((method) => ({
      route: `${method} /v1/receivers/push`,
      status: 200,
      scopes: ['monitor_reports:write' as const],
      path: `/v1/receivers/push?monitor_id=${monitor_id}`,
      ask: { method },
      names: true,
    })),
    {
      route: 'GET /v1/monitors/:id/status',
      scopes: ['monitors:read'],
      path: `/v1/monitors/${monitor_id}/status`,
      ask: {},
      names: true,
    },
    {
      route: 'GET /v1/monitors/:id/days',
      scopes: ['monitors:read'],
      path: `/v1/monitors/${monitor_id}/days`,
      ask: {},
      names: true,
    },
    {
      route: 'GET /v1/monitors/:id/response-times',
      scopes: ['monitors:read'],
      path: `/v1/monitors/${monitor_id}/response-times`,
      ask: {},
      names: true,
    },
    {
      route: 'GET /v1/monitor-statuses',
      scopes: ['monitors:read'],
      path: `/v1/monitor-statuses?project_id=${project_id}`,
      ask: {},
      names: true,
    },
    {
      route: 'GET /v1/status-pages/:id/summary',
      scopes: ['status_pages:read'],
      path: `/v1/status-pages/${page_id}/summary`,
      ask: {},
      names: true,
    },
    {
      route: 'GET /v1/status-pages/:id/domain',
      scopes: ['status_pages:read'],
      path: `/v1/status-pages/${page_id}/domain`,
      ask: {},
      names: true,
    },
    {
      route: 'POST /v1/status-pages/:id/domain/verify',
      status: 200,
      scopes: ['status_pages:write'],
      path: `/v1/status-pages/${page_id}/domain/verify`,
      ask: { method: 'POST' },
      names: true,
    },
    {
      route: 'POST /v1/status-pages/:id/preview-links',
      scopes: ['status_pages:read'],
      path: `/v1/status-pages/${page_id}/preview-links`,
      ask: { method: 'POST', json: {} },
      names: true,
    },
    {
      route: 'GET /v1/events',
      scopes: ['events:read'],
      path: `/v1/events?project_id=${project_id}`,
      ask: {},
      names: true,
    },
    {
      route: 'POST /v1/subscribers/batch',
      status: 200,
      scopes: ['subscribers:write'],
      path: '/v1/subscribers/batch',
      ask: {
        method: 'POST',
        json: { status_page_id: page_id, confirmed: true, subscribers: [{ email: 'ada@example.com' }] },
      },
      names: true,
    },
    fromYaml('upptime', 'sites: []\nstatus-website: { name: Page }\n'),
    fromYaml('gatus', 'endpoints: []\n'),
    { route: 'GET /v1/me', scopes: [], path: '/v1/me', ask: {}, names: false },
  ];
}

const NO_IDS = {
  project_id: '',
  monitor_id: '',
  page_id: '',
  deleted_page_id: '',
  incident_id: '',
  update_id: 'none',
  maintenance_id: '',
  maintenance_update_id: 'none',
  webhook_endpoint_id: '',
  check_id: '',
  draft_id: '',
  delivery_id: '',
  access_link_id: '',
};

/** The routes of all operations, with or without a resource. The generic tests cover each of them. */
export function coveredRoutes(): string[] {
  const nothing = { id: '', project_id: '', create: {} };
  const routes = RESOURCES.flatMap((resource) => {
    const patches = Object.fromEntries(Object.keys(resource.patches).map((suffix) => [suffix, {}]));
    return operationsOf(resource, { ...nothing, patches }).map(({ route }) => route);
  });
  return [...routes, ...otherOperationsOn(NO_IDS).map(({ route }) => route)];
}

/** The part of a response that identifies it for a client: everything except the request ID and the date. */
export function visible({ status, headers, body }: Pick<Answer<unknown>, 'status' | 'headers' | 'body'>) {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status, headers: kept, body: JSON.stringify({ ...body, request_id: '' }) };
}
