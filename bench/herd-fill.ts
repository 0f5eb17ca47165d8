import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';

const SIZE = 30_000;

/**
 * Inserts a status page with some monitors of another page, so that its document has 30 kB.
 * @param sizeOf returns the size of a page's document
 * @returns its slug
 */
export async function insertPageOf30kB(
  client: Client,
  pageId: string,
  sizeOf: (slug: string) => Promise<number>,
): Promise<string> {
  const insert = (slug: string, monitors: number) =>
    client.query(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug, sections)
       SELECT $1, organization_id, project_id, 'Herd', $2, jsonb_build_array(jsonb_build_object(
                'id', 'a', 'title', 'Systems',
                'monitor_ids', (SELECT jsonb_agg(monitor)
                                  FROM (SELECT monitor
                                          FROM jsonb_array_elements(sections) AS section,
                                               jsonb_array_elements(section -> 'monitor_ids') AS monitor
                                         LIMIT $3) AS chosen)))
         FROM status_pages WHERE id = $4`,
      [randomUUID(), slug, monitors, pageId],
    );
  await insert('herd-2', 2);
  await insert('herd-42', 42);
  const [few, many] = [await sizeOf('herd-2'), await sizeOf('herd-42')];
  const each = (many - few) / 40;
  await insert('herd', Math.max(1, Math.min(200, 2 + Math.round((SIZE - few) / each) || 1)));
  return 'herd';
}

const MONITORS = 200;
/** Outages of a monitor in a year: five in 90 days, of one to five hours. */
const OUTAGES = 20;

/**
 * Inserts a status page of 200 monitors that have reported for a year.
 * @returns its id
 */
export async function insertLargePage(
  client: Client,
  organization_id: string,
  project_id: string,
): Promise<string> {
  const id = randomUUID();
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO monitors (id, organization_id, project_id, name)
     SELECT gen_random_uuid(), $1, $2, 'Service ' || n FROM generate_series(1, $3) AS n RETURNING id`,
    [organization_id, project_id, MONITORS],
  );
  const monitor_ids = rows.map((row) => row.id);
  const sections = Array.from({ length: 10 }, (_, place) => ({
    id: `section-${place}`,
    title: `Section ${place}`,
    monitor_ids: monitor_ids.slice(place * 20, place * 20 + 20),
  }));
  await client.query(
    `INSERT INTO status_pages (id, organization_id, project_id, name, slug, sections) VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, organization_id, project_id, 'Large', 'herd-large', JSON.stringify(sections)],
  );
  // Operational runs have even numbers. The outage before each ends after one to five hours.
  const run = `
    SELECT $1::uuid AS organization_id, monitor_id, n,
           (CASE WHEN n % 2 = 0 THEN 'operational' ELSE 'partial_outage' END)::monitor_status AS status,
           now() - (2 * $3::int + 1 - (n - 1 + n % 2)) * interval '365 days' / (2 * $3::int + 1)
                 + (abs(hashtext(monitor_id::text)) % 100) * interval '1 hour'
                 + (1 - n % 2) * (1 + n % 5) * interval '1 hour' - interval '5 days' AS started_at
      FROM unnest($2::uuid[]) AS monitor_id, generate_series(0, 2 * $3::int) AS n`;
  const values = [organization_id, monitor_ids, OUTAGES];
  await client.query(
    `INSERT INTO monitor_states (organization_id, monitor_id, status, started_at, last_observed_at, observations)
     SELECT organization_id, monitor_id, status, started_at, now(), ARRAY[now()] FROM (${run}) AS run WHERE n = 2 * $3::int`,
    values,
  );
  await client.query(
    `INSERT INTO monitor_runs (organization_id, monitor_id, started_at, last_observed_at, status)
     SELECT organization_id, monitor_id, started_at, started_at, status FROM (${run}) AS run WHERE n < 2 * $3::int`,
    values,
  );
  await client.query('VACUUM ANALYZE');
  return id;
}
