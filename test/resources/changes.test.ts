import { beforeAll, describe, expect, it } from 'vitest';
import { columnsHolding, hashesOf } from '../support/catalogue.js';
import {
  byPath,
  byTable,
  type Fields,
  make,
  type Operation,
  operationsOf,
  REFERENCES,
  type Resource,
  resourceOf,
  RESOURCES,
  type Row,
  type Sample,
  sampleOf,
  visible,
} from '../support/resources.js';
import { type Answer, type One, type Tenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';

const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

const server = useTestServer();
let tenant: Tenant;

beforeAll(async () => {
  tenant = await server.tenant();
});

const VERSIONED = RESOURCES.filter(({ unversioned }) => unversioned === undefined);

/** Each PATCH of each resource. */
const PATCHES = RESOURCES.flatMap((resource) =>
  Object.entries(resource.patches).map(
    ([suffix, fieldsOf]) => [`PATCH ${resource.path}/{id}${suffix}`, { resource, suffix, fieldsOf }] as const,
  ),
);

type Shown = Row & Fields;

const read = (path: string, headers: Record<string, string> = {}): Promise<Answer<One<Shown>>> =>
  server.ask<One<Shown>>(path, { key: tenant.key, headers });

const patch = (
  path: string,
  json: Fields,
  headers: Record<string, string> = {},
): Promise<Answer<One<Shown>>> =>
  server.ask<One<Shown>>(path, { method: 'PATCH', key: tenant.key, json, headers });

const remove = (path: string, headers: Record<string, string> = {}): Promise<Answer<unknown>> =>
  server.ask<unknown>(path, { method: 'DELETE', key: tenant.key, headers });

const timeOf = ({ updated_at }: Row): number => new Date(String(updated_at)).getTime();
const tagOf = ({ updated_at }: Row): string => `"${updated_at}"`;

/** Selects the fields of the same names from a resource. */
const pick = (shown: Fields, names: Fields): Fields =>
  Object.fromEntries(Object.keys(names).map((name) => [name, shown[name]]));

describe.each(PATCHES)('%s', (_route, { resource, suffix, fieldsOf }) => {
  it('writes only the given field and increases updated_at', async () => {
    const fields = await fieldsOf(server, tenant);
    const { id } = await make(server, tenant, resource);
    const path = `${resource.path}/${id}`;
    expect(Object.keys(fields).toSorted()).toEqual(await documentedFields(resource, suffix));
    let before = (await read(path)).body.data;
    for (const [name, value] of Object.entries(fields)) {
      const { status, body } = await patch(path + suffix, { [name]: value });
      expect([name, status, body.data]).toEqual([
        name,
        200,
        { ...before, ...resource.derived?.[name], [name]: value, updated_at: body.data.updated_at },
      ]);
      expect(value).not.toEqual(before[name]);
      expect([name, timeOf(body.data) > timeOf(before)]).toEqual([name, true]);
      expect((await read(path)).body.data).toEqual(body.data);
      before = body.data;
    }
  });

  it('changes nothing without fields or with equal values', async () => {
    const { id } = await make(server, tenant, resource);
    const path = `${resource.path}/${id}`;
    const fields = await fieldsOf(server, tenant);
    const { data } = (await patch(path + suffix, fields)).body;
    const before = await hashesOf(server);
    for (const json of [{}, pick(data, fields)]) {
      const answer = await patch(path + suffix, json);
      expect([answer.status, answer.body.data]).toEqual([200, data]);
    }
    for (const [name, value] of Object.entries(pick(data, fields)))
      expect([name, (await patch(path + suffix, { [name]: value })).body.data]).toEqual([name, data]);
    expect(await hashesOf(server)).toEqual(before);
  });

  it('increases the version even if it is in the future', async () => {
    const { id } = await make(server, tenant, resource);
    const path = `${resource.path}/${id}`;
    const later = `UPDATE ${resource.table} SET updated_at = updated_at + interval '1 hour' WHERE id = $1`;
    await server.sql(later, [id]);
    const before = (await read(path)).body.data;
    const { body } = await patch(path + suffix, await fieldsOf(server, tenant));
    expect(timeOf(body.data) - timeOf(before)).toBe(1);
  });

  it('rejects a stale If-Match with 412', async () => {
    const { id } = await make(server, tenant, resource);
    const path = `${resource.path}/${id}`;
    const first = (await read(path)).body.data;
    const fields = await fieldsOf(server, tenant);
    const [name = ''] = Object.keys(fields);
    const applied = await patch(path + suffix, { [name]: fields[name] }, { 'If-Match': tagOf(first) });
    expect([applied.status, applied.headers.get('etag')]).toEqual([200, tagOf(applied.body.data)]);
    const before = await hashesOf(server);
    for (const tag of [tagOf(first), '"unknown"']) {
      const stale = await patch(path + suffix, fields, { 'If-Match': tag });
      expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
    }
    expect(await hashesOf(server)).toEqual(before);
    const any = await patch(path + suffix, fields, { 'If-Match': '*' });
    expect([any.status, pick(any.body.data, fields)]).toEqual([200, fields]);
  });
});

/** The fields that the OpenAPI document lists for a PATCH. */
async function documentedFields({ path, conditional = {} }: Resource, suffix: string): Promise<string[]> {
  const { body } = await server.ask<unknown>('/openapi.json');
  const at = (value: unknown, ...way: string[]): unknown =>
    way.reduce<unknown>(
      (found, name) => (typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined),
      value,
    );
  const content = at(body, 'paths', `${path}/{id}${suffix}`, 'patch', 'requestBody', 'content');
  const $ref = String(at(content, 'application/json', 'schema', '$ref'));
  const properties = at(body, 'components', 'schemas', $ref.split('/').at(-1) ?? '', 'properties');
  // `notify` is no field of the resource.
  return Object.keys(properties ?? {})
    .filter((name) => name !== 'notify' && !(name in conditional))
    .toSorted();
}

describe.each(byPath(RESOURCES))('%s', (_path, resource) => {
  it('returns the same resource and ETag for POST and GET', async () => {
    const [, post, get] = operationsOf(resource, await sampleOf(server, tenant, resource));
    if (!post || !get) throw new Error('no operations');
    const made = await server.ask<One<Shown>>(post.path, { ...post.ask, key: tenant.key });
    const { id } = made.body.data;
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const path = `${resource.path}/${id}`;
    expect(made.headers.get('location')).toBe(path);
    const { status, headers, body } = await read(path);
    expect(status).toBe(200);
    expect(made.body.data).toMatchObject(body.data);
    const tag = resource.unversioned === undefined ? tagOf(body.data) : null;
    expect([made.headers.get('etag'), headers.get('etag')]).toEqual([tag, tag]);
    expect('updated_at' in body.data).toBe(resource.unversioned === undefined);
  });
});

describe.each(byPath(VERSIONED))('%s', (_path, resource) => {
  it('returns 304 only if If-None-Match contains the current version', async () => {
    const { id } = await make(server, tenant, resource);
    const path = `${resource.path}/${id}`;
    const { body } = await read(path);
    const same = await read(path, { 'If-None-Match': tagOf(body.data) });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', tagOf(body.data)]);
    expect((await read(path, { 'If-None-Match': '"unknown"' })).status).toBe(200);
  });

  it('rejects a stale If-Match for DELETE with 412', async () => {
    const { id } = await make(server, tenant, resource);
    const path = `${resource.path}/${id}`;
    const before = await hashesOf(server);
    for (const tag of ['"2026-01-01T00:00:00.000Z"', '"unknown"']) {
      const stale = await remove(path, { 'If-Match': tag });
      expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
    }
    expect(await hashesOf(server)).toEqual(before);
    const current = await remove(path, { 'If-Match': tagOf((await read(path)).body.data) });
    expect(current.status).toBe(204);
    const other = await make(server, tenant, resource);
    expect((await remove(`${resource.path}/${other.id}`, { 'If-Match': '*' })).status).toBe(204);
  });
});

describe.each(byPath(VERSIONED))('DELETE %s/{id} with If-Match', (_path, resource) => {
  it.each(['W/"…"', '"…-gzip"'])('takes the ETag as proxies change it: %s', async (form) => {
    const row = await make(server, tenant, resource);
    const tag = form.replace('…', String(row.updated_at));
    expect((await remove(`${resource.path}/${row.id}`, { 'If-Match': tag })).status).toBe(204);
  });

  it('returns 400 for a tag without quotes', async () => {
    const row = await make(server, tenant, resource);
    const path = `${resource.path}/${row.id}`;
    const { status, body } = await remove(path, { 'If-Match': String(row.updated_at) });
    expect([status, body.errors]).toMatchObject([400, [{ code: 'invalid_format', parameter: 'If-Match' }]]);
    expect((await read(path)).status).toBe(200);
  });
});

describe.each(byPath(RESOURCES))('DELETE %s/{id}', (_path, resource) => {
  it('removes its ID from every table without a documented exception', async () => {
    const { id } = await make(server, tenant, resource);
    expect(await columnsHolding(server, id)).toContain(`${resource.table}.id`);
    expect((await remove(`${resource.path}/${id}`)).status).toBe(204);
    expect(await columnsHolding(server, id)).toEqual(resource.kept ? [`${resource.table}.id`] : []);
    if (resource.kept) return;
    const again = await remove(`${resource.path}/${id}`);
    expect([again.status, (await read(`${resource.path}/${id}`)).status]).toEqual([404, 404]);
  });
});

const OF_PROJECTS = RESOURCES.filter(({ owner }) => owner !== 'organization');

describe('DELETE /v1/projects/{id}', () => {
  it.each(byTable(OF_PROJECTS.filter(({ goesWithProject }) => !goesWithProject)))(
    'returns 409 while the project owns one of %s',
    async (_table, resource) => {
      const owner = { ...tenant, project_id: await server.project(tenant.organization_id) };
      const { id } = await make(server, owner, resource);
      const before = await hashesOf(server);
      const { status, body } = await remove(`/v1/projects/${owner.project_id}`);
      expect([status, body.code]).toEqual([409, 'conflict']);
      expect(await hashesOf(server)).toEqual(before);
      expect((await read(`${resource.path}/${id}`)).status).toBe(200);
    },
  );

  it.each(byTable(OF_PROJECTS.filter(({ goesWithProject }) => goesWithProject)))(
    'deletes %s in the project',
    async (_table, resource) => {
      const owner = { ...tenant, project_id: await server.project(tenant.organization_id) };
      const { id } = await make(server, owner, resource);
      expect((await remove(`/v1/projects/${owner.project_id}`)).status).toBe(204);
      expect(await columnsHolding(server, id)).toEqual([]);
    },
  );
});

describe.each(REFERENCES.map((reference) => [reference.column, reference] as const))(
  '%s',
  (column, { to, kept, ends, fields, of }) => {
    const [table = '', field = ''] = column.split('.');
    const resource = resourceOf(of ?? table);
    const target = resourceOf(to);

    it(`${kept ? 'keeps' : 'removes'} IDs of deleted resources from ${to}`, async () => {
      const { id } = await make(server, tenant, target);
      const path = `${resource.path}/${(await make(server, tenant, resource, fields(id))).id}`;
      expect(await columnsHolding(server, id)).toContain(column);
      const before = (await read(path)).body.data;
      expect((await remove(`${target.path}/${id}`)).status).toBe(204);
      expect(await columnsHolding(server, id)).toEqual(kept ? [column] : []);
      if (ends) expect((await read(path)).status).toBe(404);
      if (kept ?? ends) return;
      const after = (await read(path)).body.data;
      expect(after[field]).not.toEqual(before[field]);
      expect(timeOf(after)).toBeGreaterThan(timeOf(before));
    });

    it(`rejects IDs of another tenant's ${to} with 400, like unknown IDs`, async () => {
      const them = await server.tenant();
      const foreign = (await make(server, them, target)).id;
      const sample = await sampleOf(server, tenant, resource);
      for (const { path, ask } of takingField(resource, sample, field)) {
        const send = (id: string) =>
          server.ask<unknown>(path, { ...ask, key: tenant.key, json: { ...ask.json, ...fields(id) } });
        const answer = await send(foreign);
        expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'validation_failed']);
        expect(answer.body.errors.map(({ pointer }) => pointer?.split('/')[1])).toEqual([field]);
        expect(visible(answer)).toEqual(visible(await send(UNKNOWN_ID)));
      }
    });

    if (kept) return; // no row to lock, because the ID stays
    it(`locks the rows of ${to} in the writing transaction`, async () => {
      const { id } = await make(server, tenant, target);
      const sample = await sampleOf(server, tenant, resource);
      const operations = takingField(resource, sample, field);
      expect(operations.length).toBeGreaterThan(0);
      for (const { route, path, ask } of operations) {
        const json = { ...ask.json, ...fields(id) };
        const statements = await statementsOf(() => server.ask(path, { ...ask, key: tenant.key, json }));
        const first = (pattern: RegExp) => statements.findIndex((text) => pattern.test(text));
        const begun = first(/^(START TRANSACTION|BEGIN)/i);
        const locked = first(
          new RegExp(`\\bFROM\\s+"?${to}\\b[^]*\\bFOR\\s+(KEY SHARE|SHARE|NO KEY UPDATE|UPDATE)\\b`, 'i'),
        );
        const written = first(new RegExp(`\\b(INSERT INTO|UPDATE)\\s+"?${table}\\b`, 'i'));
        const committed = first(/^COMMIT/i);
        const order = [begun, locked, written, committed];
        // The message shows them in the summary of CI, which contains no diff.
        expect(order, `${route}: ${order.join(' ')} of\n${statements.join('\n')}`).toEqual(
          order.toSorted((a, b) => a - b),
        );
        expect([route, begun >= 0]).toEqual([route, true]);
      }
    });
  },
);

/** The operations whose body contains the field. */
function takingField(resource: Resource, sample: Sample, field: string): Operation[] {
  return operationsOf(resource, { ...sample, create: { ...sample.create, [field]: undefined } }).filter(
    ({ ask: { json } }) => json !== undefined && field in json,
  );
}
