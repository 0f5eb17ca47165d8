import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { DemoService } from '../../src/demo/demo.service.js';
import { actorIn } from '../support/actors.js';
import { RESOURCES, VERSIONED_PARTS } from '../support/resources.js';
import { TestServer, useTestServer } from '../support/server.js';

interface Media {
  example?: unknown;
  schema: { example?: unknown };
}
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  example?: unknown;
  schema: { example?: unknown; default?: unknown };
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, object>;
}
interface Prefilled {
  operationId: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether it creates a resource. Monitor reports only record a status. */
  creates: boolean;
}

const server = useTestServer();
let key: string;
let operations: Prefilled[];

beforeAll(async () => {
  const demo = await server.app.get(DemoService).createIfEmpty(3);
  if (!demo) throw new Error('no demo');
  ({ key } = demo);
  const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
    (await server.ask('/openapi.json')).text,
  );
  operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => prefilled(method.toUpperCase(), path, operation)),
  );
});

/** The request that Swagger UI sends for an operation without any input. */
function prefilled(method: string, template: string, operation: Operation): Prefilled {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const creates = operationId.startsWith('create') && '201' in responses;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let path = template;
  for (const { name, in: place, required, example, schema } of parameters) {
    const value = example ?? schema.example ?? schema.default;
    if (value === undefined && required) throw new Error(`${operationId}: ${name} is required and empty`);
    if (value === undefined) continue;
    if (place === 'query') query.set(name, String(value));
    if (place === 'header') headers[name] = String(value);
    if (place === 'path') path = path.replace(`{${name}}`, String(value));
  }
  if (query.size > 0) path += `?${query}`;
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!type) return { operationId, method, path, headers, creates };
  const content = media?.example ?? media?.schema.example;
  if (content === undefined) throw new Error(`${operationId}: the body has no example`);
  const body = typeof content === 'string' ? content : JSON.stringify(content);
  return { operationId, method, path, headers: { ...headers, 'Content-Type': type }, body, creates };
}

async function send({ operationId, path, ...request }: Prefilled): Promise<[string, number, unknown]> {
  const { status, body } = await server.ask(path, { ...request, key });
  if (status >= 300) return [operationId, status, body];
  const lost = lostIn(request.body, body);
  return [operationId, status, lost.length === 0 ? 'done' : lost];
}

/** Returns all lists in a value, at any depth. */
function listsIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap((one) => listsIn(one));
  return Array.isArray(value) ? [value, ...inside] : inside;
}

/** Returns whether a response contains data: a list with items, or a resource whose lists are not all empty. */
function isMeaningful(body: unknown): boolean {
  const data: unknown = dataOf(body);
  if (Array.isArray(data)) return data.length > 0;
  if (typeof data !== 'object' || data === null) return false;
  const lists = listsIn(data);
  return lists.length === 0 || lists.some((list) => list.length > 0);
}

/** Returns `data`, or the whole body of a response without it, such as the description of an error. */
function dataOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : body;
}

/** Returns a value in the form in which a response contains it. */
function normalized(value: unknown): unknown {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  return isTime ? new Date(value).toISOString() : value;
}

/** Returns the fields of a request that the response shows with another value, and counts that are all 0. */
function lostIn(requested: string | undefined, body: unknown): unknown[] {
  const data: unknown = dataOf(body);
  if (typeof data !== 'object' || data === null) return [];
  const counts = Object.values(data).filter((value) => typeof value === 'number');
  if (counts.length > 1 && counts.every((count) => count === 0)) return [data];
  const sent: unknown = requested?.startsWith('{') ? JSON.parse(requested) : {};
  const stored = new Map<string, unknown>(Object.entries(data));
  return Object.entries(sent ?? {}).filter(([name, value]) => {
    const kept = stored.get(name);
    if (Array.isArray(value) && typeof kept === 'number') return kept !== value.length; // a count
    return stored.has(name) && !isDeepStrictEqual(normalized(kept), normalized(value));
  });
}

/** Paths of resources that are created, but never read or changed individually. */
const CREATED_ONLY = ['access_links', 'preview_links'];

/** Reads whose lists are empty in the demo, whose pages are public. */
const EMPTY = new Set(['getAccess']);

/** Creations with an example that must be unique. */
const UNIQUE = new Set(['createCheck', 'createMember', 'createSubscriber']);

/** Parts that PUT creates and DELETE deletes. */
const PUT = ['logo', 'logo_dark', 'favicon'];

/** Further parts that DELETE deletes. */
const DELETED = ['access_links'];

describe('"Try it out" on the demo', () => {
  it('returns data as prefilled for every GET on a new demo', async () => {
    const reads = operations.filter(({ method }) => method === 'GET');
    expect(reads.length).toBeGreaterThan(15);
    const empty: unknown[] = [];
    for (const { operationId, path, ...request } of reads) {
      const { status, body } = await server.ask<{ data: unknown }>(path, { ...request, key });
      if (status !== 200 || !(isMeaningful(body) || EMPTY.has(operationId)))
        empty.push([operationId, status, body]);
    }
    expect(empty).toEqual([]);
  });

  it('succeeds as prefilled for every operation', async () => {
    expect(operations.length).toBeGreaterThan(25);
    const others = operations.filter(({ method }) => method !== 'DELETE');
    for (const operation of others) {
      const [id, status, answer] = await send(operation);
      expect([id, Math.floor(status / 100), answer]).toEqual([id, 2, 'done']);
    }
  });

  it('creates resources as prefilled a second time', async () => {
    const creations = operations.filter(({ creates }) => creates);
    expect(creations.length).toBe(RESOURCES.length + VERSIONED_PARTS.length + CREATED_ONLY.length);
    for (const creation of creations) {
      const { operationId } = creation;
      const wanted = UNIQUE.has(operationId) ? [409, expect.anything()] : [201, 'done'];
      expect(await send(creation)).toEqual([operationId, ...wanted]);
    }
  });

  it('changes one field as prefilled for every PATCH, so that sections and other lists stay', () => {
    const patches = operations.filter(({ method }) => method === 'PATCH');
    expect(patches.length).toBeGreaterThan(10);
    for (const { operationId, body = '' } of patches) {
      const values: unknown[] = Object.values(JSON.parse(body));
      expect([operationId, values.map((value) => typeof value)]).toEqual([operationId, ['string']]);
    }
  });

  it('deletes as prefilled without affecting the calling key', async () => {
    const ofPages = RESOURCES.filter(({ owner }) => owner === 'status_page').map(({ path }) => path);
    const isOfPage = ({ path }: Prefilled) => Number(ofPages.some((one) => path.startsWith(`${one}/`)));
    // A part of a resource before the resource, and a resource of a status page before the page.
    const deletions = operations
      .filter(({ method }) => method === 'DELETE')
      .toSorted((one, other) => isOfPage(other) - isOfPage(one) || other.path.length - one.path.length);
    expect(deletions.length).toBe(RESOURCES.length + VERSIONED_PARTS.length + PUT.length + DELETED.length);
    for (const deletion of deletions) {
      expect(await send(deletion)).toEqual([deletion.operationId, 204, 'done']);
    }
    expect((await server.ask('/v1/me', { key })).status).toBe(200);
  });

  it('prefills no condition and no cursor', () => {
    const names = operations.flatMap(({ path, headers }) => [...Object.keys(headers), path]).join(' ');
    expect(names).not.toMatch(/If-Match|If-None-Match|cursor/);
  });
});

describe('second demo', () => {
  it('uses different IDs', async () => {
    const demo = server.app.get(DemoService);
    const [first, second] = [await demo.create(1, actorIn), await demo.create(1, actorIn)];
    expect(first.project_id).not.toBe(second.project_id);
    expect(first.status_page_ids).not.toEqual(second.status_page_ids);
  });

  it('uses different IDs if both are created concurrently on a new database', async () => {
    const other = await TestServer.start();
    const demo = other.app.get(DemoService);
    const made = await Promise.all([
      demo.create(1, actorIn),
      demo.create(1, actorIn),
      demo.create(1, actorIn),
    ]);
    expect(new Set(made.map(({ project_id }) => project_id)).size).toBe(3);
    await other.stop();
  });
});
