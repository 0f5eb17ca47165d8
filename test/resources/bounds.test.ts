import { beforeAll, describe, expect, it } from 'vitest';
import { type Schema, ServedDocument } from '../fuzz/served-document.js';
import {
  byPath,
  type Fields,
  type Operation,
  operationsOf,
  otherOperations,
  RESOURCES,
  sampleOf,
} from '../support/resources.js';
import { type Tenant, useTestServer } from '../support/server.js';

// The OpenAPI document defines the fields and their bounds.

const server = useTestServer();
let tenant: Tenant;
let document: ServedDocument;

beforeAll(async () => {
  tenant = await server.tenant();
  document = await ServedDocument.of(server.url);
});

const text = (length: number): string => '🚀'.repeat(length);
const ids = (count: number): string[] => Array.from({ length: count }, () => crypto.randomUUID());

/** Fields whose values are valid only at certain times, or for certain resources. The test sends only invalid values for them. */
const CONDITIONAL: Record<string, string> = {
  'PATCH /v1/maintenances/:id status': 'scheduled and in_progress are valid if they are the current status',
  ...Object.fromEntries(
    RESOURCES.flatMap(({ path, conditional = {} }) =>
      Object.entries(conditional).flatMap(([name, reason]) =>
        [`POST ${path}`, `PATCH ${path}/:id`].map((route) => [`${route} ${name}`, reason]),
      ),
    ),
  ),
};

/** A value, and the code of its error; undefined: any. */
type Refused = [value: unknown, code: string | undefined];

/** The values at the bounds of a field, and values just beyond or of a wrong type. */
function valuesOf(schema: Schema): { allowed: unknown[]; refused: Refused[] } {
  const types = [schema.type].flat();
  const isNullable = types.includes('null') || schema.anyOf?.some(({ type }) => type === 'null') === true;
  const { allowed, refused } = boundsOf(schema, types.find((one) => one !== 'null') ?? 'object');
  return {
    allowed: isNullable ? [...allowed, null] : allowed,
    refused: isNullable ? refused : [...refused, [null, undefined]],
  };
}

function boundsOf(schema: Schema, type: string): { allowed: unknown[]; refused: Refused[] } {
  const { enum: words, minimum = 0, maximum = 0, minLength = 0, maxLength = 0, maxItems = 0, items } = schema;
  const unlike: Refused = [type === 'string' ? 5 : 'text', 'invalid_type'];
  if (type === 'boolean') return { allowed: [true, false], refused: [unlike] };
  if (type === 'integer')
    return {
      allowed: [minimum, maximum],
      refused: [
        unlike,
        [minimum - 1, 'out_of_range'],
        [maximum + 1, 'out_of_range'],
        [minimum + 0.5, undefined],
      ],
    };
  if (type === 'array') {
    const item = items && document.resolve(items);
    const isOfIds = item?.format === 'uuid';
    const tooMany = isOfIds ? ids(maxItems + 1) : Array.from({ length: maxItems + 1 }, () => ({}));
    const refused: Refused[] = [unlike, [{}, 'invalid_type']];
    if (isOfIds || item?.properties) refused.push([tooMany, 'too_long']);
    return { allowed: isOfIds ? [ids(maxItems)] : [], refused };
  }
  if (type !== 'string') return { allowed: [], refused: [unlike] };
  if (words)
    return {
      allowed: words.filter((word) => word !== null),
      refused: [unlike, ['no such word', 'invalid_format']],
    };
  const refused: Refused[] = [unlike, [[], 'invalid_type'], [{}, 'invalid_type']];
  if (schema.format ?? schema.pattern)
    return { allowed: [], refused: [...refused, ['!', undefined], ['a'.repeat(maxLength + 1), undefined]] };
  refused.push([text(maxLength + 1), 'too_long']);
  if (minLength > 0) refused.push([text(minLength - 1), 'too_short']);
  return { allowed: [text(minLength), text(maxLength)], refused };
}

/** The request fields of an operation. */
function fieldsOf({ route, ask }: Operation): [string, Schema][] {
  const [method = '', path = ''] = route.replaceAll(/:(\w+)/g, '{$1}').split(' ');
  const schema = ask.json && document.find(method, path)?.body?.schema;
  const { properties = {} } = schema ? document.resolve(schema) : {};
  return Object.entries(properties).map(([name, one]) => [name, document.resolve(one)]);
}

/** Codes of errors for valid values: IDs of missing resources, and values of another resource. */
const OF_VALID = /^(unknown_\w+|taken)$/;

/** The errors of an operation for an invalid value. */
async function errorsOf({ path, ask }: Operation, field: string, value: unknown) {
  const json: Fields = ask.method === 'POST' ? { ...ask.json, [field]: value } : { [field]: value };
  const { status, body } = await server.ask<unknown>(path, { ...ask, key: tenant.key, json });
  const errors = (body.errors ?? []).filter(({ code }) => !OF_VALID.test(code));
  return { status, errors };
}

describe.each(byPath(RESOURCES))('writes of %s', (_path, resource) => {
  it('accept values at the bounds of each field and reject others', async () => {
    const own = operationsOf(resource, await sampleOf(server, tenant, resource));
    const below = (await otherOperations(server, tenant)).filter(({ route }) =>
      route.includes(` ${resource.path}/`),
    );
    const writes = [...own, ...below].filter((operation) => fieldsOf(operation).length > 0);
    expect(writes.length).toBeGreaterThan(0);
    for (const operation of writes) {
      for (const [field, schema] of fieldsOf(operation)) {
        const name = `${operation.route} ${field}`;
        const { allowed, refused } = valuesOf(schema);
        for (const value of name in CONDITIONAL ? [] : allowed) {
          const { errors } = await errorsOf(operation, field, value);
          expect({ name, value, errors }).toEqual({ name, value, errors: [] });
        }
        for (const [value, code] of refused) {
          const { status, errors } = await errorsOf(operation, field, value);
          const found = errors.map((one) => [one.pointer, code && one.code]);
          expect({ name, value, status, found }).toEqual({
            name,
            value,
            status: 400,
            found: [[`#/${field}`, code]],
          });
        }
      }
    }
  });
});
