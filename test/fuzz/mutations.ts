import type { Known } from './known.js';
import * as fc from 'fast-check';
import { bodyOf, type Draft, dropHeader, type Keys, placesIn, replacedAt, setHeader } from './drafts.js';
import { nastyJson, nastyText, objectOf, oddJsonTexts } from './nasty.js';
import type { Context } from './values.js';

/** What changes of a request have at hand, beside what its tenant knows. */
export interface Hostile extends Context {
  keys: Keys;
  /** What the tenant next door knows. */
  foreign: Known;
}

type Change = (draft: Draft, context: Hostile) => void;

const JSON_LIMIT = 256 * 1024;
const FILE_LIMIT = 5 * 1024 * 1024;
const tooLong = Buffer.alloc(FILE_LIMIT + 1, ' ');
const unknownId = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
const randomBytes = fc.uint8Array({ maxLength: 64 });
const anyMethod = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'QUERY',
];
const percent = [
  '%',
  '%0',
  '%00',
  '%C0%AF',
  '%ED%A0%80',
  '%FF',
  '%zz',
  '%2F',
  '%2e%2e',
  '%0d%0a',
  '%5c',
  ';x',
  '%F0%9F%9A%80',
];
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The places of the path that are parameters. */
function parametersOf({ operation: { path }, segments }: Draft): number[] {
  const template = path.split('/');
  return segments.flatMap((_, at) => (template[at]?.startsWith('{') ? [at] : []));
}

/** Puts an id of the other tenant, or of nobody, where one is expected: into the path, the query or the body. */
function withId(draft: Draft, context: Hostile, id: (list: string) => string): void {
  const { choose } = context;
  const [place] = parametersOf(draft);
  if (place !== undefined) draft.segments[place] = id(draft.segments.slice(0, place).join('/'));
  const listOf = (name: string): string => `/v1/${name.replace(/_ids?$/, '').replaceAll('_', '-')}s`;
  if (place === undefined || choose.chance(40)) {
    draft.query = draft.query.map(([name, value]) =>
      name.endsWith('_id') ? [name, id(listOf(name))] : [name, value],
    );
    const visit = (node: unknown, field: string): unknown => {
      if (typeof node === 'string') return /_ids?$/.test(field) ? id(listOf(field)) : node;
      if (Array.isArray(node)) return node.map((item) => visit(item, field));
      if (typeof node !== 'object' || node === null) return node;
      return objectOf(
        Object.entries(node).map(([key, child]): [string, unknown] => [key, visit(child, key)]),
      );
    };
    draft.json = visit(draft.json, '');
  }
}

/** A change that is meant to bring a request to a status. A request may need another one to be changed. */
export const TARGETED: Record<number, Change> = {
  304: (draft) => setHeader(draft, 'If-None-Match', '*'),
  400: (draft) => draft.query.push(['unknown_parameter', '1']),
  401: (draft) => dropHeader(draft, 'Authorization'),
  403: (draft, { keys, choose }) => {
    const needed = draft.operation.scopes ?? [];
    const lacking = keys.narrow.filter(({ scopes }) => needed.some((scope) => !scopes.includes(scope)));
    if (lacking.length > 0) setHeader(draft, 'Authorization', `Bearer ${choose.one(lacking).key}`);
  },
  404: (draft, context) => {
    withId(draft, context, () => unknownId);
    if (!draft.operation.path.startsWith('/v1/')) draft.segments[draft.segments.length - 1] = 'no-such';
    draft.query = draft.query.map(([name, value]) =>
      name.endsWith('_id') ? [name, unknownId] : [name, value],
    );
    if (typeof draft.json === 'object' && draft.json !== null && 'project_id' in draft.json)
      draft.json = { ...draft.json, project_id: unknownId };
  },
  412: (draft) => setHeader(draft, 'If-Match', '"2000-01-01T00:00:00.000Z"'),
  413: (draft) => {
    if (!draft.operation.body) return;
    const isFile = !Object.keys(draft.operation.body?.schema ?? {}).includes('$ref');
    draft.body = tooLong.subarray(0, (isFile ? FILE_LIMIT : JSON_LIMIT) + 1);
  },
  415: (draft) => {
    if (!draft.operation.body) return;
    setHeader(draft, 'Content-Type', 'text/plain');
    draft.body = bodyOf(draft) ?? 'x';
  },
};

/** Any other change, by what it changes. */
const BODY: Change[] = [
  (draft, { choose }) =>
    (draft.json = replacedAt(
      draft.json,
      choose.integer(0, placesIn(draft.json) - 1),
      choose.from(nastyJson),
    )),
  (draft, { choose }) =>
    (draft.json = replacedAt(
      draft.json,
      choose.integer(0, placesIn(draft.json) - 1),
      choose.from(nastyJson),
    )),
  (draft, { choose }) =>
    (draft.json = replacedAt(
      draft.json,
      choose.integer(0, placesIn(draft.json) - 1),
      choose.from(nastyText),
    )),
  (draft, { choose }) => {
    const entries = Object.entries(Object(draft.json));
    const at = choose.integer(0, Math.max(0, entries.length - 1));
    draft.json = objectOf(entries.filter((_, place) => place !== at));
  },
  (draft, { choose }) => {
    const name = choose.chance(50)
      ? choose.one([
          'id',
          'organization_id',
          'project_id',
          'created_at',
          'updated_at',
          'key_hash',
          'scopes',
          'is_public',
          '__proto__',
          'constructor',
          'toString',
        ])
      : choose.from(nastyText);
    draft.json = objectOf([...Object.entries(Object(draft.json)), [name, choose.from(nastyJson)]]);
  },
  (draft, { choose }) => (draft.body = choose.from(oddJsonTexts)(String(bodyOf(draft) ?? '{}'))),
  (draft, { choose }) => (draft.body = choose.from(randomBytes)),
  (draft, { choose }) => {
    const bytes = Buffer.from(bodyOf(draft) ?? '{}');
    if (bytes.length > 0) bytes[choose.integer(0, bytes.length - 1)] = choose.integer(0, 255);
    draft.body = bytes;
  },
  (draft, { choose }) =>
    setHeader(
      draft,
      'Content-Type',
      choose.one([
        'application/json; charset=utf-8',
        'application/json; charset=utf-16',
        'application/json;',
        'application/JSON',
        'application/merge-patch+json',
        'application/json-patch+json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        'application/yaml',
        'text/plain',
        'json',
        '',
        ';',
        'application/json, text/html',
      ]),
    ),
  (draft) => dropHeader(draft, 'Content-Type'),
  (draft, { choose }) =>
    setHeader(draft, 'Content-Encoding', choose.one(['gzip', 'br', 'identity', 'deflate, gzip', 'x'])),
  (draft) => {
    draft.json = undefined;
    draft.body = undefined;
  },
];
const QUERY: Change[] = [
  (draft, { choose }) =>
    draft.query.push([
      encoded(choose.from(nastyText).slice(0, 3_000)),
      encoded(choose.from(nastyText).slice(0, 3_000)),
    ]),
  (draft, { choose }) =>
    draft.query.push([
      choose.one([
        '__proto__',
        'constructor',
        'a[b]',
        'limit[]',
        'limit[gt]',
        '',
        'access_token',
        'project_id[]',
        'fields',
        'sort',
        '_method',
        'callback',
      ]),
      '1',
    ]),
  (draft) => draft.query.push(...draft.query),
  (draft, { choose }) => {
    const { parameters } = draft.operation;
    const names = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    const name = choose.one(names.length > 0 ? names : ['limit']);
    draft.query = [
      ...draft.query.filter(([one]) => one !== name),
      [name, encoded(choose.from(nastyText).slice(0, 3_000))],
    ];
  },
  (draft, { choose }) => draft.query.push(['x', choose.one(percent)]),
  (draft, { choose }) => (draft.query = draft.query.slice(1, choose.integer(1, 3))),
  (draft, { choose, foreign, known }) => {
    const cursors = [...foreign.cursors(), ...known.cursors()];
    const cursor = choose.one([...cursors, 'AA', 'x'.repeat(99), '-_-_']);
    const at = choose.integer(0, cursor.length - 1);
    const mangled = choose.chance(50)
      ? cursor
      : cursor.slice(0, at) + choose.one([...'AZaz09_-']) + cursor.slice(at + 1);
    draft.query = [...draft.query.filter(([name]) => name !== 'cursor'), ['cursor', mangled]];
  },
];
const PATH: Change[] = [
  (draft, { choose }) => {
    const place = choose.one([...parametersOf(draft), draft.segments.length - 1]);
    draft.segments[place] = encoded(choose.from(nastyText).slice(0, 3_000));
  },
  (draft, { choose }) => {
    const place = choose.one([...parametersOf(draft), draft.segments.length - 1]);
    draft.segments[place] += choose.one(percent);
  },
  (draft, { choose }) => {
    const place = choose.integer(1, draft.segments.length - 1);
    draft.segments[place] = choose.chance(50)
      ? (draft.segments[place] ?? '').toUpperCase()
      : `${draft.segments[place]}.json`;
  },
  (draft, { choose }) =>
    draft.segments.splice(
      choose.integer(1, draft.segments.length),
      0,
      choose.one(['', '.', '..', '%2e%2e', '..;', '%2F', '\\']),
    ),
  (draft) => draft.segments.push(''),
  (draft) => (draft.segments[0] = 'http://127.0.0.1:1'),
];
const HEADERS: Change[] = [
  (draft, { choose }) =>
    setHeader(
      draft,
      'If-Match',
      choose.one([
        '"x"',
        'W/"x"',
        '*, *',
        '',
        ',',
        '"',
        '"a""b"',
        'x',
        '"'.repeat(9_000),
        '"2026-01-01T00:00:00.000Z", "x"',
        '"é"',
      ]),
    ),
  (draft, { choose }) => setHeader(draft, 'If-None-Match', choose.one(['*', 'W/"x"', '"x", *', 'x', ','])),
  (draft, { choose }) =>
    setHeader(
      draft,
      'Idempotency-Key',
      choose.one([
        '',
        ' ',
        '"x"',
        'é',
        'x'.repeat(300),
        'x'.repeat(9_000),
        'a,b',
        '\t',
        'fuzz-1',
        '__proto__',
        'constructor',
      ]),
    ),
  (draft, { choose }) =>
    draft.headers.push([choose.one(['X-HTTP-Method-Override', 'X-Method-Override']), 'DELETE']),
  (draft, { choose }) =>
    draft.headers.push([
      choose.one([
        'X-Forwarded-For',
        'Forwarded',
        'X-Forwarded-Host',
        'X-Real-IP',
        'X-Original-URL',
        'X-Rewrite-URL',
        'True-Client-IP',
      ]),
      choose.one([
        '127.0.0.1',
        '::1, 10.0.0.1',
        'evil.example',
        '/v1/api-keys',
        'x'.repeat(5_000),
        'for="[::1]:80";host=evil',
      ]),
    ]),
  (draft, { choose }) =>
    draft.headers.push([
      'Accept',
      choose.one(['text/html', 'application/xml', '*/*;q=0', 'application/json;q=x', 'x'.repeat(4_000)]),
    ]),
  (draft, { choose }) =>
    draft.headers.push(['Range', choose.one(['bytes=0-1', 'bytes=-1', 'bytes=9-', 'bytes=0-0,1-1', 'x'])]),
  (draft, { choose }) =>
    draft.headers.push(['Cookie', choose.one(['key=sp_x', '__proto__=1', 'x'.repeat(5_000)])]),
  (draft) =>
    draft.headers.push(['Origin', 'https://evil.example'], ['Access-Control-Request-Method', 'DELETE']),
  (draft, { choose }) =>
    setHeader(draft, 'Host', choose.one(['evil.example', 'a b', '', 'x:99999999', '[::1', 'é'])),
  (draft, { choose }) =>
    draft.headers.push(['X-Request-Id', choose.one(['mine', 'x'.repeat(5_000), '{}', 'é', ''])]),
  (draft) => draft.headers.push(['X-Big', 'x'.repeat(20_000)]),
  (draft) => draft.headers.push(['Expect', 'the-unexpected']),
  (draft, { choose }) => (draft.method = choose.one(anyMethod)),
  (draft, { choose }) => (draft.method = choose.one(anyMethod)),
];
const ACCESS: Change[] = [
  (draft, { choose, keys }) => setHeader(draft, 'Authorization', `Bearer ${choose.one(keys.dead)}`),
  (draft, { choose, keys }) => setHeader(draft, 'Authorization', `Bearer ${choose.one(keys.narrow).key}`),
  (draft, { keys }) =>
    setHeader(draft, 'Authorization', `Basic ${Buffer.from(`x:${keys.main}`).toString('base64')}`),
  (draft, { choose }) =>
    setHeader(
      draft,
      'Authorization',
      choose.one([
        'Bearer',
        'Bearer ',
        'bearer x',
        'Basic',
        'Basic x',
        'Basic Og==',
        'Digest x',
        '',
        ' ',
        'Bearer a b',
        `Bearer ${'x'.repeat(9_000)}`,
        'Bearer é',
        'Token x',
        'Bearer sp_',
      ]),
    ),
  (draft, { keys }) => draft.headers.push(['Authorization', `Bearer ${keys.main}`]),
];
const FOREIGN: Change[] = [
  (draft, context) =>
    withId(draft, context, (list) => {
      const { choose, foreign } = context;
      // Below a resource of the other tenant, the list is not one that this tenant knows.
      const item = foreign.choose(choose, list) ?? foreign.choose(choose, '/v1/projects');
      return String(item?.['id'] ?? unknownId);
    }),
];

/** Changes a request in any way. */
export function mutate(draft: Draft, context: Hostile): void {
  const { choose } = context;
  const groups = [
    ...(draft.operation.body ? [BODY, BODY] : []),
    QUERY,
    PATH,
    HEADERS,
    ACCESS,
    FOREIGN,
    Object.values(TARGETED).filter((change) => change !== TARGETED[413] || choose.chance(20)),
  ];
  choose.one(choose.one(groups))(draft, context);
}
