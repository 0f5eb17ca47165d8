import type { Client } from 'pg';

const MONITORS = 1_000;
const SECTIONS = 200;

/** A project whose status pages are as large as the limits of the API allow. */
export interface LargePages {
  project_id: string;
  slugs: string[];
}

/**
 * Inserts status pages of 1,000 monitors in 200 sections. A list of 50 of them has about 5 MB, the document of one 1
 * MB.
 */
export async function insertLargePages(
  client: Client,
  organizationId: string,
  pages: number,
): Promise<LargePages> {
  const { rows: projects } = await client.query<{ id: string }>(
    `INSERT INTO projects (id, organization_id, name) VALUES (gen_random_uuid(), $1, 'Large') RETURNING id`,
    [organizationId],
  );
  const project_id = projects[0]?.id ?? '';
  const { rows: monitors } = await client.query<{ id: string }>(
    `INSERT INTO monitors (id, organization_id, project_id, name)
     SELECT gen_random_uuid(), $1, $2, rpad('Monitor ' || n, 100, ' of a large page')
       FROM generate_series(1, $3::int) AS n RETURNING id`,
    [organizationId, project_id, MONITORS],
  );
  const each = MONITORS / SECTIONS;
  const sections = Array.from({ length: SECTIONS }, (_, place) => ({
    id: `section-${place}`,
    title: `Section ${place} `.padEnd(200, 'with a long title '),
    monitor_ids: monitors.slice(place * each, (place + 1) * each).map(({ id }) => id),
  }));
  const { rows } = await client.query<{ slug: string }>(
    `INSERT INTO status_pages (id, organization_id, project_id, name, slug, description, sections)
     SELECT gen_random_uuid(), $1, $2, 'Large ' || n, 'large-' || n, $3, $4 FROM generate_series(1, $5::int) AS n
     RETURNING slug`,
    [organizationId, project_id, '\u{1f600}'.repeat(2_000), JSON.stringify(sections), pages],
  );
  await client.query('VACUUM ANALYZE status_pages, monitors');
  return { project_id, slugs: rows.map(({ slug }) => slug) };
}
