// The upper bound: bare node:http and pg. PostgreSQL builds the JSON, and statements are prepared once per connection. No
// authentication, no validation, and no `pagination` in lists.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Pool } from 'pg';

const { DATABASE_URL, HOST, PORT, POOL_SIZE, ORGANIZATION_ID } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(POOL_SIZE) });

const time = (column: string) =>
  `to_char(status_pages.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`;

const COLUMNS = `id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days,
  rss_enabled, subscribe_enabled, custom_domain, sections, project_id, ${time('created_at')}, ${time('updated_at')}`;

const list = (after: string) => `
  SELECT coalesce(json_agg(page), '[]')::text AS data
    FROM (SELECT ${COLUMNS}
            FROM status_pages
           WHERE organization_id = $1 AND project_id = $2 ${after}
           ORDER BY status_pages.created_at DESC, status_pages.id DESC
           LIMIT $3) AS page`;

const update = (column: string) => `
  WITH page AS (
    UPDATE status_pages
       SET ${column} = $3, updated_at = date_trunc('milliseconds', clock_timestamp())
     WHERE organization_id = $1 AND id = $2
 RETURNING ${COLUMNS}
  )
  SELECT row_to_json(page)::text AS data FROM page`;

const STATEMENTS = {
  list: list(''),
  listAfter: list('AND (status_pages.created_at, status_pages.id) < ($4::timestamptz, $5::uuid)'),
  get: `SELECT row_to_json(page)::text AS data
          FROM (SELECT ${COLUMNS} FROM status_pages WHERE organization_id = $1 AND id = $2) AS page`,
  updateName: update('name'),
  updateSections: update('sections'),
};

async function query(name: keyof typeof STATEMENTS, values: unknown[]): Promise<string> {
  const { rows } = await pool.query<{ data: string }>({
    name,
    text: STATEMENTS[name],
    values: [ORGANIZATION_ID, ...values],
  });
  return rows[0]?.data ?? 'null';
}

async function answer(request: IncomingMessage): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const id = pathname.split('/')[3];
  if (id === undefined) {
    const values = [searchParams.get('project_id'), searchParams.get('limit') ?? 25];
    const cursor = searchParams.get('cursor');
    return cursor === null ? query('list', values) : query('listAfter', [...values, ...cursor.split('_')]);
  }
  if (request.method === 'GET') return query('get', [id]);
  const patch: { name?: string; sections?: object } = JSON.parse(await text(request));
  return patch.sections
    ? query('updateSections', [id, JSON.stringify(patch.sections)])
    : query('updateName', [id, patch.name]);
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
