import { describe, expect, it } from 'vitest';
import type { PreviewLinkDto } from '../../src/status-pages/preview-links/dto/preview-link.dto.js';
import { StatusPagesService } from '../../src/status-pages/status-pages.service.js';
import { expectProblem } from '../support/expectations.js';
import type { One, Wire } from '../support/server.js';
import { usePreviews } from './use-previews.js';

const { server, tenant, privatePage, tokenOf, visit } = usePreviews();

const DAY_MS = 86_400_000;

const linksOf = (pageId: string) =>
  server.sql<{ hash: string }[]>(
    `SELECT encode(token_hash, 'hex') AS hash FROM preview_links WHERE status_page_id = $1`,
    [pageId],
  );

describe('POST /v1/status-pages/{id}/preview-links', () => {
  it.each([{ json: {} }, {}])('returns 201 with the link and no-store: %j', async (body) => {
    const page = await privatePage();
    const path = `/v1/status-pages/${page.id}/preview-links`;
    const answer = await server.ask<One<Wire<PreviewLinkDto>>>(path, {
      method: 'POST',
      key: tenant.key,
      ...body,
    });
    expect(answer.status).toBe(201);
    expect([answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([null, 'no-store']);
    const { url, expires_at } = answer.body.data;
    const { port } = new URL(server.url);
    expect(url).toMatch(
      new RegExp(`^http://localhost:${port}/status/${page.slug}\\?preview=pv_[0-9A-Za-z]{46}$`),
    );
    expect(Math.abs(Date.parse(expires_at) - Date.now() - DAY_MS)).toBeLessThan(10_000);
  });

  it('rejects fields', async () => {
    const page = await privatePage();
    const path = `/v1/status-pages/${page.id}/preview-links`;
    const { status, body } = await server.ask(path, {
      method: 'POST',
      key: tenant.key,
      json: { expires_at: '2030-01-01T00:00:00Z' },
    });
    expect([status, body.errors]).toMatchObject([400, [{ code: 'unknown_field', pointer: '#/expires_at' }]]);
    expect(await linksOf(page.id)).toEqual([]);
  });

  it('stores only the SHA-256 hash of the token', async () => {
    const page = await privatePage();
    const token = await tokenOf(page.id);
    const rows = await server.sql<Record<string, unknown>[]>(
      `SELECT *, token_hash = sha256($2::text::bytea) AS is_hash FROM preview_links WHERE status_page_id = $1`,
      [page.id, token],
    );
    expect(rows).toMatchObject([{ is_hash: true, organization_id: tenant.organization_id }]);
    expect(JSON.stringify(rows)).not.toContain(token.slice(3));
  });

  it('deletes the expired links of the page', async () => {
    const [page, other] = [await privatePage(), await privatePage()];
    const expired = await tokenOf(page.id);
    await tokenOf(other.id);
    await server.sql(`UPDATE preview_links SET expires_at = now()`);
    const token = await tokenOf(page.id);
    expect(await linksOf(page.id)).toHaveLength(1);
    expect(await linksOf(other.id)).toHaveLength(1);
    expect((await visit(page.slug, expired)).status).toBe(404);
    expect((await visit(page.slug, token)).status).toBe(200);
  });

  it('deletes the oldest link of a page that has 100', async () => {
    const page = await privatePage();
    const oldest = await tokenOf(page.id);
    const second = await tokenOf(page.id);
    await server.sql(
      `INSERT INTO preview_links (organization_id, status_page_id, token_hash, created_at, expires_at)
       SELECT $1, $2, sha256(number::text::bytea), now(), now() + interval '1 hour'
         FROM generate_series(1, 98) AS number`,
      [tenant.organization_id, page.id],
    );
    expect((await visit(page.slug, oldest)).status).toBe(200);
    const newest = await tokenOf(page.id);
    expect(await linksOf(page.id)).toHaveLength(100);
    const statuses = [oldest, second, newest].map(async (token) => (await visit(page.slug, token)).status);
    expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
  });

  it('returns 404 if the page is deleted concurrently', async () => {
    const { id } = await privatePage();
    const path = `/v1/status-pages/${id}`;
    const pages = server.app.get(StatusPagesService);
    const get = pages.get.bind(pages);
    pages.get = async (...parameters) => {
      const page = await get(...parameters);
      expect((await server.ask(path, { method: 'DELETE', key: tenant.key })).status).toBe(204);
      return page;
    };
    try {
      const answer = await server.ask(`${path}/preview-links`, { method: 'POST', key: tenant.key });
      expectProblem(answer, 404, 'not_found');
    } finally {
      pages.get = get;
    }
  });

  it('creates all links requested concurrently', async () => {
    const page = await privatePage();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(page.id)));
    expect(new Set(tokens).size).toBe(20);
    expect(await linksOf(page.id)).toHaveLength(20);
  });
});

it('preview links are deleted with their page', async () => {
  const page = await privatePage();
  await tokenOf(page.id);
  await server.ask(`/v1/status-pages/${page.id}`, { method: 'DELETE', key: tenant.key });
  expect(await linksOf(page.id)).toEqual([]);
});
