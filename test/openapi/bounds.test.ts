import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/platform/problems/catalogue.js';
import { MAX_BODY_BYTES } from '../../src/platform/validation/body.js';
import { Pattern } from '../../src/platform/validation/fields.js';
import { validate } from '../../src/platform/validation/validate.js';
import { type Schema, useDocument } from './use-document.js';

// The keywords that bound a type: any of these sets.
const BOUNDS: [string, ...string[][]][] = [
  ['string', ['maxLength'], ['enum'], ['const']],
  ['integer', ['format', 'minimum', 'maximum']],
  ['array', ['maxItems']],
];

const { server, document, operation } = useDocument();

describe('OpenAPI document', () => {
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

  it('defines fields whose longest texts fit together in a request body, in every encoding', () => {
    const tooLarge: string[] = [];
    /** Returns the bytes of all texts in UTF-8. Lists have their own limits. */
    const bytesOf = (value: unknown): number => {
      if (typeof value !== 'object' || value === null || 'enum' in value) return 0;
      if ('$ref' in value)
        return bytesOf(document.components.schemas[String(value.$ref).split('/').at(-1) ?? '']);
      if ('type' in value && [value.type].flat().includes('array')) return 0;
      const ofCharacter = 'pattern' in value ? 1 : 4; // patterns allow only ASCII
      if ('maxLength' in value) return Number(value.maxLength) * ofCharacter;
      return Object.values(value).reduce<number>((sum, part) => sum + bytesOf(part), 0);
    };
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, { requestBody }] of Object.entries(operations)) {
        const { schema } = requestBody?.content['application/json'] ?? {};
        if (bytesOf(schema) > MAX_BODY_BYTES) tooLarge.push(`${method} ${path}: ${bytesOf(schema)}`);
      }
    expect(tooLarge).toEqual([]);
    expect(
      bytesOf(operation('patch', '/v1/incidents/{id}').requestBody?.content['application/json']?.schema),
    ).toBeGreaterThan(200_000);
  });

  it('defines bounds that accept the longest response', async () => {
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

  it('rejects values that match only the pattern of a field', () => {
    class Letters {
      @Pattern({ pattern: /^a*$/, max: 3, form: 'up to three a', description: 'Letters.' })
      letters!: string;
    }
    expect(validate(Letters, { letters: 'aaa' }, 'body').errors).toEqual([]);
    expect(validate(Letters, { letters: 'aaaa' }, 'body').errors).toMatchObject([{ code: 'invalid_format' }]);
  });
});
