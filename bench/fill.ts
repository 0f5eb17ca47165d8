import type { Client } from 'pg';

/** Increment it with every change of the content, so that older databases are recreated. */
const VERSION = 1;

const PAGES_IN_PROJECT = 25;
const SINGLES = 25;
const MONITORS_IN_PAGE = 15;
const MONITORS_IN_LARGE_PROJECT = 1_500;

/** The project that owns half of all status pages. */
export const LARGE_PROJECT = '00000000-0000-7000-a000-000000000000';

/**
 * The distribution of status pages: half in one large project, 25 in projects of one page, the rest in projects of
 * 25.
 */
export function contentsOf(pages: number): { large: number; projects: number; singles: number } {
  const large = pages / 2;
  return { large, projects: (large - SINGLES) / PAGES_IN_PROJECT, singles: SINGLES };
}

/** Whether the database contains `pages` status pages of this {@link VERSION}. */
export async function isFilled(client: Client, pages: number): Promise<boolean> {
  const { rows: marks } = await client.query<{ mark: string | null }>(
    `SELECT obj_description(to_regclass('status_pages')) AS mark`,
  );
  if (marks[0]?.mark !== markOf(pages)) return false;
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM status_pages',
  );
  return rows[0]?.count === pages;
}

/**
 * Inserts projects, monitors and status pages of an organization into a migrated, empty database, then vacuums and
 * analyzes it. The creation times of a project's pages are one second apart.
 */
export async function fill(client: Client, organizationId: string, pages: number): Promise<void> {
  const { large, projects, singles } = contentsOf(pages);
  await client.query(`SET synchronous_commit = off`);
  await client.query(`SET maintenance_work_mem = '512MB'`);
  await client.query(FUNCTIONS);
  await client.query(
    `INSERT INTO projects (id, organization_id, name)
     SELECT bench_project(n), $1, bench_name(n) FROM generate_series(0, $2) AS n`,
    [organizationId, projects + singles],
  );
  await withoutIndexes(client, 'monitors', () =>
    client.query(
      `INSERT INTO monitors (id, organization_id, project_id, name)
       SELECT bench_monitor(p, m), $1, bench_project(p), 'Monitor ' || m
         FROM generate_series(0, $2) AS p,
              generate_series(0, CASE p WHEN 0 THEN ${MONITORS_IN_LARGE_PROJECT} ELSE ${MONITORS_IN_PAGE} END - 1) AS m`,
      [organizationId, projects + singles],
    ),
  );
  await withoutIndexes(client, 'status_pages', () =>
    client.query(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug, description, custom_domain, sections,
                                 created_at, updated_at)
       SELECT bench_id('7', n, at), $1, bench_project(p), bench_name(n), 'page-' || n,
              'Current state and history of the services of ' || bench_name(n) || '.',
              CASE WHEN n % 10 = 0 THEN 'status-' || n || '.example.com' END,
              bench_sections(p, n), at, at
         FROM generate_series(0, $2 - 1) AS n,
              LATERAL (SELECT CASE
                         WHEN n < $3 THEN 0
                         WHEN n < $3 + $4 * ${PAGES_IN_PROJECT} THEN 1 + (n - $3) / ${PAGES_IN_PROJECT}
                         ELSE 1 + $4 + n - $3 - $4 * ${PAGES_IN_PROJECT}
                       END::integer AS p) AS project,
              LATERAL (SELECT timestamptz '2024-01-01T00:00:00Z' + n * interval '1.001 seconds' AS at) AS time`,
      [organizationId, pages, large, projects],
    ),
  );
  await client.query(`DROP FUNCTION bench_name, bench_project, bench_monitor, bench_sections, bench_id`);
  await client.query('VACUUM ANALYZE');
  await client.query(`COMMENT ON TABLE status_pages IS '${markOf(pages)}'`);
}

function markOf(pages: number): string {
  return `bench ${VERSION}: ${pages} pages`;
}

const FUNCTIONS = `
  -- A UUIDv7 of a time and a number.
  CREATE FUNCTION bench_id(kind text, n integer, at timestamptz) RETURNS uuid LANGUAGE sql AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || kind || substr(md5(kind || n), 1, 3) ||
            'a' || substr(md5(kind || n), 4, 15))::uuid
  $$;
  CREATE FUNCTION bench_project(p integer) RETURNS uuid LANGUAGE sql AS $$
    SELECT ('00000000-0000-7000-a000-' || lpad(to_hex(p), 12, '0'))::uuid
  $$;
  CREATE FUNCTION bench_monitor(p integer, m integer) RETURNS uuid LANGUAGE sql AS $$
    SELECT ('0193f5a0-' || lpad(to_hex(m), 4, '0') || '-7d3a-9b1f-' || lpad(to_hex(p), 12, '0'))::uuid
  $$;
  CREATE FUNCTION bench_name(n integer) RETURNS text LANGUAGE sql AS $$
    SELECT (ARRAY['Acme', 'Borealis', 'Cumulus', 'Delta', 'Ember', 'Fjord', 'Granite', 'Harbor', 'Indigo', 'Juniper'])[1 + n % 10]
           || ' ' || (ARRAY['Cloud', 'Pay', 'Mail', 'Maps', 'Market', 'Studio'])[1 + n % 6] || ' ' || n
  $$;
  CREATE FUNCTION bench_sections(p integer, n integer) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_agg(jsonb_build_object(
             'id', 'section-' || s,
             'title', (ARRAY['Core services', 'Regions', 'Integrations'])[s],
             'monitor_ids', (
               SELECT jsonb_agg(bench_monitor(p, CASE p WHEN 0 THEN n * ${MONITORS_IN_PAGE} % ${MONITORS_IN_LARGE_PROJECT} ELSE 0 END + m))
                 FROM generate_series(s * 5 - 5, s * 5 - 1) AS m)))
      FROM generate_series(1, 3) AS s
  $$`;

/**
 * Runs `work` on a table without foreign keys and indexes, then recreates them, which is faster than updating them
 * row by row.
 */
export async function withoutIndexes(
  client: Client,
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows: constraints } = await client.query<{ owner: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS owner, conname AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint
      WHERE conrelid = $1::regclass AND contype IN ('p', 'u', 'f') OR confrelid = $1::regclass
      ORDER BY contype = 'f'`,
    [table],
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index
      WHERE indrelid = $1::regclass
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = indrelid)`,
    [table],
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  for (const { owner, name } of constraints.toReversed())
    await client.query(`ALTER TABLE ${owner} DROP CONSTRAINT ${name}`);
  await work();
  for (const { definition } of indexes) await client.query(definition);
  for (const { owner, name, definition } of constraints)
    await client.query(`ALTER TABLE ${owner} ADD CONSTRAINT ${name} ${definition}`);
}
