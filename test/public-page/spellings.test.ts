import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { onceAnswered } from '../support/http-agent.js';
import { renderingsIn, visitorStatementsOf } from './cache/use-visits.js';
import { partsOf, useVisits } from './use-visits.js';

const { server, monitorIn, incident, maintenance, pageOf } = useVisits();

let paths: string[];

beforeAll(async () => {
  const monitor = await monitorIn('operational');
  const { id } = await incident({ [monitor]: 'partial_outage' });
  const ids = { monitor, incident: id, maintenance: await maintenance(1, 2, { monitor_ids: [monitor] }) };
  const { slug } = await pageOf([monitor]);
  const parts = new Set(partsOf(ids).map((part) => part.split('?')[0] ?? ''));
  paths = [...parts].map((part) => `/status/${slug}${part}`);
});

/** Requests a path as it is. `fetch` would resolve dots and encode characters. */
async function get(path: string): Promise<{ status: number; location: string | undefined }> {
  const { hostname, port } = new URL(server.url);
  const [response] = await onceAnswered(request({ hostname, port, path }).end());
  response.resume();
  return { status: response.statusCode ?? 0, location: response.headers.location };
}

const encode = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Returns other spellings that a server, a proxy or a file system can treat as the same path. */
function spellingsOf(path: string): string[] {
  const segments = path.split('/').slice(1);
  const join = (all: string[]) => `/${all.join('/')}`;
  const change = (index: number, segment: string) => join(segments.with(index, segment));
  return [
    ...['/', '//', '.', '..', '/.', '/..', '/./', ';', ';a=b', '%20', '%00', '%2e', '%2f', '%3f', '%23', '+', '~', '\\', '.html', '.json', '.rss'].map((end) => path + end), // prettier-ignore
    ...segments.flatMap((segment, index) => [
      change(index, segment.toUpperCase()),
      change(index, segment.slice(0, 1).toUpperCase() + segment.slice(1)),
      change(index, `${segment}/${segment}`),
      change(index, `/${segment}`),
      change(index, `./${segment}`),
      change(index, `x/../${segment}`),
      change(index, `%2e/${segment}`),
      change(index, `${segment};a=b`),
      change(index, `${segment}.`),
      change(index, `%20${segment}`),
    ]),
    // Each unreserved character, percent-encoded.
    ...[...path].flatMap((character, index) => {
      if (index === 0) return [];
      const encoded = path.slice(0, index) + encode(character) + path.slice(index + 1);
      return [encoded, path.slice(0, index) + encode(character).toUpperCase() + path.slice(index + 1)];
    }),
    path.replace('/api/v2/', '/api/v2/x/api/v2/'),
    path.replace('/api/v2/', '/api/v2/summary.json/api/v2/'),
    path.replace('/status/', '/status/./'),
    path.replace('/status/', '/status\\'),
  ].filter((one) => one !== path);
}

describe('each part of a public page', () => {
  it(
    'returns 404 or redirects to it for every other spelling of its path',
    { timeout: 120_000 },
    async () => {
      const found: string[] = [];
      const redirected = new Set<string>();
      for (const path of paths) {
        expect([path, (await get(path)).status]).toEqual([path, 200]);
        const others = spellingsOf(path).filter((one) => !paths.includes(one));
        for (let place = 0; place < others.length; place += 20)
          await Promise.all(
            others.slice(place, place + 20).map(async (other) => {
              const { status, location } = await get(other);
              const isRedirect =
                status === 308 && location === path && other.replace(/\/$/, '').toLowerCase() === path;
              if (isRedirect) redirected.add(path);
              else if (status !== 404) found.push(`${status} ${other}`);
            }),
          );
      }
      expect(found).toEqual([]);
      expect([...redirected]).toEqual(paths);
    },
  );

  it('renders once for all query strings', async () => {
    const queries = [
      '',
      '?',
      '?x',
      '?x=1&x=2',
      '?%00',
      '?&&',
      `?${'a'.repeat(2_000)}`,
      '?Month=2026-01',
      '?PREVIEW=x',
      '?preview=x',
      '?a?b',
    ];
    for (const path of paths) await get(path);
    const statements = await visitorStatementsOf(async () => {
      for (const path of paths)
        for (const query of [...queries, `?${Math.random()}`]) {
          const { status } = await get(path + query);
          expect([path + query, status]).toEqual([path + query, 200]);
        }
    });
    expect(renderingsIn(statements)).toBeLessThanOrEqual(paths.length); // a minute can end during the test
  });
});
