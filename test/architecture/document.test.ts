import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.js';

interface Schema {
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  [keyword: string]: unknown;
}
interface Media {
  schema: Schema;
}
interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

// The server's document. test/openapi compares the two.
const document: Document = JSON.parse(readFileSync('openapi.json', 'utf8'));

const OPERATIONS = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    method,
    path,
    operation,
  })),
);

function resolved(schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  return (name === undefined ? schema : document.components.schemas[name]) ?? {};
}

const bodyOf = ({ requestBody }: Operation): Schema =>
  resolved(requestBody?.content['application/merge-patch+json']?.schema);

/** The schema of `data` in a success response. */
function dataOf({ responses }: Operation): Schema {
  const { content } = responses['200'] ?? responses['201'] ?? {};
  return resolved(resolved(content?.['application/json']?.schema).properties?.['data']);
}

const takes = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name);

/** The bounds of a value, including its items. Limits on the size of a request are omitted. */
function boundsOf({ items, $ref, ...schema }: Schema): object {
  const names = ['type', 'format', 'enum', 'pattern', 'maxLength', 'minimum', 'maximum', 'maxItems'];
  const bounds = names.map((name) => [name, schema[name]]);
  // A format implies a minimum length.
  const minLength = schema['format'] === undefined ? (schema['minLength'] ?? 0) : undefined;
  return { ...Object.fromEntries(bounds), minLength, $ref, items: items && boundsOf(items) };
}

/** Fields that can be null in a request but never in a response, with the reason. */
const NULL_ONLY_SENT: Record<string, string> = {
  'POST /v1/incidents impact': 'null: derived',
  'POST /v1/incident-drafts/{id}/publish impact': 'null: derived',
  'PATCH /v1/incidents/{id} impact': 'null: derived again',
  'PATCH /v1/maintenances/{id} status': 'null: follows from the clock again',
};

/** Fields that have another meaning in the response. */
const OF_ANOTHER_MEANING = new Set([
  'POST /v1/monitor-reports reports',
  'PATCH /v1/members/{id} status', // a client cannot set `invited`
  'PATCH /v1/subscribers/{id} status', // a client cannot set `pending`
]); // the reports, and their number

/** Writes below a resource with versions that do not change it, or for which its version cannot be read. */
const WITHOUT_VERSION = new Set([
  'POST /v1/checks/{id}/run',
  'DELETE /v1/status-pages/{id}/access/links/{link_id}',
  'POST /v1/status-pages/{id}/access/links',
  'POST /v1/status-pages/{id}/domain/verify',
  'POST /v1/status-pages/{id}/preview-links',
  'POST /v1/status-pages/{id}/restore',
  'POST /v1/webhook-endpoints/{id}/replay',
  'POST /v1/webhook-endpoints/{id}/test',
]);

const orNull = (schema: Schema): Schema => ({
  ...schema,
  type: [schema['type'], 'null'],
  ...(Array.isArray(schema['enum']) && { enum: [...schema['enum'], null] }),
});

describe('OpenAPI document', () => {
  it('defines the same bounds for a field in requests and responses', () => {
    const compared: string[] = [];
    for (const { route, operation } of OPERATIONS) {
      const answered = dataOf(operation).properties ?? {};
      for (const [name, sent] of Object.entries(bodyOf(operation).properties ?? {})) {
        const shown = answered[name];
        if (!shown || OF_ANOTHER_MEANING.has(`${route} ${name}`)) continue;
        compared.push(`${route} ${name}`);
        const wanted = `${route} ${name}` in NULL_ONLY_SENT ? orNull(shown) : shown;
        expect([route, name, boundsOf(sent)]).toEqual([route, name, boundsOf(wanted)]);
      }
    }
    expect(compared).toEqual(
      expect.arrayContaining(['POST /v1/monitors name', 'PATCH /v1/projects/{id} name']),
    );
  });

  it('lists If-Match for exactly the writes on resources with updated_at', () => {
    const versioned = OPERATIONS.filter(
      ({ method, operation }) => method === 'get' && dataOf(operation).properties?.['updated_at'],
    ).map(({ path }) => path);
    expect(versioned.length).toBeGreaterThan(0);
    const wanted = OPERATIONS.filter(
      ({ method, path, route }) =>
        ['post', 'put', 'patch', 'delete'].includes(method) &&
        versioned.some((one) => `${path}/`.startsWith(`${one}/`)) &&
        !WITHOUT_VERSION.has(route),
    );
    const found = OPERATIONS.filter(({ operation }) => takes(operation, 'If-Match'));
    expect(found.map(({ route }) => route)).toEqual(wanted.map(({ route }) => route));
  });

  it('lists If-None-Match for each GET of a resource with updated_at', () => {
    const wanted = OPERATIONS.filter(
      ({ method, operation }) => method === 'get' && dataOf(operation).properties?.['updated_at'],
    );
    const found = OPERATIONS.filter(({ operation }) => takes(operation, 'If-None-Match'));
    expect(found.map(({ route }) => route)).toEqual(wanted.map(({ route }) => route));
  });
});

describe('TypeScript client', () => {
  const ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
  const VERSION = '2026-11-20T12:00:00.000Z';

  /** The request of each client method: its route, and whether it contains the caller's `If-Match`. */
  async function requestsOfAllMethods(): Promise<Map<string, boolean>> {
    const sent = new Map<string, boolean>();
    const client = createClient({
      baseUrl: 'http://localhost',
      apiKey: 'sp_x',
      fetch: async ({ method, url, headers }) => {
        const path = new URL(url).pathname.replaceAll(ID, '{id}');
        sent.set(`${method} ${path}`, headers.get('If-Match') === `"${VERSION}"`);
        return Response.json({ data: [], pagination: { next_cursor: null, has_more: false } });
      },
    });
    const { http: _, dryRun: __, ...groups } = client;
    // The last argument of each method that accepts it, after the ID or the body.
    const condition = { ifUnchanged: VERSION };
    const callAll = async (group: object): Promise<void> => {
      for (const method of Object.values(group)) {
        const made: unknown = Reflect.apply(method, undefined, [ID, condition, condition]);
        if (typeof made !== 'object' || made === null) continue;
        if (made instanceof Promise) await made;
        else if ('toArray' in made && typeof made.toArray === 'function') await made.toArray();
        else await callAll(made); // the operations on a part of a resource
      }
    };
    for (const group of Object.values(groups)) await callAll(typeof group === 'function' ? { group } : group);
    return sent;
  }

  it('contains a method for each operation and passes versions on as If-Match', async () => {
    const wanted = OPERATIONS.filter(({ path }) => path.startsWith('/v1/')).map(({ route, operation }) => [
      route.replaceAll(/\{\w+\}/g, '{id}'),
      takes(operation, 'If-Match'),
    ]);
    expect([...(await requestsOfAllMethods())].toSorted()).toEqual(wanted.toSorted());
  });
});
