import { describe, expect, it } from 'vitest';
import { generateToken } from '../../src/platform/auth/token-format.js';
import { PreviewLinksRepository } from '../../src/status-pages/preview-links/preview-links.repository.js';
import { passTime } from '../support/clock.js';
import { statementsOf } from '../support/statements.js';
import { until } from '../support/server.js';
import { usePreviews, type Visit } from './use-previews.js';

const { server, tenant, privatePage, tokenOf, visit } = usePreviews();

/** Returns everything by which a visitor can distinguish two responses. */
const seen = ({ status, headers, text }: Visit) => ({
  status,
  headers: [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)),
  text,
});

/** Returns the token with another last character of its random part, so its checksum is wrong. */
const misspelled = (token: string) => token.replace(/.(?=.{6}$)/, (last) => (last === 'a' ? 'b' : 'a'));

describe('a preview link', () => {
  it('shows every part of a private page, with no-store and noindex', async () => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const page = await server.page(tenant, {
      is_public: false,
      sections: [{ id: 'core', title: 'Core', monitor_ids: [monitor_id] }],
    });
    const create = async (path: string, json: object) => {
      const { body } = await server.ask(path, {
        method: 'POST',
        key: tenant.key,
        json: { project_id: tenant.project_id, ...json },
      });
      return body.data.id;
    };
    const status_page_ids = [page.id];
    const incident = await create('/v1/incidents', { title: 'x', body: 'x', status_page_ids });
    const in_an_hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const maintenance = await create('/v1/maintenances', {
      title: 'x',
      starts_at: in_an_hour(1),
      ends_at: in_an_hour(2),
      status_page_ids,
    });
    const token = await tokenOf(page.id);
    const parts = [
      '',
      `/monitors/${monitor_id}`,
      '/history',
      `/history?month=${new Date().toISOString().slice(0, 7)}`,
      `/incidents/${incident}`,
      `/maintenances/${maintenance}`,
      '/feed.rss',
      '/feed.atom',
      '/feed.json',
      '/maintenance.ics',
      '/api/v2/summary.json',
      '/api/v2/scheduled-maintenances/active.json',
      '/badge.svg',
      '/badge.json',
      '/og-image.png',
      '/embed',
      '/banner.js',
    ];
    for (const part of parts) {
      expect([part, (await visit(page.slug, undefined, part)).status]).toEqual([part, 404]);
      const { status, headers, text } = await visit(page.slug, token, part);
      expect([part, status]).toEqual([part, 200]);
      expect(text.length).toBeGreaterThan(0);
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      // All links to the page carry the token. Without it, they would return 404.
      const links = [
        ...text.replaceAll('\r\n ', '').matchAll(new RegExp(`/status/${page.slug}[^"'<>\\s\\\\)]*`, 'g')),
      ];
      for (const [link] of links) expect(link).toContain(`preview=${token}`);
    }
    const head = await visit(page.slug, token, '', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('lets no other site frame or read the page', async () => {
    const page = await privatePage();
    const { status, headers } = await visit(page.slug, await tokenOf(page.id), '/embed');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('shows changes immediately', async () => {
    const page = await privatePage();
    const token = await tokenOf(page.id);
    for (const name of ['One name', 'Another name']) {
      await server.patch(tenant, page.id, { name });
      expect((await visit(page.slug, token)).text).toContain(name);
    }
  });

  it('opens the page at its current slug', async () => {
    const page = await privatePage();
    const token = await tokenOf(page.id);
    const slug = `${page.slug}-moved`;
    await server.ask(`/v1/status-pages/${page.id}/settings`, {
      method: 'PATCH',
      key: tenant.key,
      json: { slug },
    });
    expect((await visit(page.slug, token)).status).toBe(404);
    expect((await visit(slug, token)).status).toBe(200);
  });

  it('returns the same 404 as an unknown slug if it is wrong, expired or foreign', async () => {
    const [page, other] = [await privatePage(), await privatePage()];
    const [token, foreign, expired] = [
      await tokenOf(page.id),
      await tokenOf(other.id),
      await tokenOf(page.id),
    ];
    await server.sql(
      `UPDATE preview_links SET expires_at = clock_timestamp() WHERE token_hash = sha256($1::text::bytea)`,
      [expired],
    );
    const unknown = seen(await visit('no-such-page'));
    expect(unknown.status).toBe(404);
    for (const bad of [
      '',
      'x',
      'pv_',
      token.slice(0, -1),
      `${token}0`,
      misspelled(token),
      token.replace('pv_', 'sp_'),
      generateToken('pv_'),
      foreign,
      expired,
      tenant.key,
    ]) {
      expect(seen(await visit(page.slug, bad))).toEqual(unknown);
      expect(seen(await visit('no-such-page', bad))).toEqual(unknown);
    }
    expect(seen(await visit('no-such-page', token))).toEqual(unknown);
    expect(seen(await visit(`${page.slug}?preview=${token}&preview=${token}`))).toEqual(unknown);
    expect((await visit(page.slug, token)).status).toBe(200);
  });

  it('sends no-store for a public page only if it is valid', async () => {
    const page = await server.page(tenant);
    const token = await tokenOf(page.id);
    expect((await visit(page.slug, token)).headers.get('cache-control')).toBe('private, no-store');
    const plain = await visit(page.slug);
    for (const bad of ['x', misspelled(token), generateToken('pv_')]) {
      const { status, headers, text } = await visit(page.slug, bad);
      expect([status, headers.get('cache-control')]).toEqual([200, plain.headers.get('cache-control')]);
      expect(text).not.toContain('preview=');
    }
    expect(plain.headers.get('cache-control')).toMatch(/^public/);
  });

  it('causes a lookup only if its checksum is right', async () => {
    const page = await privatePage();
    const token = await tokenOf(page.id);
    const lookups = async (one: string) =>
      (await statementsOf(() => visit(page.slug, one))).filter((text) => text.includes('preview_links'))
        .length;
    expect(await lookups(token)).toBe(1);
    for (const bad of ['x', 'x'.repeat(5_000), misspelled(token)]) expect(await lookups(bad)).toBe(0);
  });

  it('uses one connection of an organization at a time while it is unknown, so other visitors do not wait', async () => {
    const page = await server.page(tenant);
    expect((await visit(page.slug)).status).toBe(200);
    const repository = server.app.get(PreviewLinksRepository);
    const findPage = repository.findPage.bind(repository);
    let started = 0;
    let goOn: () => void = () => undefined;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    // The database responds late, as during a flood of such requests.
    repository.findPage = async (hash) => {
      started += 1;
      await mayGoOn;
      return findPage(hash);
    };
    try {
      const flood = Array.from({ length: 10 }, () => visit(page.slug, generateToken('pv_')));
      await until(async () => started === 1);
      await passTime(5_000); // the maximum time in the queue
      expect((await Promise.race(flood)).status).toBe(503);
      expect(started).toBe(1);
      expect((await visit(page.slug)).status).toBe(200);
      goOn();
      const statuses = (await Promise.all(flood)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
    } finally {
      goOn();
      repository.findPage = findPage;
    }
  });
});
