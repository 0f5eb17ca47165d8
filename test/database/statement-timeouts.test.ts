import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, directly, type TestDatabase } from '../support/database.js';
import { startPgBouncer } from '../support/pgbouncer.js';
import { preparesStatements } from '../support/pgbouncer-version.js';
import { DatabaseProxy } from '../support/proxy.js';
import { type Tenant, TestServer, until } from '../support/server.js';

type Way = { url: string; stop: () => Promise<void> };

/**
 * Like a pooler with `ignore_startup_parameters`: PostgreSQL takes a name with a dot for a setting of an
 * extension.
 */
function ignoreBounds(message: Buffer): Buffer {
  const text = message.toString('latin1');
  return Buffer.from(
    text.replace('statement_timeout', 'statement.timeout').replace('idle_in_', 'idle.in_'),
    'latin1',
  );
}

const refuseBounds = (message: Buffer) => (message.includes('statement_timeout') ? null : message);

const ignoring = {
  ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout',
};

interface Case {
  name: string;
  open: (url: string) => Promise<Way>;
  env?: Record<string, string>;
  tags?: string[];
}

const unprepared: Record<string, string> = preparesStatements ? {} : { PREPARED_STATEMENTS: 'false' };

const CASES: Case[] = [
  { name: 'directly', open: (url) => DatabaseProxy.start(url) },
  {
    name: 'through a pooler that rejects its parameters',
    open: (url) => DatabaseProxy.start(url, refuseBounds),
  },
  {
    name: 'through a pooler that ignores its parameters',
    open: (url) => DatabaseProxy.start(url, ignoreBounds),
  },
  {
    name: 'through PgBouncer with defaults, in transaction mode',
    open: (url) => startPgBouncer(url, { pool_mode: 'transaction' }),
    env: unprepared,
    tags: ['pgbouncer'],
  },
  {
    name: 'through PgBouncer with defaults, in session mode',
    open: (url) => startPgBouncer(url, {}),
    tags: ['pgbouncer'],
  },
  {
    name: 'through PgBouncer that ignores its parameters',
    open: (url) => startPgBouncer(url, { pool_mode: 'transaction', ...ignoring }),
    env: unprepared,
    tags: ['pgbouncer'],
  },
];

for (const { name, open, env, tags = [] } of CASES)
  describe(`server that reaches PostgreSQL ${name}`, { tags: ['postgres', ...tags] }, () => {
    let database: TestDatabase;
    let way: Way;
    let administrator: Client;
    let server: TestServer;
    let tenant: Tenant;

    beforeAll(async () => {
      database = await createDatabase();
      way = await open(directly(database.env.DATABASE_URL));
      administrator = new Client(directly(database.env.DATABASE_URL));
      await administrator.connect();
      server = await TestServer.start({ ...env, DATABASE_URL: way.url });
      tenant = await server.tenant();
    });
    afterAll(async () => {
      await server.stop();
      await administrator.end();
      await way.stop();
      await database.drop();
    });

    it('applies no update after its 503', async () => {
      const [monitor = ''] = await server.monitors(tenant, 1);
      const { id } = await server.page(tenant);
      const other = await server.page(tenant);
      await administrator.query('BEGIN');
      await administrator.query('SELECT FROM status_pages, monitors, projects FOR UPDATE');
      const { key, project_id } = tenant;
      const patch = (path: string, json: object) => server.ask(path, { method: 'PATCH', key, json });
      const answers = await Promise.all([
        server.patch(tenant, id, { name: 'Late' }),
        server.patch(tenant, other.id, { sections: [{ id: 'a', title: 'Late', monitor_ids: [] }] }),
        patch(`/v1/monitors/${monitor}`, { name: 'Late' }),
        patch(`/v1/projects/${project_id}`, { name: 'Late' }),
        server.ask(`/v1/status-pages/${id}`, { method: 'DELETE', key }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
      await administrator.query('COMMIT');
      await until(async () => (await busy(administrator)) === 0);
      const { rows } = await administrator.query(`
      SELECT (SELECT array_agg(name || sections::text) FROM status_pages) AS pages,
             (SELECT array_agg(name) FROM monitors) AS monitors, (SELECT array_agg(name) FROM projects) AS projects`);
      expect(rows).toEqual([{ pages: ['Page[]', 'Page[]'], monitors: ['Monitor 1'], projects: ['Project'] }]);
      expect((await server.patch(tenant, id, { name: 'New' })).body.data.name).toBe('New');
      expect((await patch(`/v1/monitors/${monitor}`, { name: 'New' })).status).toBe(200);
    });

    it('lets PostgreSQL end an idle transaction while others still wait for it', async () => {
      const { id } = await server.page(tenant);
      const runner = server.app.get(DataSource).createQueryRunner();
      await runner.startTransaction();
      await runner.query('SELECT FROM status_pages WHERE id = $1 FOR UPDATE', [id]);
      // The transaction does nothing more, like the transaction of a frozen process.
      expect((await server.patch(tenant, id, { name: 'New' })).status).toBe(200);
      await runner.release().catch(() => undefined);
    });
  });

/** Active statements and open transactions of servers. */
async function busy(administrator: Client): Promise<number> {
  const { rows } = await administrator.query<{ busy: number }>(
    `SELECT count(*)::int AS busy FROM pg_stat_activity
      WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
  );
  return rows[0]?.busy ?? 0;
}
