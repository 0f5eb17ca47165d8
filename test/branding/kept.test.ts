import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashesOf } from '../support/catalogue.js';
import { useTenant, useTestServer } from '../support/server.js';
import { PICTURES } from './pictures.js';
import { useBranding } from './use-branding.js';

const server = useTestServer();
const tenant = useTenant(server);
const { get, put, patch } = useBranding(server, tenant);

let parent: string;
let directory: string;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'status-pages-branding-'));
  directory = join(parent, 'export');
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

async function brandedPage(): Promise<{ id: string; slug: string }> {
  const page = await server.page(tenant);
  await patch(page.id, {
    language: 'ja',
    website_url: 'https://acme.example',
    links: [{ label: 'Docs', url: 'https://docs.example', placement: 'header' }],
  });
  await put(page.id, 'logo', PICTURES['image/png']);
  await put(page.id, 'logo-dark', PICTURES['image/svg+xml']);
  await put(page.id, 'favicon', PICTURES['image/webp']);
  return page;
}

const send = (method: string, path: string) =>
  server.ask(`/v1/status-pages/${path}`, { method, key: tenant.key, ...(method === 'POST' && { json: {} }) });

describe('branding of a status page', () => {
  it('disappears with its status page, and returns with a restore', async () => {
    const { id, slug } = await brandedPage();
    const { body: before } = await get(id);
    expect((await send('DELETE', id)).status).toBe(204);
    expect((await get(id)).status).toBe(404);
    const counts = await server.sql<{ count: number }[]>(
      `SELECT (SELECT count(*) FROM status_page_branding WHERE status_page_id = $1)::int
            + (SELECT count(*) FROM status_page_images WHERE status_page_id = $1)::int AS count`,
      [id],
    );
    expect(counts).toEqual([{ count: 0 }]);
    expect((await send('POST', `${id}/restore`)).status).toBe(200);
    expect((await get(id)).body).toEqual(before);
    const path = new URL(before.data.logo?.url ?? '').pathname;
    const response = await fetch(server.url + path);
    expect([response.status, path.startsWith(`/status/${slug}/`)]).toEqual([200, true]);
    expect(Buffer.from(await response.arrayBuffer()).equals(PICTURES['image/png'])).toBe(true);
  });

  it('keeps the defaults in a restore', async () => {
    const { id } = await server.page(tenant);
    const { body: before } = await get(id);
    await send('DELETE', id);
    await send('POST', `${id}/restore`);
    expect((await get(id)).body).toEqual(before);
  });

  it('gets the defaults in a restore if an earlier version of the service deleted the page', async () => {
    const { id } = await brandedPage();
    await send('DELETE', id);
    await server.sql(`UPDATE deleted_status_pages SET named_by = named_by - 'branding' WHERE id = $1`, [id]);
    expect((await send('POST', `${id}/restore`)).status).toBe(200);
    expect((await get(id)).body.data).toMatchObject({ language: 'en', logo: null });
  });

  it('appears in an export: files with the pictures, and relative links to them', async () => {
    const { id } = await brandedPage();
    const { body } = await get(id);
    const { code } = await server.cli('export', id, '--out', directory, '--url', 'https://status.example');
    expect(code).toBe(0);
    const fileOf = (url = '') => url.slice(url.lastIndexOf('/') + 1);
    const [logo, favicon] = [fileOf(body.data.logo?.url), fileOf(body.data.favicon?.url)];
    const read = (file: string) => readFileSync(join(directory, file));
    expect(read(logo)).toEqual(PICTURES['image/png']);
    expect(read(favicon)).toEqual(PICTURES['image/webp']);
    expect(String(read('index.html'))).toContain(`<link rel="icon" href="${favicon}"`);
    expect(String(read('feed.rss'))).toContain(`<image><url>https://status.example/${logo}</url>`);
  });

  it('changes nothing if an upload is rejected', async () => {
    const { id } = await brandedPage();
    const before = await hashesOf(server);
    expect((await put(id, 'logo', 'no picture')).status).toBe(415);
    expect((await patch(id, { language: 'xx' })).status).toBe(400);
    expect(await hashesOf(server)).toEqual(before);
  });
});
