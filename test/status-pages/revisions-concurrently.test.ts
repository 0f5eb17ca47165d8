import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { until, useTenant, useTestServer, type WirePage } from '../support/server.js';
import { sectionsOf, useRevisions, type WireRevision } from './use-revisions.js';

const server = useTestServer();
const tenant = useTenant(server);
const { list, get, settings, remove, restore, restoreRevision, read } = useRevisions(server, tenant);

/** Returns all revisions of a page, oldest first. */
async function allOf(id: string): Promise<WireRevision[]> {
  const found: WireRevision[] = [];
  let query: Record<string, string> = { limit: '100' };
  for (let more = true; more;) {
    const { body } = await list(id, query);
    found.push(...body.data);
    more = body.pagination.has_more;
    query = { limit: '100', cursor: String(body.pagination.next_cursor) };
  }
  return found.toReversed();
}

describe('concurrent changes of a status page', () => {
  it('write consecutive revisions, each with the values that it replaced', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const { id } = await server.page(tenant, { name: 'Name 0' });
    const changes = Array.from({ length: 120 }, (_, index) => {
      const color = `#${String(index + 1).padStart(6, '0')}`;
      switch (index % 4) {
        case 0:
          return () => server.patch(tenant, id, { name: `Name ${index + 1}` });
        case 1:
          return () => server.patch(tenant, id, { accent_color: color, is_public: index % 8 === 1 });
        case 2:
          return () => settings(id, { description: `Description ${index + 1}` });
        default:
          return () =>
            server.patch(tenant, id, { sections: sectionsOf(...(index % 8 === 3 ? [monitor] : [])) });
      }
    });
    const answers = await Promise.all(changes.map((change) => change()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const revisions = await allOf(id);
    expect(revisions.map(({ number }) => number)).toEqual(revisions.map((_, index) => index + 1));
    // Each response contains the page after one revision. Requests without changes return the version before them.
    const after = new Map(answers.map(({ body }) => [body.data.updated_at, body.data]));
    expect(revisions.slice(1).map(({ created_at }) => created_at)).toEqual([...after.keys()].toSorted());
    let page: WirePage | undefined;
    for (const { number, created_at } of revisions) {
      const { data } = (await get(id, number)).body;
      if (after.has(created_at)) expect(data.page).toEqual(after.get(created_at));
      if (page) expect(data.before).toEqual(valuesOf(page, data.changed_fields));
      page = data.page;
    }
    expect((await read(id)).body.data).toEqual(page);
  });

  it('write revisions one after the other, like restores', async () => {
    const { id } = await server.page(tenant, { name: 'First' });
    await server.patch(tenant, id, { name: 'Second' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => [
        restoreRevision(id, (index % 2) + 1),
        server.patch(tenant, id, { name: `Patched ${index}` }),
      ]).flat(),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const revisions = await allOf(id);
    expect(revisions.map(({ number }) => number)).toEqual(revisions.map((_, index) => index + 1));
    expect((await get(id, revisions.length)).body.data.page).toEqual((await read(id)).body.data);
  });

  it('store the replaced values if monitors are deleted concurrently', async () => {
    const monitors = await server.monitors(tenant, 8);
    const pages = await Promise.all(
      [1, 2, 3].map(() => server.page(tenant, { sections: sectionsOf(...monitors) })),
    );
    const statuses = await Promise.all([
      ...monitors.map((monitor) => remove(`/v1/monitors/${monitor}`)),
      ...pages.map(async ({ id }) => (await server.patch(tenant, id, { name: 'Patched' })).status),
    ]);
    expect(statuses).toEqual([...monitors.map(() => 204), 200, 200, 200]);
    for (const { id } of pages) {
      const revisions = await allOf(id);
      expect(revisions.map(({ number }) => number)).toEqual(
        Array.from({ length: 10 }, (_, index) => index + 1),
      );
      const of = revisions.filter(({ operation }) => operation === 'delete_monitor');
      const counts = await Promise.all(
        of.map(
          async ({ number }) => (await get(id, number)).body.data.before.sections?.[0]?.monitor_ids.length,
        ),
      );
      expect(counts).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    }
  });
});

describe('restoring a page while one of its monitors is deleted', { tags: ['postgres'] }, () => {
  it.each([
    ['a revision', 'status_pages'],
    ['a deleted page', 'deleted_status_pages'],
  ])('removes the monitor from the page when restoring %s', async (_restored, table) => {
    const isDeleted = table === 'deleted_status_pages';
    const [monitor = ''] = await server.monitors(tenant, 1);
    const { id } = await server.page(tenant, { sections: sectionsOf(monitor) });
    if (isDeleted) await remove(`/v1/status-pages/${id}`);
    else await server.patch(tenant, id, { sections: [] });
    const holder = server.app.get(DataSource).createQueryRunner();
    await holder.startTransaction();
    try {
      // A restore has read its monitors before it waits for this row.
      await holder.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
      const rows = await holder.manager.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
      const restoring = isDeleted ? restore(id) : restoreRevision(id, 1);
      await until(async () => {
        const waiting = await server.sql<unknown[]>(
          'SELECT FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))',
          [rows[0]?.pid],
        );
        return waiting.length > 0;
      });
      const deletion = remove(`/v1/monitors/${monitor}`);
      await Promise.race([deletion, delay(300)]);
      await holder.commitTransaction();
      expect([(await restoring).status, await deletion]).toEqual([200, 204]);
    } finally {
      await holder.release();
    }
    expect((await read(id)).body.data.sections).toEqual(sectionsOf());
  });
});

/** Returns the values of some fields of a page. */
const valuesOf = (page: WirePage, fields: (keyof WirePage)[]): object =>
  Object.fromEntries(fields.map((field) => [field, page[field]]));
