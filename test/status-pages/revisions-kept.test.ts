import { describe, expect, it } from 'vitest';
import { PagesCleanup } from '../../src/status-pages/deleted/pages-cleanup.js';
import { RevisionsRepository } from '../../src/status-pages/revisions/revisions.repository.js';
import { passTime } from '../support/clock.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { sectionsOf, useRevisions } from './use-revisions.js';

const server = useTestServer();
const tenant = useTenant(server);
const { list, get, remove, restoreRevision, restore } = useRevisions(server, tenant);

const stored = async (id: string): Promise<number> => {
  const [row] = await server.sql<{ count: number }[]>(
    'SELECT count(*)::integer AS count FROM status_page_revisions WHERE status_page_id = $1',
    [id],
  );
  return row?.count ?? 0;
};

/** Adds revisions to a page, as if it had been renamed repeatedly. */
async function rename(id: string, from: number, to: number, age = '0 days'): Promise<void> {
  await server.sql(
    `INSERT INTO status_page_revisions (organization_id, status_page_id, number, operation, changed_fields, before, created_at)
     SELECT $2, $1, number, 'update', '{name}', jsonb_build_object('name', 'Name ' || number - 1),
            now() - $5::interval + number * interval '1 millisecond' - interval '1 minute'
       FROM generate_series($3::integer, $4::integer) AS number`,
    [id, tenant.organization_id, from, to, age],
  );
  await server.sql('UPDATE status_pages SET revision = $2, name = $3 WHERE id = $1', [id, to, `Name ${to}`]);
}

const cleanup = () => server.app.get(PagesCleanup).run();

/** Milliseconds between two cleanups. */
const INTERVAL_MS = 600_000;

describe('status page revisions', () => {
  it('remain limited to the newest 1,000; every 100th change deletes older ones', async () => {
    const { id } = await server.page(tenant);
    await rename(id, 2, 1098);
    await server.patch(tenant, id, { name: 'Name 1099' });
    expect(await stored(id)).toBe(1099);
    expect([(await get(id, 99)).status, (await get(id, 100)).status]).toEqual([404, 200]);
    expect((await restoreRevision(id, 99)).status).toBe(404);
    expect((await get(id, 100)).body.data.page.name).toBe('Name 100');
    await server.patch(tenant, id, { name: 'Name 1100' });
    expect(await stored(id)).toBe(1000);
    const { body } = await list(id, { limit: '100' });
    expect(body.data.map(({ number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, index) => 1100 - index),
    );
  });

  it('disappear beyond 1,000 even if the 100th change is a restore or a monitor deletion', async () => {
    const { id } = await server.page(tenant);
    await rename(id, 2, 1098);
    expect(await remove(`/v1/status-pages/${id}`)).toBe(204);
    expect((await restore(id)).status).toBe(200);
    expect(await stored(id)).toBe(1000);
    await rename(id, 1101, 1198);
    const [monitor = ''] = await server.monitors(tenant, 1);
    await server.patch(tenant, id, { sections: sectionsOf(monitor) });
    expect(await stored(id)).toBe(1099);
    expect(await remove(`/v1/monitors/${monitor}`)).toBe(204);
    expect(await stored(id)).toBe(1000);
  });

  it('remain visible for a year, and are then deleted by the cleanup', async () => {
    const { id } = await server.page(tenant);
    await rename(id, 2, 400, '365 days');
    await rename(id, 401, 410, '364 days');
    await server.sql(
      `UPDATE status_page_revisions SET created_at = now() - interval '366 days' WHERE status_page_id = $1 AND number = 1`,
      [id],
    );
    expect((await list(id)).body.data.map(({ number }) => number)).toEqual(
      Array.from({ length: 10 }, (_, index) => 410 - index),
    );
    expect((await get(id, 400)).status).toBe(404);
    expect((await get(id, 401)).body.data.page.name).toBe('Name 401');
    expect(await cleanup()).toBe(false);
    expect(await stored(id)).toBe(10);
    expect((await get(id, 401)).body.data.page.name).toBe('Name 401');
  });

  it('disappear in bounded batches if there are many, with a second between them', async () => {
    const { id } = await server.page(tenant);
    await rename(id, 2, 12_000, '400 days');
    const pages = server.app.get(PagesCleanup);
    const run = pages.run.bind(pages);
    const runs: { isLeft: boolean; stored: number }[] = [];
    pages.run = async () => {
      const isLeft = await run();
      runs.push({ isLeft, stored: await stored(id) });
      return isLeft;
    };
    try {
      await passTime(INTERVAL_MS);
      await until(async () => runs.length > 1);
    } finally {
      pages.run = run;
    }
    expect(runs).toEqual([
      { isLeft: true, stored: 2_000 },
      { isLeft: false, stored: 1 },
    ]);
  });

  it('disappear in a later cleanup if one fails', async () => {
    const { id } = await server.page(tenant);
    await rename(id, 2, 3, '400 days');
    const repository = server.app.get(RevisionsRepository);
    const deleteOld = repository.deleteOld.bind(repository);
    let failures = 0;
    repository.deleteOld = async () => {
      failures += 1;
      throw new Error('the database is unavailable');
    };
    try {
      await passTime(INTERVAL_MS);
      await until(async () => failures === 1);
    } finally {
      repository.deleteOld = deleteOld;
    }
    expect(await stored(id)).toBe(3);
    await passTime(INTERVAL_MS);
    await until(async () => (await stored(id)) === 1);
  });

  it('disappear 30 days after their page was deleted', async () => {
    const { id } = await server.page(tenant);
    await rename(id, 2, 1_100);
    const other = await server.page(tenant);
    for (const one of [id, other.id]) expect(await remove(`/v1/status-pages/${one}`)).toBe(204);
    await server.sql(
      `UPDATE deleted_status_pages SET restorable_until = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect((await restore(id)).status).toBe(404);
    expect(await cleanup()).toBe(false);
    expect([await stored(id), await stored(other.id)]).toEqual([0, 2]);
    const left = await server.sql('SELECT id FROM deleted_status_pages WHERE id = ANY($1)', [[id, other.id]]);
    expect(left).toEqual([{ id: other.id }]);
  });

  it('disappear with a project whose pages are all deleted', async () => {
    const owner = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const { id } = await server.page(owner);
    expect(await remove(`/v1/status-pages/${id}`)).toBe(204);
    expect(await remove(`/v1/projects/${owner.project_id}`)).toBe(204);
    expect((await restore(id)).status).toBe(404);
    await cleanup();
    expect(await stored(id)).toBe(0);
    expect(await server.sql('SELECT id FROM deleted_status_pages WHERE id = $1', [id])).toEqual([]);
  });

  it('can be cleaned up by several processes concurrently', async () => {
    const { id } = await server.page(tenant);
    await rename(id, 2, 3_000, '400 days');
    await Promise.all([cleanup(), cleanup(), cleanup()]);
    expect(await stored(id)).toBe(1);
  });
});
