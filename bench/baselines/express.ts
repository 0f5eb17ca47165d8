// A typical hand-written service: Express 5 with defaults, pg, keyset pagination. No authentication, no validation.
import express, { type Request, type Response } from 'express';
import { Pool } from 'pg';

const { DATABASE_URL, HOST = '', PORT, POOL_SIZE, ORGANIZATION_ID } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(POOL_SIZE) });

const COLUMNS = `id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days,
  rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at`;

interface Row {
  id: string;
  created_at: Date;
}

async function list(request: Request, response: Response): Promise<void> {
  const { project_id, limit = '25', cursor } = request.query;
  const [created_at, id] = typeof cursor === 'string' ? cursor.split('_') : [];
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS}
       FROM status_pages
      WHERE organization_id = $1 AND project_id = $2 ${cursor ? 'AND (created_at, id) < ($4, $5)' : ''}
      ORDER BY created_at DESC, id DESC
      LIMIT $3`,
    [ORGANIZATION_ID, project_id, Number(limit) + 1, ...(cursor ? [created_at, id] : [])],
  );
  const data = rows.slice(0, Number(limit));
  const last = data.at(-1);
  const next_cursor =
    rows.length > data.length && last ? `${last.created_at.toISOString()}_${last.id}` : null;
  response.json({ data, pagination: { next_cursor, has_more: next_cursor !== null } });
}

async function get(request: Request, response: Response): Promise<void> {
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM status_pages WHERE organization_id = $1 AND id = $2`,
    [ORGANIZATION_ID, request.params.id],
  );
  response.json({ data: rows[0] });
}

async function update(request: Request, response: Response): Promise<void> {
  const { name, sections }: { name?: string; sections?: object } = request.body;
  const { rows } = await pool.query<Row>(
    `UPDATE status_pages
        SET name = coalesce($3, name), sections = coalesce($4, sections),
            updated_at = date_trunc('milliseconds', clock_timestamp())
      WHERE organization_id = $1 AND id = $2
  RETURNING ${COLUMNS}`,
    [ORGANIZATION_ID, request.params.id, name, sections && JSON.stringify(sections)],
  );
  response.json({ data: rows[0] });
}

const app = express();
app.use(express.json());
app.get('/v1/status-pages', list);
app.get('/v1/status-pages/:id', get);
app.patch('/v1/status-pages/:id', update);
app.listen(Number(PORT), HOST);
