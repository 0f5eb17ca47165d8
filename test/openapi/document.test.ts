import { beforeAll, describe, expect, it } from 'vitest';
import { Pattern } from '../../src/validation/fields.js';
import { COMMON_HEADERS } from '../../src/openapi/components.js';
import { FIELD_ERRORS, PROBLEMS } from '../../src/problems/catalogue.js';
import { validate } from '../../src/validation/validate.js';
import { routesOf } from '../support/routes.js';
import { useTestServer } from '../support/server.js';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: { $ref: string; example?: unknown } }> };
  responses: Record<
    string,
    { headers: object; content?: Record<string, { schema: { $ref?: string }; examples?: object }> }
  >;
}
type Schema = { type?: unknown; required?: string[]; properties: Record<string, Record<string, unknown>> };
interface Document {
  openapi: string;
  info: { description: string };
  servers: object[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
}

// A type, and what bounds it: any of these sets of keywords.
const BOUNDS: [string, ...string[][]][] = [
  ['string', ['maxLength'], ['enum'], ['const']],
  ['integer', ['format', 'minimum', 'maximum']],
  ['array', ['maxItems']],
];

const server = useTestServer();
let text: string;
let document: Document;

beforeAll(async () => {
  ({ text } = await server.ask('/openapi.json'));
  document = resolved(text);
});

/** The document with what headers and examples refer to in their place. */
function resolved(json: string): Document {
  const { components }: { components: Record<string, Record<string, object>> } = JSON.parse(json);
  const resolve = (_key: string, value: object | null): object | null => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
    const [, kind = '', name = ''] =
      /^#\/components\/(headers|examples|responses)\/(.+)$/.exec(String(value.$ref)) ?? [];
    const found = components[kind]?.[name];
    return found ? JSON.parse(JSON.stringify(found), resolve) : value;
  };
  return JSON.parse(json, resolve);
}

const operation = (method: string, path: string): Operation => {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`no ${method} ${path}`);
  return found;
};

describe('the OpenAPI document', () => {
  it('is the one in openapi.json (after a change: npx vitest run test/openapi --update)', async () => {
    await expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`).toMatchFileSnapshot('../../openapi.json');
  });

  it('is of version 3.1 and has exactly the routes that the server has', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = routesOf(server.app)
      // Not those for visitors: /status.
      .filter(({ path }) => !/^\/(docs|status)\b/.test(path) && path !== '/openapi.json')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  it('refers only to what it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    const names = new Set(references.map(([, name]) => name));
    expect([...names].toSorted()).toEqual(
      Object.keys(document.components.schemas)

        .toSorted(),
    );
  });

  it('has the bearer scheme, and the scope that each operation requires', () => {
    expect(document.components.securitySchemes).toEqual({
      api_key: expect.objectContaining({ type: 'http', scheme: 'bearer' }),
      api_key_as_password: expect.objectContaining({ type: 'http', scheme: 'basic' }),
    });
    expect(operation('get', '/v1/status-pages').security).toEqual([{ api_key: ['status_pages:read'] }]);
    expect(operation('patch', '/v1/status-pages/{id}').security).toEqual([
      { api_key: ['status_pages:write'] },
    ]);
    expect(operation('get', '/health/live').security).toEqual([]);
  });

  it('has the basic scheme for receivers only', () => {
    const withBasic = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { security }]) =>
        JSON.stringify(security).includes('api_key_as_password') ? [`${method} ${path}`] : [],
      ),
    );
    expect(withBasic).toEqual([
      'post /v1/receivers/alertmanager',
      'get /v1/receivers/push',
      'post /v1/receivers/push',
    ]);
    expect(operation('post', '/v1/receivers/push').security).toEqual([
      { api_key: ['monitor_reports:write'] },
      { api_key_as_password: [] },
    ]);
  });

  it('has every parameter of the list with its bounds', () => {
    const { parameters } = operation('get', '/v1/status-pages');
    expect(parameters).toEqual([
      expect.objectContaining({
        name: 'project_id',
        in: 'query',
        required: true,
        schema: expect.objectContaining({ type: 'string', format: 'uuid' }),
      }),
      expect.objectContaining({
        name: 'limit',
        required: false,
        schema: expect.objectContaining({ type: 'integer', minimum: 1, maximum: 100, default: 25 }),
      }),
      expect.objectContaining({
        name: 'cursor',
        required: false,
        schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 100 },
      }),
      expect.objectContaining({
        name: 'slug',
        required: false,
        schema: expect.objectContaining({ type: 'string', minLength: 1, maxLength: 63 }),
      }),
      expect.objectContaining({
        name: 'custom_domain',
        required: false,
        schema: expect.objectContaining({ type: 'string', format: 'hostname', maxLength: 253 }),
      }),
    ]);
  });

  it('has every field of the update with its bounds, under both media types', () => {
    const { requestBody, parameters } = operation('patch', '/v1/status-pages/{id}');
    expect(Object.keys(requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/merge-patch+json',
    ]);
    expect(parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['id', 'path', true],
      ['If-Match', 'header', false],
    ]);
    const { StatusPageUpdate: update, Section: section } = document.components.schemas;
    expect(update).toMatchObject({ additionalProperties: false });
    expect(update?.required).toBeUndefined();
    expect(parameters[0]?.schema).toMatchObject({ type: 'string', format: 'uuid' });
    expect(update?.properties).toMatchObject({
      name: { type: 'string', minLength: 1, maxLength: 200 },
      is_public: { type: 'boolean' },
      accent_color: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' },
      sections: { type: 'array', maxItems: 200, items: { $ref: '#/components/schemas/Section' } },
    });
    expect(section?.required).toEqual(['id', 'title', 'monitor_ids']);
    expect(section?.properties).toMatchObject({
      id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
      title: { type: 'string', minLength: 1, maxLength: 200 },
      monitor_ids: {
        type: 'array',
        maxItems: 500,
        uniqueItems: true,
        items: { type: 'string', format: 'uuid' },
      },
    });
  });

  it('has the sixteen fields of a page, all required, one of which may be null', async () => {
    const { StatusPage: page } = document.components.schemas;
    const fields = Object.keys(await server.page(await server.tenant()));
    expect(Object.keys(page?.properties ?? {})).toEqual(fields);
    expect(page?.required).toEqual(fields);
    const nullable = Object.entries(page?.properties ?? {}).filter(
      ([, { type }]) => Array.isArray(type) && type.includes('null'),
    );
    expect(nullable.map(([name]) => name)).toEqual(['custom_domain']);
  });

  it.each([
    ['get', '/v1/status-pages', ['200', '400', '401', '403', '404', '429', '500', '503']],
    [
      'patch',
      '/v1/status-pages/{id}',
      ['200', '400', '401', '403', '404', '412', '413', '415', '429', '500', '503'],
    ],
  ])('has every answer of %s %s, errors with examples', (method, path, statuses) => {
    const { responses } = operation(method, path);
    expect(Object.keys(responses).toSorted()).toEqual(statuses);
    for (const [status, { headers, content }] of Object.entries(responses)) {
      expect(headers).toHaveProperty('X-Request-Id');
      expect(headers).toHaveProperty('Access-Control-Allow-Origin.schema.const', '*');
      const type = status === '200' ? 'application/json' : 'application/problem+json';
      expect(Object.keys(content ?? {})).toEqual([type]);
      const examples = Object.keys(content?.[type]?.examples ?? {});
      expect(examples.every((code) => code in PROBLEMS)).toBe(true);
      expect(examples.length > 0).toBe(status !== '200');
    }
  });

  it('has 429 of every operation that needs a key, and the limit in every answer', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { responses, security = [] } of Object.values(item)) {
        expect([path, '429' in responses]).toEqual([path, security.length > 0]);
        for (const { headers } of Object.values(responses)) {
          expect(headers).toMatchObject({
            RateLimit: { schema: { type: 'string', examples: ['"default";r=599;t=42'] } },
            'RateLimit-Policy': { schema: { type: 'string', examples: ['"default";q=600;w=60'] } },
          });
        }
        if (responses['429']) expect(responses['429'].headers).toHaveProperty('Retry-After');
      }
    }
  });

  it('bounds every string, integer and list', () => {
    const unbounded: string[] = [];
    const walk = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      const bounds = BOUNDS.filter(([type]) => 'type' in value && [value.type].flat().includes(type));
      for (const [, ...wanted] of bounds) {
        if (!wanted.some((names) => names.every((name) => name in value))) unbounded.push(path);
      }
      for (const [name, item] of Object.entries(value)) if (name !== 'example') walk(item, `${path}/${name}`);
    };
    walk(document, '#');
    expect(unbounded).toEqual([]);
  });

  it('bounds truly: the longest that is answered fits', async () => {
    const tenant = await server.tenant();
    const { Problem: problem, Pagination: pagination } = document.components.schemas;
    const { type, title, detail, errors } = problem?.properties ?? {};
    const { items }: { items: Schema } = JSON.parse(JSON.stringify(errors));
    const { pointer, parameter } = items.properties;
    for (const [code, { title: told, explanation }] of Object.entries(PROBLEMS)) {
      expect(`/problems/${code}`.length).toBeLessThanOrEqual(Number(type?.['maxLength']));
      expect(told.length).toBeLessThanOrEqual(Number(title?.['maxLength']));
      expect(explanation.length).toBeLessThanOrEqual(1_000);
    }
    const { body: bad } = await server.patch(tenant, tenant.project_id, { ['ü'.repeat(130_000)]: 1 });
    const [{ pointer: longest = '' } = {}] = bad.errors;
    expect(longest.length).toBeGreaterThan(780_000);
    expect(longest.length).toBeLessThanOrEqual(Number(pointer?.['maxLength']));
    const { body: unknown } = await server.list(tenant, { ['x'.repeat(15_000)]: 1 });
    expect(unknown.errors[0]?.parameter?.length).toBeLessThanOrEqual(Number(parameter?.['maxLength']));
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`x${index}`, 1]));
    const { body: most } = await server.patch(tenant, tenant.project_id, many);
    expect(most.errors).toHaveLength(Number(errors?.['maxItems']));
    expect(most.detail.length).toBeLessThanOrEqual(Number(detail?.['maxLength']));
    await Promise.all([server.page(tenant), server.page(tenant)]);
    const cursor = String((await server.list(tenant, { limit: 1 })).body.pagination.next_cursor);
    expect(cursor).toMatch(new RegExp(String(pagination?.properties['next_cursor']?.['pattern'])));
    expect(cursor.length).toBeLessThanOrEqual(Number(pagination?.properties['next_cursor']?.['maxLength']));
  });

  it('is held to where a pattern alone would let more through', () => {
    class Letters {
      @Pattern({ pattern: /^a*$/, max: 3, form: 'up to three a', description: 'Letters.' })
      letters!: string;
    }
    expect(validate(Letters, { letters: 'aaa' }, 'body').errors).toEqual([]);
    expect(validate(Letters, { letters: 'aaaa' }, 'body').errors).toMatchObject([{ code: 'invalid_format' }]);
  });

  it('types a file in YAML as text, and shows one of each format', () => {
    for (const format of ['statuspage', 'upptime', 'gatus']) {
      const { content = {} } = operation('post', `/v1/imports/${format}`).requestBody ?? {};
      for (const [type, { schema }] of Object.entries(content)) {
        const isJson = type === 'application/json';
        expect([type, schema]).toMatchObject([type, { type: isJson ? 'object' : 'string' }]);
        expect([type, typeof schema.example]).toEqual([type, isJson ? 'object' : 'string']);
      }
      expect(Object.keys(content).length).toBeGreaterThan(0);
    }
  });

  it('lists each tag in use, and says whom the server is for', () => {
    const tags = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((one) => one.tags),
    );
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...new Set(tags)].toSorted());
    expect(document.servers).toEqual([{ url: '/', 'x-internal': false }]);
  });

  it('has every error code, and every code of a field', () => {
    const { Problem: problem } = document.components.schemas;
    expect(problem?.properties['code']).toMatchObject({ enum: Object.keys(PROBLEMS) });
    expect(problem?.properties['errors']).toMatchObject({
      items: { properties: { code: { enum: Object.keys(FIELD_ERRORS) } } },
    });
  });

  it('is shown at /docs, with nothing from elsewhere', async () => {
    const page = await server.ask('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).not.toMatch(/(src|href)=["']https?:/);
    const assets = [...page.text.matchAll(/(?:src|href)=["']([^"']+)/g)].map(([, url = '']) => url);
    expect(assets.length).toBe(4);
    for (const [name, value] of Object.entries({ Range: 'bytes=99999999-', 'If-Match': '"x"' })) {
      const headers = { [name]: value };
      expect((await server.ask('/docs/swagger-ui.css', { headers })).status).toBeLessThan(500);
    }
    for (const asset of assets) {
      const { pathname } = new URL(asset, `${server.url}/docs`);
      expect([asset, (await server.ask(pathname)).status]).toEqual([asset, 200]);
    }
  });

  it('says the headers of all answers once on the page, and links to itself', async () => {
    const script = (await server.ask('/docs/swagger-ui-init.js')).text;
    for (const name of Object.keys(COMMON_HEADERS)) {
      expect(document.info.description.match(new RegExp(`\`${name}(?![\\w-])`, 'g'))).toHaveLength(1);
      expect(script).toContain(`"${name}"`);
    }
    expect(document.info.description).toContain('](/openapi.json)');
  });

  it('is shown by a page that serves no other files', async () => {
    const others = [
      'LICENSE',
      'NOTICE',
      'README.md',
      'index.html',
      'package.json',
      'absolute-path.js',
      'oauth2-redirect.html',
      'swagger-ui.js',
      'swagger-ui.css.map',
      'swagger-ui-bundle.js.map',
      '..%2fpackage.json',
      'docs/swagger-ui-init.js',
      '',
    ];
    for (const name of others) {
      const { status, body } = await server.ask(`/docs/${name}`);
      expect([name, status, body.code]).toEqual([name, 404, 'not_found']);
    }
    const { status, headers } = await server.ask('/docs/swagger-ui.css', { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
