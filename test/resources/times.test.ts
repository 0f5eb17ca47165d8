import { beforeAll, describe, expect, it } from 'vitest';
import { type Schema, ServedDocument } from '../fuzz/served-document.js';
import { expectProblem } from '../support/expectations.js';
import {
  type Fields,
  type Operation,
  operationsOf,
  otherOperations,
  RESOURCES,
  sampleOf,
} from '../support/resources.js';
import { type One, type Tenant, useTestServer } from '../support/server.js';

// The OpenAPI document defines which fields of a request are times.

const server = useTestServer();
let tenant: Tenant;
let document: ServedDocument;
let operations: Operation[];

beforeAll(async () => {
  tenant = await server.tenant();
  document = await ServedDocument.of(server.url);
  const others = await otherOperations(server, tenant);
  operations = others.filter(({ route }) => !route.endsWith('/publish')); // succeeds once, with the fields of POST /v1/incidents
  for (const resource of RESOURCES)
    operations.push(...operationsOf(resource, await sampleOf(server, tenant, resource)));
});

type Path = (string | number)[];

/** Returns the paths of the times in a body, in the first item of a list. */
function timesIn(reference: Schema, path: Path = []): Path[] {
  const schema = document.resolve(reference);
  if (schema.format === 'date-time') return [path];
  if (schema.items) return timesIn(schema.items, [...path, 0]);
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => timesIn(one, [...path, name]));
}

function timesOf({ route, ask }: Operation): Path[] {
  const [method = '', path = ''] = route.replaceAll(/:(\w+)/g, '{$1}').split(' ');
  const schema = ask.json && document.find(method, path)?.body?.schema;
  return schema ? timesIn(schema) : [];
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function valueAt(body: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
}

/** Returns a copy of a body with another value at a path. */
function withValue(body: Fields | undefined, path: Path, value: unknown): Fields {
  const copy: Fields = structuredClone(body ?? {});
  const parent = valueAt(copy, path.slice(0, -1));
  const name = path.at(-1);
  if (!isObject(parent) || name === undefined) throw new Error(`no ${path.join('/')} in the body`);
  parent[name] = value;
  return copy;
}

/** Writes a time in the local time of an offset, without it. */
const local = (time: number, minutes: number): string =>
  new Date(time + minutes * 60_000).toISOString().slice(0, 19);

/** Forms of a time in whole seconds, with the milliseconds that they add. */
const FORMS: [name: string, (time: number) => string, milliseconds?: number][] = [
  ['UTC', (time) => `${local(time, 0)}Z`],
  ['milliseconds', (time) => `${local(time, 0)}.250Z`, 250],
  ['lower case', (time) => `${local(time, 0)}z`.toLowerCase()],
  ['an offset', (time) => `${local(time, 60)}+01:00`],
  ['a negative offset', (time) => `${local(time, -8 * 60)}-08:00`],
  ['half an hour', (time) => `${local(time, 330)}+05:30`],
  ['the largest offset', (time) => `${local(time, 23 * 60 + 59)}+23:59`],
  ['an unknown offset', (time) => `${local(time, 0)}-00:00`],
  ['nine digits, truncated', (time) => `${local(time, 120)}.123999999+02:00`, 123],
];

const BAD = [
  '2026-11-20T12:00:00',
  '2026-11-20 12:00:00Z',
  '2026-11-20',
  '2026-02-30T12:00:00Z',
  '2026-11-20T24:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-11-20T12:00:00+0100',
  '2026-11-20T12:00:00+24:00',
  '2026-11-20T12:00:00.1234567890Z',
  '9999-12-31T23:59:59-01:00',
  'tomorrow',
  '',
];

async function send({ path, ask }: Operation, json: Fields) {
  return server.ask<One<Fields>>(path, { ...ask, key: tenant.key, json });
}

describe('each time in a request body', () => {
  it('includes times of reports and nullable times', () => {
    const names = operations.flatMap((one) => timesOf(one).map((path) => `${one.route} ${path.join('/')}`));
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /v1/api-keys expires_at',
        'POST /v1/monitor-reports reports/0/observed_at',
      ]),
    );
    expect(names.length).toBeGreaterThan(9);
  });

  it.each(FORMS)(
    'accepts RFC 3339 with %s, and is returned in UTC',
    async (_name, write, milliseconds = 0) => {
      for (const operation of operations) {
        for (const path of timesOf(operation)) {
          const { route, ask } = operation;
          const sample = valueAt(ask.json, path);
          const soon = Date.now() + 60_000;
          const time = Math.floor((typeof sample === 'string' ? Date.parse(sample) : soon) / 1_000) * 1_000;
          const { status, text, body } = await send(operation, withValue(ask.json, path, write(time)));
          expect({ route, path, status, text }).toEqual({ route, path, status: Math.min(status, 201), text });
          const returned = body.data[String(path.at(-1))];
          const isReturned = path.length === 1;
          expect(returned).toBe(isReturned ? new Date(time + milliseconds).toISOString() : undefined);
        }
      }
    },
  );

  it.each(BAD)('rejects %j', async (text) => {
    for (const operation of operations) {
      for (const path of timesOf(operation))
        expectProblem(
          await send(operation, withValue(operation.ask.json, path, text)),
          400,
          'validation_failed',
          {
            code: 'invalid_format',
            detail: 'must be a time such as 2026-11-20T12:00:00Z or 2026-11-20T13:00:00+01:00',
            pointer: `#/${path.join('/')}`,
          },
        );
    }
  });

  it('rejects a number', async () => {
    for (const operation of operations) {
      for (const path of timesOf(operation))
        expectProblem(
          await send(operation, withValue(operation.ask.json, path, 1)),
          400,
          'validation_failed',
          {
            code: 'invalid_type',
            pointer: `#/${path.join('/')}`,
          },
        );
    }
  });
});

describe('a query', () => {
  it('contains times only for the log and response times, because other ranges are of days, and rejects other values', async () => {
    const times = document.operations.flatMap(({ parameters, path }) =>
      parameters
        .filter(({ schema }) => document.resolve(schema).format === 'date-time')
        .map(({ name }) => ({ path, name })),
    );
    expect(times.map(({ path, name }) => `${path}?${name}`).toSorted()).toEqual([
      '/v1/events?from',
      '/v1/events?to',
      '/v1/monitors/{id}/response-times?from',
      '/v1/monitors/{id}/response-times?to',
    ]);
    const [monitor = ''] = await server.monitors(tenant, 1);
    for (const { path, name } of times)
      for (const value of ['2026-01-01', '1', '2026-01-01T00:00:00', '2026-13-01T00:00:00Z'])
        expectProblem(
          await server.ask(`${path.replace('{id}', monitor)}?${name}=${value}`, { key: tenant.key }),
          400,
          'validation_failed',
          { code: 'invalid_format', parameter: name },
        );
  });
});
