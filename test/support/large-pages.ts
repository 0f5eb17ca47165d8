import type { Tenant, TestServer } from './server.js';

/** Creates status pages of 160 kB. A list of 50 ends at 8 MB, more than the buffers of both sockets hold. */
export async function createLargePages(server: TestServer, tenant: Tenant, count: number): Promise<void> {
  const sections = Array.from({ length: 190 }, (_, index) => ({
    id: `s${index}`,
    title: '\u{1f600}'.repeat(200),
    monitor_ids: [],
  }));
  const { id } = await server.page(tenant, { sections });
  await server.sql(
    `INSERT INTO status_pages
     SELECT (jsonb_populate_record(page, jsonb_build_object('id', gen_random_uuid(), 'slug', 'copy-' || number))).*
       FROM status_pages page, generate_series(1, $2::int) number
      WHERE page.id = $1`,
    [id, count - 1],
  );
}
