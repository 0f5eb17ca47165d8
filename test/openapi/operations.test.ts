import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/platform/problems/catalogue.js';
import { useDocument } from './use-document.js';

const { server, document, operation } = useDocument();

describe('OpenAPI document', () => {
  it('contains every parameter of the list with its bounds', () => {
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

  it('contains every field of the update with its bounds', () => {
    const { requestBody, parameters } = operation('patch', '/v1/status-pages/{id}');
    expect(Object.keys(requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/merge-patch+json',
    ]);
    expect(parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['id', 'path', true],
      ['If-Match', 'header', false],
      ['dry_run', 'query', false],
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

  it('contains the sixteen required fields of a status page', async () => {
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
  ])('contains every response of %s %s, and examples of errors', (method, path, statuses) => {
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

  it('contains 429 and rate limits for every operation with a key', () => {
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

  it('describes a YAML file as text, with one example per format', () => {
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
});
