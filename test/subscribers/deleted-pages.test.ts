import { expect, it } from 'vitest';
import { PagesCleanup } from '../../src/status-pages/deleted/pages-cleanup.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

/** Creates a page with a subscriber and an unsubscribed address, and deletes the page. */
async function deletedPage(): Promise<string> {
  const { id } = await server.page(tenant);
  const { key } = tenant;
  const json = {
    status_page_id: id,
    confirmed: true,
    subscribers: [{ email: 'kept@example.com' }, { email: 'ended@example.com' }],
  };
  expect((await server.ask('/v1/subscribers/batch', { method: 'POST', key, json })).status).toBeLessThan(300);
  const [ended] = await server.sql<{ id: string }[]>(
    `SELECT id FROM subscribers WHERE status_page_id = $1 AND email = 'ended@example.com'`,
    [id],
  );
  expect((await server.ask(`/v1/subscribers/${ended?.id}`, { method: 'DELETE', key })).status).toBe(204);
  expect((await server.ask(`/v1/status-pages/${id}`, { method: 'DELETE', key })).status).toBe(204);
  return id;
}

/** Returns the number of subscribers and of hashes of erased addresses of a page. */
const rowsOf = (id: string): Promise<object[]> =>
  server.sql(
    `SELECT (SELECT count(*)::integer FROM subscribers WHERE status_page_id = $1) AS subscribers,
            (SELECT count(*)::integer FROM erased_subscribers WHERE status_page_id = $1) AS erased`,
    [id],
  );

it('subscribers outlive their page as long as it can be restored, and are then deleted', async () => {
  const [restorable, old] = [await deletedPage(), await deletedPage()];
  await server.sql(`UPDATE deleted_status_pages SET restorable_until = now() WHERE id = $1`, [old]);
  while (await server.app.get(PagesCleanup).run());
  expect(await rowsOf(restorable)).toEqual([{ subscribers: 1, erased: 1 }]);
  expect(await rowsOf(old)).toEqual([{ subscribers: 0, erased: 0 }]);
});
