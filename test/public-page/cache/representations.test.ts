import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { constantHeaders, useVisits } from './use-visits.js';

const { page, visit } = useVisits();

let slug = '';
beforeAll(async () => {
  ({ slug } = await page({ name: 'Acme '.repeat(39), description: 'We run it. '.repeat(40) }));
});

const CACHE_CONTROL = 'public, max-age=10, s-maxage=10, stale-while-revalidate=60, stale-if-error=86400';

describe('GET /status/{slug} and its parts', () => {
  it.each([
    [undefined, undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['identity', undefined],
    ['deflate', undefined],
    ['identity;q=0, deflate', undefined],
    ['gzip;q=0.2, identity;q=0.9', undefined],
    ['', undefined],
    [';;,=q', undefined],
  ])('select the content encoding by Accept-Encoding: %s', async (accepted, coding) => {
    const plain = await visit(slug);
    for (const round of [1, 2]) {
      const { status, headers, body } = await visit(
        slug,
        accepted === undefined ? {} : { 'Accept-Encoding': accepted },
      );
      expect([round, status, headers['content-encoding'], headers['vary']]).toEqual([
        round,
        200,
        coding,
        'Accept-Encoding',
      ]);
      expect(headers['content-length']).toBe(String(body.length));
      const text = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body;
      expect(text.toString()).toBe(plain.text);
    }
  });

  it('return a strong ETag per content encoding, equal for equal bytes', async () => {
    const tags = async (accepted: string) => {
      const answers = [
        await visit(slug, { 'Accept-Encoding': accepted }),
        await visit(slug, { 'Accept-Encoding': accepted }),
      ];
      const [first, second] = answers.map(({ headers }) => headers['etag']);
      expect(second).toBe(first);
      expect(first).toMatch(/^"[0-9a-f]{32}(-br|-gzip)?"$/);
      return first;
    };
    expect(new Set([await tags('identity'), await tags('gzip'), await tags('br')]).size).toBe(3);
  });

  it.each([
    ['the ETag of the response', (tag: string) => tag, 304],
    ['a weak ETag', (tag: string) => `W/${tag}`, 304],
    ['a list of ETags', (tag: string) => `"a", W/"b",${tag} , "c"`, 304],
    ['any ETag', () => '*', 304],
    [
      'an ETag with the suffix that Apache appends',
      (tag: string) => tag.replace(/(-br|-gzip)?"$/, '-gzip"'),
      304,
    ],
    ['another ETag', () => '"0123456789abcdef0123456789abcdef"', 200],
    ['another ETag with a suffix', () => '"0123456789abcdef0123456789abcdef-br"', 200],
    ['an empty value', () => '', 200],
    ['an ETag without quotes', (tag: string) => tag.slice(1, -1), 200],
  ])('compare If-None-Match with the ETag: %s', async (_case, toHeader, expected) => {
    for (const accepted of ['identity', 'br', 'gzip']) {
      const { headers } = await visit(slug, { 'Accept-Encoding': accepted });
      const tag = headers['etag'] ?? '';
      for (const method of ['GET', 'HEAD']) {
        const condition = { 'Accept-Encoding': accepted, 'If-None-Match': toHeader(tag) };
        const again = await visit(slug, condition, method);
        expect([again.status, again.headers['etag']]).toEqual([expected, tag]);
        expect([again.headers['cache-control'], again.headers['vary']]).toEqual([
          CACHE_CONTROL,
          'Accept-Encoding',
        ]);
        expect(again.body.length === 0).toBe(expected === 304 || method === 'HEAD');
      }
    }
  });

  it('return the same headers for HEAD as for GET, without a body', async () => {
    const get = await visit(slug);
    const head = await visit(slug, {}, 'HEAD');
    expect(head.body).toHaveLength(0);
    expect(constantHeaders(head)).toEqual(constantHeaders(get));
  });

  it('send headers that forbid framing, MIME sniffing and embedding of pages', async () => {
    for (const path of ['', '/history']) {
      const { headers } = await visit(slug + path);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': CACHE_CONTROL,
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each([
    '/feed.rss',
    '/feed.atom',
    '/feed.json',
    '/badge.svg',
    '/badge.json',
    '/og-image.png',
    '/api/v2/status.json',
  ])('allow other sites to read and embed feeds, JSON and badges: %s', async (path) => {
    const { status, headers } = await visit(slug + path, { Origin: 'https://example.com' });
    expect(status).toBe(200);
    const shared = { 'access-control-allow-origin': '*', 'cache-control': CACHE_CONTROL };
    expect(headers).toMatchObject({ ...shared, 'cross-origin-resource-policy': 'cross-origin' });
    const again = await visit(slug + path, { 'If-None-Match': headers['etag'] ?? '' });
    expect([again.status, again.headers]).toMatchObject([304, shared]);
  });
});

describe('GET /status/{slug} for an unknown page', () => {
  it('returns identical bytes for every 404, compressed or not, and never 304', async () => {
    const { status, headers, text } = await visit('nobody');
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const again = await visit('nobody-else/history', { 'If-None-Match': headers['etag'] ?? '' });
    expect([again.status, again.text, again.headers['etag']]).toEqual([404, text, headers['etag']]);
    expect(headers['x-request-id']).not.toBe(again.headers['x-request-id']);
  });
});
