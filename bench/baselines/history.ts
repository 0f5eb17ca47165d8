// The upper bound for reports and summaries: bare node:http and pg. A batch is one upsert of as many rows, without runs. A
// summary is one statement that reads the same rows as JSON. No authentication, no validation.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Pool } from 'pg';

const { DATABASE_URL, HOST, PORT, POOL_SIZE, ORGANIZATION_ID } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(POOL_SIZE) });

const UPSERT = `
  INSERT INTO bench_reports (organization_id, monitor_id, status, observed_at)
  SELECT $1, * FROM unnest($2::uuid[], $3::text[], $4::timestamptz[])
      ON CONFLICT (organization_id, monitor_id) DO UPDATE
     SET status = excluded.status, observed_at = excluded.observed_at`;

const SUMMARY = `
  WITH page AS (
    SELECT * FROM status_pages WHERE organization_id = $1 AND id = $2
  ), shown AS (
    SELECT DISTINCT monitor::uuid AS id
      FROM page, jsonb_array_elements(sections) AS section, jsonb_array_elements_text(section -> 'monitor_ids') AS monitor
  )
  SELECT json_build_object(
           'page', (SELECT row_to_json(page) FROM page),
           'monitors', (SELECT json_agg(one) FROM (
              SELECT id, name, description FROM monitors WHERE organization_id = $1 AND id IN (SELECT id FROM shown)) AS one),
           'states', (SELECT json_agg(one) FROM (
              SELECT monitor_id, status, last_observed_at FROM monitor_states
               WHERE organization_id = $1 AND monitor_id IN (SELECT id FROM shown)) AS one),
           'days', (SELECT json_agg(one) FROM (
              SELECT monitor_id, day, operational, degraded_performance, partial_outage, major_outage, under_maintenance, unknown
                FROM monitor_days
               WHERE organization_id = $1 AND monitor_id IN (SELECT id FROM shown) AND day > current_date - 90) AS one),
           'incidents', (SELECT json_agg(one) FROM (
              SELECT * FROM incidents WHERE organization_id = $1 AND project_id = (SELECT project_id FROM page)
                 AND resolved_at IS NULL) AS one),
           'maintenances', (SELECT json_agg(one) FROM (
              SELECT * FROM maintenances WHERE organization_id = $1 AND project_id = (SELECT project_id FROM page)
                 AND ends_at > now() AND starts_at < now() + interval '30 days') AS one)
         )::text AS data`;

interface Report {
  monitor_id: string;
  status: string;
  observed_at: string;
}

async function answer(request: IncomingMessage): Promise<string> {
  if (request.method === 'POST') {
    const { reports }: { reports: Report[] } = JSON.parse(await text(request));
    await pool.query({
      name: 'upsert',
      text: UPSERT,
      values: [
        ORGANIZATION_ID,
        reports.map(({ monitor_id }) => monitor_id),
        reports.map(({ status }) => status),
        reports.map(({ observed_at }) => observed_at),
      ],
    });
    return `{"reports":${reports.length}}`;
  }
  const id = request.url?.split('/')[3];
  const { rows } = await pool.query<{ data: string }>({
    name: 'summary',
    text: SUMMARY,
    values: [ORGANIZATION_ID, id],
  });
  return rows[0]?.data ?? 'null';
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = Buffer.from(`{"data":${await answer(request)}}`);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

createServer((request, response) => void serve(request, response)).listen(Number(PORT), HOST);
