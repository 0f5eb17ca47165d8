import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/platform/auth/scopes.js';
import { ServedDocument } from '../fuzz/served-document.js';
import { hashesOf } from '../support/catalogue.js';
import {
  byTable,
  coveredRoutes,
  listPath,
  make,
  type Operation,
  operationsOf,
  otherOperations,
  type Resource,
  resourceOf,
  RESOURCES,
  type Row,
  sampleOf,
  visible,
} from '../support/resources.js';
import { routesOf } from '../support/routes.js';
import { type Answer, type One, type ListPage, type Tenant, useTestServer } from '../support/server.js';

const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

const server = useTestServer();
let us: Tenant;
let them: Tenant;

beforeAll(async () => {
  [us, them] = await Promise.all([server.tenant(), server.tenant()]);
});

const send = ({ path, ask }: Operation, key: string): Promise<Answer<One<Row>>> =>
  server.ask<One<Row>>(path, { ...ask, key });

const statusOfSuccess = ({ route, status }: Operation): number =>
  status ?? (route.startsWith('DELETE') ? 204 : route.startsWith('POST') ? 201 : 200);

/** Each resource, and the operations without a resource, each on a new resource of the tenant. */
const GROUPS: [name: string, operations: (tenant: Tenant) => Promise<Operation[]>][] = [
  ...byTable(RESOURCES).map(([table, resource]): [string, (tenant: Tenant) => Promise<Operation[]>] => [
    table,
    async (tenant) => operationsOf(resource, await sampleOf(server, tenant, resource)),
  ]),
  ['others', (tenant) => otherOperations(server, tenant)],
];

describe('API operations', () => {
  it('all appear in test/support/resources.ts', () => {
    const routes = routesOf(server.app).map(({ method, path }) => `${method} ${path}`);
    const ofApi = routes.filter((route) => route.includes(' /v1/'));
    expect(coveredRoutes().toSorted()).toEqual(ofApi.toSorted());
  });

  it('reject an ID that is not a UUID with 400 and its parameter', async () => {
    const routes = routesOf(server.app).filter(({ path }) => /^\/v1\/.*:/.test(path));
    expect(routes.length).toBeGreaterThan(0);
    for (const { method, path } of routes) {
      const json = method === 'GET' || method === 'DELETE' ? undefined : {};
      const bad = path.replaceAll(/:\w+/g, 'not-a-uuid');
      const { status, body } = await server.ask(bad, { method, key: us.key, json });
      const named = status === 400 ? body.errors?.map(({ parameter }) => parameter) : [];
      expect([method, path, status, named]).toEqual([
        method,
        path,
        400,
        expect.arrayContaining([...path.matchAll(/:(\w+)/g)].map(([, name]) => name)),
      ]);
    }
  });

  it.each(GROUPS)('for %s require exactly their scopes and list them in 403', async (_name, operations) => {
    for (const operation of await operations(us)) {
      const { route, scopes, granted = [] } = operation;
      for (const lacking of scopes) {
        const others = SCOPES.filter((scope) => scope !== lacking);
        const { key } = await server.key(us.organization_id, { scopes: others });
        const { status, headers } = await send(operation, key);
        expect([route, lacking, status]).toEqual([route, lacking, 403]);
        if (route.startsWith('GET')) {
          const head = await server.ask(operation.path, { method: 'HEAD', key });
          expect([route, 'HEAD', head.status]).toEqual([route, 'HEAD', 403]);
        }
        expect(headers.get('www-authenticate')).toContain(`scope="${scopes.join(' ')}"`);
      }
      const own = [...new Set([...scopes, ...granted])];
      const { key } = await server.key(us.organization_id, { scopes: own });
      const { status, text } = await send(operation, key);
      expect([route, status, text]).toEqual([route, statusOfSuccess(operation), text]);
    }
  });

  it.each(GROUPS)(
    'for %s return the same 404 for inaccessible and unknown IDs',
    async (_name, operations) => {
      const hidden = { ...us, project_id: await server.project(us.organization_id) };
      const narrowed = await server.key(us.organization_id, { project_ids: [us.project_id] });
      const foreign = (await operations(them)).filter(({ names }) => names);
      // A project does not contain itself: within its organization, a key hides it only if limited to other projects.
      const cases = [
        { operations: foreign, keys: [us.key, narrowed.key] },
        { operations: (await operations(hidden)).filter(({ names }) => names), keys: [narrowed.key] },
      ];
      const before = await hashesOf(server);
      for (const { operations: asked, keys } of cases) {
        for (const operation of [...asked, ...withoutFields(asked)]) {
          for (const key of keys) {
            const answer = await send(operation, key);
            expect([operation.route, answer.status]).toEqual([operation.route, 404]);
            const never = await send(nowhere(operation), key);
            expect(visible(answer)).toEqual(visible(never));
          }
        }
      }
      expect(await hashesOf(server)).toEqual(before);
      // Each request succeeds with a key that has access, so the requests are valid.
      for (const operation of foreign) {
        const { status } = await send(operation, them.key);
        expect([operation.route, status]).toEqual([operation.route, statusOfSuccess(operation)]);
      }
    },
  );

  it.each(GROUPS)('for %s return the same headers for HEAD as for GET', async (_name, operations) => {
    const gets = (await operations(us)).filter(({ route }) => route.startsWith('GET'));
    const shown = ({ status, headers }: Pick<Answer, 'status' | 'headers'>) => [
      status,
      ...['content-type', 'etag', 'allow'].map((name) => headers.get(name)),
    ];
    const wanted: unknown[][] = [];
    // GET caches computed values, so that HEAD finds them.
    for (const operation of gets) wanted.push([operation.route, '', ...shown(await send(operation, us.key))]);
    const before = await hashesOf(server);
    const heads: unknown[][] = [];
    for (const { route, path } of gets) {
      const head = await server.ask(path, { method: 'HEAD', key: us.key });
      heads.push([route, head.text, ...shown(head)]);
    }
    expect(heads).toEqual(wanted);
    expect(await hashesOf(server)).toEqual(before);
  });

  it.each(GROUPS)('for %s reject an unknown query parameter', async (_name, operations) => {
    for (const { route, path, ask } of await operations(us))
      for (const query of ['unknown=1', 'unknown=1&unknown=1']) {
        const asked = `${path}${path.includes('?') ? '&' : '?'}${query}`;
        const { status, body } = await server.ask(asked, { ...ask, key: us.key });
        const named = (body.errors ?? []).map(({ parameter }) => parameter);
        expect([route, query, status, named]).toEqual([route, query, 400, ['unknown']]);
      }
  });

  it.each(GROUPS)('for %s accept IDs in upper case and return lower case', async (_name, operations) => {
    for (const operation of await operations(us)) {
      const upper = inUpperCase(operation);
      const { status, text } = await send(upper, us.key);
      expect([operation.route, status]).toEqual([operation.route, statusOfSuccess(operation)]);
      expect(text).not.toMatch(/[0-9A-F]{8}-[0-9A-F]{4}-7[0-9A-F]{3}-[0-9A-F]{4}-(?=.*[A-F])[0-9A-F]{12}/);
    }
  });
});

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The fields of a body with the owner of a new resource. */
const OWNERS = new Set(['project_id', 'status_page_id']);

/** The operation with other IDs in its path and of the owner in its body. */
function withIds({ path, ask, ...rest }: Operation, change: (id: string) => string): Operation {
  const { json } = ask;
  const owners = Object.entries(json ?? {}).flatMap(([name, value]) =>
    OWNERS.has(name) && typeof value === 'string' ? [[name, change(value)]] : [],
  );
  const changed = { ...json, ...Object.fromEntries(owners) };
  return {
    ...rest,
    path: path.replaceAll(UUID, change),
    ask: { ...ask, ...(json !== undefined && { json: changed }) },
  };
}

/** Each PATCH with a body that changes nothing. */
const withoutFields = (operations: Operation[]): Operation[] =>
  operations
    .filter(({ route }) => route.startsWith('PATCH'))
    .map((operation) => ({ ...operation, ask: { ...operation.ask, json: {} } }));

const nowhere = (operation: Operation): Operation => withIds(operation, () => UNKNOWN_ID);
const inUpperCase = (operation: Operation): Operation => withIds(operation, (id) => id.toUpperCase());

/** Filters that select at most one row, so that the list has no second page. */
const UNIQUE = new Set(['slug', 'custom_domain', 'key', 'email']);

describe('list operation', () => {
  const COUNT = 4;

  /** A new tenant with several items of each resource, two of which have the same millisecond. */
  async function tenantWith(resource: Resource): Promise<Tenant> {
    const tenant = await server.tenant();
    const made: string[] = [];
    for (let number = 0; number < COUNT; number++) made.push((await make(server, tenant, resource)).id);
    await server.sql(
      `UPDATE ${resource.table} SET created_at = (SELECT max(created_at) FROM ${resource.table} WHERE id = ANY($1))
        WHERE id = ANY($1)`,
      [made.slice(1, 3)],
    );
    return tenant;
  }

  const pageOf = (
    resource: Resource,
    of: Tenant,
    query: Record<string, string>,
  ): Promise<Answer<ListPage<Row>>> =>
    server.ask<ListPage<Row>>(listPath(resource, of, query), { key: of.key });

  it.each(byTable(RESOURCES))(
    'returns %s newest first and completely with limit=1',
    async (_table, resource) => {
      const tenant = await tenantWith(resource);
      const { organization_id, project_id } = tenant;
      const wanted = await server.sql<{ id: string }[]>(
        `SELECT id FROM ${resource.table} WHERE organization_id = $1 ${
          resource.owner === 'organization' ? 'AND $2::uuid IS NOT NULL' : 'AND project_id = $2'
        } ORDER BY created_at DESC, id DESC`,
        [organization_id, project_id],
      );
      const ids = wanted.map(({ id }) => id);
      expect(ids.length).toBeGreaterThanOrEqual(COUNT);
      const whole = await pageOf(resource, tenant, { limit: '100' });
      expect(whole.body.data.map(({ id }) => id)).toEqual(ids);
      expect(whole.body.pagination).toEqual({ next_cursor: null, has_more: false });
      const walked: string[] = [];
      let query: Record<string, string> = { limit: '1' };
      for (let more = true; more && walked.length <= ids.length;) {
        const { body } = await pageOf(resource, tenant, query);
        walked.push(...body.data.map(({ id }) => id));
        more = body.pagination.has_more;
        query = { limit: '1', cursor: String(body.pagination.next_cursor) };
      }
      expect(walked).toEqual(ids);
    },
  );

  describe('with a foreign cursor', () => {
    let own: Tenant;
    let second: Tenant;
    let stranger: Tenant;

    beforeAll(async () => {
      [own, stranger] = await Promise.all([server.tenant(), server.tenant()]);
      second = { ...own, project_id: await server.project(own.organization_id) };
      for (const tenant of [own, second, stranger])
        for (const resource of RESOURCES)
          for (let number = 0; number < 2; number++) await make(server, tenant, resource);
    });

    /** The lists without a resource, with two items each. */
    async function listsOfParts(tenant: Tenant): Promise<[name: string, path: string][]> {
      const { project_id, key } = tenant;
      const page = await make(server, tenant, resourceOf('status_pages'));
      await server.patch(tenant, page.id, { name: 'Changed' });
      const incident = await make(server, tenant, resourceOf('incidents'));
      const updates = `/v1/incidents/${incident.id}/updates`;
      await server.ask(updates, { method: 'POST', key, json: { status: 'identified', body: 'Another.' } });
      for (let number = 0; number < 2; number++) {
        const { id } = await make(server, tenant, resourceOf('status_pages'));
        await server.ask(`/v1/status-pages/${id}`, { method: 'DELETE', key });
      }
      return [
        ['monitor statuses', `/v1/monitor-statuses?project_id=${project_id}`],
        ['events', `/v1/events?project_id=${project_id}`],
        ['deleted pages', `/v1/deleted-status-pages?project_id=${project_id}`],
        ['revisions', `/v1/status-pages/${page.id}/revisions`],
        ['updates', updates],
      ];
    }

    const cursorOf = async (resource: Resource, tenant: Tenant): Promise<string> => {
      const { body } = await pageOf(resource, tenant, { limit: '1' });
      expect(body.pagination.next_cursor).not.toBeNull();
      return String(body.pagination.next_cursor);
    };

    it.each(byTable(RESOURCES))('rejects a cursor for %s in every other list', async (_table, resource) => {
      const cursor = await cursorOf(resource, own);
      for (const other of RESOURCES) {
        const { status, body } = await pageOf(other, own, { cursor });
        const refused = [400, [expect.objectContaining({ code: 'invalid_cursor', parameter: 'cursor' })]];
        const wanted = other === resource ? [200, undefined] : refused;
        expect([other.path, status, body.errors]).toEqual([other.path, ...wanted]);
      }
    });

    it.each(byTable(RESOURCES))(
      'rejects a cursor for %s in the list with a filter',
      async (_table, resource) => {
        const document = await ServedDocument.of(server.url);
        const cursor = await cursorOf(resource, own);
        const owners = ['project_id', ...(resource.owner === 'status_page' ? ['status_page_id'] : [])];
        const { parameters = [] } = document.find('GET', resource.path) ?? {};
        for (const { name, in: place, schema } of parameters) {
          if (place !== 'query' || ['limit', 'cursor', ...owners].includes(name) || UNIQUE.has(name))
            continue;
          const { type, enum: words, format, example } = document.resolve(schema);
          const named =
            format === 'uuid' ? await make(server, own, resourceOf(`${name.slice(0, -3)}s`)) : undefined;
          const sample = named?.id ?? words?.[0] ?? (type === 'boolean' ? true : example);
          const filter = { [name]: String(sample) };
          // The filter alone is valid.
          const first = await pageOf(resource, own, filter);
          expect([name, filter, first.status]).toEqual([name, filter, 200]);
          const { status, body } = await pageOf(resource, own, { ...filter, cursor });
          expect([name, status, body.errors]).toMatchObject([name, 400, [{ code: 'invalid_cursor' }]]);
        }
      },
    );

    it('rejects a cursor for a list of parts in every other list, and vice versa', async () => {
      const paths = new Map(RESOURCES.map((resource) => [resource.table, listPath(resource, own)]));
      for (const [name, path] of await listsOfParts(own)) paths.set(name, path);
      const read = (path: string, query: Record<string, string>) =>
        server.ask<ListPage<Row>>(`${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`, {
          key: own.key,
        });
      for (const [name, path] of paths) {
        const { body } = await read(path, { limit: '1' });
        const cursor = String(body.pagination.next_cursor);
        for (const [other, otherPath] of paths) {
          const answer = await read(otherPath, { cursor });
          const wanted = other === name ? [200, undefined] : [400, 'invalid_cursor'];
          expect([name, other, answer.status, answer.body.code]).toEqual([name, other, ...wanted]);
        }
      }
    });

    it.each(byTable(RESOURCES))(
      'rejects a cursor for %s of another project or organization',
      async (_table, resource) => {
        for (const other of resource.owner === 'organization' ? [stranger] : [second, stranger]) {
          const cursor = await cursorOf(resource, other);
          const { status, body } = await pageOf(resource, own, { cursor });
          expect([status, body.errors]).toMatchObject([400, [{ code: 'invalid_cursor' }]]);
        }
      },
    );
  });

  it.each(byTable(RESOURCES))('returns %s without data of another organization', async (_table, resource) => {
    const theirs = await make(server, them, resource);
    const { body } = await pageOf(resource, us, { limit: '100' });
    expect(body.data.map(({ id }) => id)).not.toContain(theirs.id);
  });
});
