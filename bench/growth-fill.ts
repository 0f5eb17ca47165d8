import type { Client } from 'pg';
import { withoutIndexes } from './fill.js';

const PAGES_IN_PROJECT = 25;
const MONITORS_IN_PAGE = 3;
const MONITORS_IN_LARGE_PROJECT = 1_500;

/** The project that owns a tenth of all status pages. */
export const GROWN_PROJECT = '00000000-0000-7000-a000-000000000000';

/** The number of rows in a database. */
export interface Size {
  pages: number;
  keys: number;
}

/**
 * Inserts status pages and API keys of an organization into a migrated, empty database, then vacuums and analyzes it.
 * A tenth of the pages is in one project, the others are in projects of 25. A page has one section of three monitors,
 * half as large as the pages of `fill.ts`, so that ten million fit on a disk.
 */
export async function fillGrown(
  client: Client,
  organization_id: string,
  { pages, keys }: Size,
): Promise<void> {
  const large = pages / 10;
  const projects = (pages - large) / PAGES_IN_PROJECT;
  await client.query(`SET synchronous_commit = off`);
  await client.query(`SET maintenance_work_mem = '1GB'`);
  await client.query(
    `INSERT INTO projects (id, organization_id, name)
     SELECT ${projectOf('p')}, $1, 'Project ' || p FROM generate_series(0, $2::integer) AS p`,
    [organization_id, projects],
  );
  await withoutIndexes(client, 'monitors', () =>
    client.query(
      `INSERT INTO monitors (id, organization_id, project_id, name)
       SELECT ${monitorOf('p', 'm')}, $1, ${projectOf('p')}, 'Monitor ' || m
         FROM generate_series(0, $2::integer) AS p,
              generate_series(0, CASE p WHEN 0 THEN ${MONITORS_IN_LARGE_PROJECT} ELSE ${MONITORS_IN_PAGE} END - 1) AS m`,
      [organization_id, projects],
    ),
  );
  await withoutIndexes(client, 'status_pages', () =>
    client.query(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug, custom_domain, sections, created_at, updated_at)
       SELECT ('0193f5a0-' || lpad(to_hex(n / 65536), 4, '0') || '-7000-a000-' || lpad(to_hex(n % 65536), 12, '0'))::uuid,
              $1, ${projectOf('p')}, 'Page ' || n, 'page-' || n,
              CASE WHEN n % 10 = 0 THEN 'status-' || n || '.example.com' END,
              format('[{"id": "core", "title": "Core", "monitor_ids": ["%s", "%s", "%s"]}]',
                     ${monitorOf('p', 'm')}, ${monitorOf('p', 'm + 1')}, ${monitorOf('p', 'm + 2')})::jsonb,
              at, at
         FROM generate_series(0, $2::integer - 1) AS n,
              LATERAL (SELECT CASE WHEN n < $3::integer THEN 0 ELSE 1 + (n - $3::integer) / ${PAGES_IN_PROJECT} END AS p) AS project,
              LATERAL (SELECT CASE p WHEN 0 THEN n * 3 % ${MONITORS_IN_LARGE_PROJECT} ELSE 0 END AS m) AS monitor,
              LATERAL (SELECT timestamptz '2024-01-01T00:00:00Z' + n * interval '1 second' AS at) AS time`,
      [organization_id, pages, large],
    ),
  );
  await withoutIndexes(client, 'api_keys', () =>
    client.query(
      `INSERT INTO api_keys (id, organization_id, name, prefix, key_hash, scopes, created_at)
       SELECT gen_random_uuid(), $1, 'Key ' || n, 'sp_00000', sha256(('grown ' || n)::bytea), '{status_pages:read}',
              timestamptz '2024-01-01T00:00:00Z' + n * interval '1 second'
         FROM generate_series(1, $2::integer) AS n`,
      [organization_id, keys],
    ),
  );
  await client.query('VACUUM ANALYZE');
}

const projectOf = (p: string) => `('00000000-0000-7000-a000-' || lpad(to_hex(${p}), 12, '0'))::uuid`;

const monitorOf = (p: string, m: string) =>
  `('0193f5a0-' || lpad(to_hex(${m}), 4, '0') || '-7d3a-9b1f-' || lpad(to_hex(${p}), 12, '0'))::uuid`;
