import { setHeader } from '../drafts.js';
import type { Change } from './change.js';

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

/** Changes of the headers, and of the method. */
export const HEADERS: Change[] = [
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

/** Changes of the credentials. */
export const ACCESS: Change[] = [
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
