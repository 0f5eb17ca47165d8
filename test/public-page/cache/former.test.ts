import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DocumentCache } from '../../../src/visitors/cache/document-cache.js';
import { SlugDirectory } from '../../../src/visitors/cache/slug-directory.js';
import { PageVersions } from '../../../src/visitors/cache/page-versions.js';
import { until, useTenant, useTestServer } from '../../support/server.js';
import { newSlug, visit } from './use-visits.js';

const DAY_MS = 86_400_000;

describe('a former slug in memory', () => {
  const page = { id: randomUUID(), slug: 'present' };
  let directory: SlugDirectory;

  beforeEach(async () => {
    const row = {
      ...page,
      organization_id: randomUUID(),
      project_id: randomUUID(),
      version: '1',
      former_slug: 'former',
    };
    directory = new SlugDirectory(
      { findPublic: () => Promise.resolve([row]) },
      { gatedAmong: () => Promise.resolve([]) },
      { run: (_, lookUp) => lookUp() },
    );
    await directory.find('former');
  });
  afterEach(() => vi.restoreAllMocks());

  it('ends a day after its lookup', () => {
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now');
    clock.mockReturnValue(now + DAY_MS - 60_000);
    expect(directory.findFormer('former')).toMatchObject(page);
    clock.mockReturnValue(now + DAY_MS);
    expect(directory.findFormer('former')).toBeUndefined();
  });

  it('stays when another page or another slug of its page is dropped', () => {
    directory.removeFormer({ ...page, id: randomUUID() });
    directory.removeFormer({ ...page, slug: 'former' });
    expect(directory.findFormer('former')).toMatchObject(page);
    directory.removeFormer(page);
    expect(directory.findFormer('former')).toBeUndefined();
  });
});

describe('a former slug that a visitor has used', () => {
  const server = useTestServer();
  const tenant = useTenant(server);

  it.each([
    ['private', (id: string) => server.patch(tenant, id, { is_public: false })],
    ['deleted', (id: string) => server.ask(`/v1/status-pages/${id}`, { method: 'DELETE', key: tenant.key })],
  ])('ends when its page is dropped because it is %s, also without a visit of the page', async (_, close) => {
    const former = newSlug();
    const { id } = await server.page(tenant, { slug: former });
    const path = `/v1/status-pages/${id}/settings`;
    await server.ask(path, { method: 'PATCH', key: tenant.key, json: { slug: newSlug() } });
    expect((await visit(`${server.url}/status/${former}`)).status).toBe(308);
    const { directory } = server.app.get(DocumentCache, { strict: false });
    expect(directory.findFormer(former)?.id).toBe(id);
    await close(id);
    await server.app.get(PageVersions, { strict: false }).check();
    await until(() => Promise.resolve(directory.findFormer(former) === undefined));
  });
});
