import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';

/** The monitors that batches report. */
export const MONITORS = 1_000;
const SHOWN = 200;
const DAYS = 365;

/** The content for the measurements of reports and summaries. */
export interface HistoryDraw {
  project_id: string;
  /** The monitors that batches report. They are on no status page. */
  monitor_ids: string[];
  /** A monitor with 10 runs. */
  shown_monitor_id: string;
  /** A status page of 200 monitors with 10 runs each, and a page of 200 others with 1,000 runs each. */
  few_runs_page: string;
  many_runs_page: string;
}

/**
 * Inserts a project with 1,400 monitors, two status pages of 200 of them, 20 incidents and five maintenance windows.
 * The monitors of the pages have reported for 365 days.
 */
export async function fillHistory(client: Client, organization_id: string): Promise<HistoryDraw> {
  const project_id = randomUUID();
  await client.query('INSERT INTO projects (id, organization_id, name) VALUES ($1, $2, $3)', [
    project_id,
    organization_id,
    'Reports',
  ]);
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO monitors (id, organization_id, project_id, name)
     SELECT gen_random_uuid(), $1, $2, 'Monitor ' || n FROM generate_series(1, $3) AS n RETURNING id`,
    [organization_id, project_id, MONITORS + 2 * SHOWN],
  );
  const ids = rows.map(({ id }) => id);
  const few = ids.slice(0, SHOWN);
  const few_runs_page = await insertPage(client, organization_id, project_id, few, 10);
  const many = ids.slice(SHOWN, 2 * SHOWN);
  const many_runs_page = await insertPage(client, organization_id, project_id, many, 1_000);
  await client.query(
    `INSERT INTO incidents (id, organization_id, project_id, title, status, impact, monitors, started_at)
     SELECT gen_random_uuid(), $1, $2, 'Incident ' || n, 'investigating', 'minor', '[]', now() - n * interval '1 day'
       FROM generate_series(1, 20) AS n`,
    [organization_id, project_id],
  );
  await client.query(
    `INSERT INTO maintenances (id, organization_id, project_id, title, body, starts_at, ends_at, monitor_ids)
     SELECT gen_random_uuid(), $1, $2, 'Maintenance ' || n, '', now() + n * interval '1 day',
            now() + n * interval '1 day' + interval '1 hour', $3
       FROM generate_series(1, 5) AS n`,
    [organization_id, project_id, [...few.slice(0, 50), ...many.slice(0, 50)]],
  );
  await client.query(
    `CREATE TABLE bench_reports (
       organization_id uuid, monitor_id uuid, status text NOT NULL, observed_at timestamptz(3) NOT NULL,
       PRIMARY KEY (organization_id, monitor_id)
     ) WITH (fillfactor = 45)`,
  );
  await client.query('VACUUM ANALYZE');
  const [shown_monitor_id = ''] = few;
  return { project_id, monitor_ids: ids.slice(2 * SHOWN), shown_monitor_id, few_runs_page, many_runs_page };
}

async function insertPage(
  client: Client,
  organization_id: string,
  project_id: string,
  monitor_ids: string[],
  runs: number,
): Promise<string> {
  const id = randomUUID();
  const sections = [0, 1, 2, 3].map((place) => ({
    id: `section-${place}`,
    title: `Section ${place}`,
    monitor_ids: monitor_ids.slice(place * 50, place * 50 + 50),
  }));
  await client.query(
    `INSERT INTO status_pages (id, organization_id, project_id, name, slug, sections) VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, organization_id, project_id, `Page of ${runs} runs`, `bench-${runs}`, JSON.stringify(sections)],
  );
  // The runs alternate. The last one is current.
  const run = `
    SELECT $1::uuid AS organization_id, monitor_id, n,
           (CASE WHEN n % 2 = 0 THEN 'operational' ELSE 'partial_outage' END)::monitor_status AS status,
           now() - ($3::int - n) * $4::int * interval '1 day' / $3::int AS started_at
      FROM unnest($2::uuid[]) AS monitor_id, generate_series(0, $3::int - 1) AS n`;
  const values = [organization_id, monitor_ids, runs, DAYS];
  await client.query(
    `INSERT INTO monitor_states (organization_id, monitor_id, status, started_at, last_observed_at, observations)
     SELECT organization_id, monitor_id, status, started_at, now(), ARRAY[now()] FROM (${run}) AS run WHERE n = $3::int - 1`,
    values,
  );
  await client.query(
    `INSERT INTO monitor_runs (organization_id, monitor_id, started_at, last_observed_at, status)
     SELECT organization_id, monitor_id, started_at, started_at, status FROM (${run}) AS run WHERE n < $3::int - 1`,
    values,
  );
  return id;
}
