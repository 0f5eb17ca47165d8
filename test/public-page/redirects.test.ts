import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { visit } from './cache/use-visits.js';
import { partsOf, useVisits } from './use-visits.js';

const { server, monitorIn, incident, maintenance, pageOf } = useVisits();

let slug: string;
let ids: { monitor: string; incident: string; maintenance: string };

beforeAll(async () => {
  const monitor = await monitorIn('operational');
  const { id } = await incident({ [monitor]: 'partial_outage' });
  ids = { monitor, incident: id, maintenance: await maintenance(1, 2, { monitor_ids: [monitor] }) };
  ({ slug } = await pageOf([monitor]));
});

const get = (path: string, method?: string) => visit(server.url + path, {}, method);

/** Sends a request target as it is, and returns the head of the response. */
async function head(target: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.end(
    Buffer.from(`GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`, 'latin1'),
  );
  const [answer = ''] = (await text(socket)).split('\r\n\r\n');
  return answer;
}

describe('another spelling of a public path', () => {
  it('redirects with 308 to the one spelling, with its query, for every part', async () => {
    for (const part of partsOf(ids)) {
      const [path = '', partQuery] = `/status/${slug}${part}`.split('?');
      const queries = partQuery === undefined ? ['', '?utm_source=A&b=%41'] : [`?${partQuery}&x=Y`];
      for (const other of [
        `${path}/`,
        path.toUpperCase(),
        `${path.toUpperCase()}/`,
        `/Status${path.slice(7)}`,
      ])
        for (const query of queries)
          for (const method of ['GET', 'HEAD']) {
            const { status, headers, text: body } = await get(other + query, method);
            expect([other, status, headers['location'], body]).toEqual([other, 308, path + query, '']);
            expect(headers).toMatchObject({
              'cache-control': 'public, max-age=60',
              'access-control-allow-origin': '*',
              'content-length': '0',
            });
            expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
          }
      expect((await get(`/status/${slug}${part}`)).status).toBe(200);
    }
  });

  it('redirects private pages, unknown slugs and unknown IDs in the same way', async () => {
    const hidden = await pageOf([ids.monitor], { is_public: false });
    for (const pageSlug of [hidden.slug, slug, 'no-such-page'])
      for (const part of partsOf(ids)) {
        const [path = ''] = `/status/${pageSlug}${part}`.split('?');
        const { status, headers } = await get(path.toUpperCase());
        expect([status, headers['location']]).toEqual([308, path]);
      }
  });

  it('redirects without storing the token of a preview link', async () => {
    const { status, headers } = await get(`/status/${slug.toUpperCase()}?preview=pv_x`);
    expect([status, headers['location']]).toEqual([308, `/status/${slug}?preview=pv_x`]);
    expect(headers['cache-control']).toBe('private, no-store');
  });

  it('redirects only to the path of a part, and never to another host', async () => {
    for (const target of [
      '//evil.example/status/ACME',
      '//evil.example//status/ACME/',
      '/status//ACME',
      '/status//evil.example/',
      '/status/\\evil.example/',
      '/\\evil.example/status/ACME/',
      '/status/%2Fevil.example/',
      '/status/ACME%2F',
      '/status/ACME%0d%0aSet-Cookie:x/',
      '/status/ACME/..//evil.example/',
      '/status/ACME/../../',
      '/status/ACME;/',
      '/status/ACME//',
      '/status/ACME./',
      '/status/ACME/no-such-part/',
      '/status/acme/monitors/X/',
      '/status/ÄCME/',
      `/status/${'A'.repeat(64)}`,
      'http://evil.example//evil.example/',
      '/STATUS',
      '/status/',
      '/status',
    ])
      expect([target, await head(target)]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 (404|400) /)]);
    for (const query of ['?//evil.example', '?\\', '?é', '?a?b#c', '?%0d%0aX:y']) {
      const answer = await head(`/status/ACME/${query}`);
      expect([query, answer]).toEqual([query, expect.stringMatching(/^HTTP\/1\.1 (308|400) /)]);
      const [, location] = /^Location: (.*)$/m.exec(answer) ?? [];
      if (answer.includes(' 308 ')) expect(location).toMatch(/^\/status\/acme\?[!-~]*\r?$/);
    }
  });

  it('redirects only once', async () => {
    for (const path of [`/STATUS/${slug}/`, `/status/${slug.toUpperCase()}/FEED.RSS/`]) {
      const { headers } = await get(path);
      expect((await get(headers['location'] ?? '')).status).toBe(200);
    }
  });

  it('returns 404 for other spellings of paths outside of /status', async () => {
    for (const path of [
      '/V1/status-pages',
      '/v1/status-pages/',
      '/Docs',
      '/docs/',
      '/health/live/',
      '/OpenAPI.json',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('rejects other methods with 405', async () => {
    const { status, headers } = await get(`/status/${slug}/`, 'POST');
    expect([status, headers['allow'], headers['location']]).toEqual([405, 'GET, HEAD, OPTIONS', undefined]);
  });
});

describe('GET /status', () => {
  it('returns the 404 page', async () => {
    const [found, unknown] = [await get('/status'), await get('/status/no-such-page')];
    expect([found.status, found.text]).toEqual([404, unknown.text]);
    expect(found.headers['content-type']).toMatch(/^text\/html/);
  });
});
