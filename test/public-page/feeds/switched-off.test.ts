import { describe, expect, it } from 'vitest';
import { API_DOCUMENTS } from '../../../src/page-model/parts.js';
import { useFeeds } from './use-feeds.js';

const { monitorIn, pageOf, visit } = useFeeds();

const FEEDS = ['/feed.rss', '/feed.atom', '/feed.json', '/maintenance.ics'];
const OTHERS = [
  ...API_DOCUMENTS.map((name) => `/api/v2/${name}.json`),
  '/badge.svg',
  '/badge.json',
  '/og-image.png',
];

/** Returns a response without the headers that differ between equal requests. */
async function responseTo(slug: string, path: string) {
  const response = await visit(slug, path);
  const headers = Object.fromEntries(response.headers);
  delete headers['date'];
  delete headers['x-request-id'];
  return { status: response.status, headers, body: await response.text() };
}

describe('a page with rss_enabled false', () => {
  it.each(FEEDS)('returns the same 404 for %s as for an unknown slug', async (path) => {
    const { slug } = await pageOf([], { rss_enabled: false });
    const unknown = await responseTo('no-such-page', path);
    expect(unknown.status).toBe(404);
    expect(await responseTo(slug, path)).toEqual(unknown);
  });

  it.each(OTHERS)('still serves %s', async (path) => {
    const { slug } = await pageOf([await monitorIn('operational')], { rss_enabled: false });
    expect((await visit(slug, path)).status).toBe(200);
  });
});

describe('a private page', () => {
  it.each([...FEEDS, ...OTHERS])('returns the same 404 for %s as for an unknown slug', async (path) => {
    const { slug } = await pageOf([], { is_public: false });
    const unknown = await responseTo('no-such-page', path);
    expect(unknown.status).toBe(404);
    expect(await responseTo(slug, path)).toEqual(unknown);
  });
});

describe('an unknown feed path', () => {
  it.each(['/feed.xml', '/api/v2/other.json', '/api/v2/summary', '/badge.png'])(
    'returns 404 for %s',
    async (path) => {
      const { slug } = await pageOf([]);
      expect(await responseTo(slug, path)).toEqual(await responseTo('no-such-page', path));
    },
  );
});
