import { describe, expect, it } from 'vitest';
import { Outage } from '../../../src/visitors/cache/outage.js';
import { connectTo } from '../../support/database.js';
import { until } from '../../support/server.js';
import { databaseOf, useVisits } from './use-visits.js';

const { server, tenant, page, visit } = useVisits({});

// The embedded PostgreSQL has only one session, so it has no deadlocks.
describe(
  'GET /status/{slug} after PostgreSQL cancels its statement in a deadlock',
  { tags: ['postgres'] },
  () => {
    it('returns the page and does not mark the database as down', async () => {
      await server.monitors(tenant, 1);
      const { slug } = await page({ name: 'Deadlocked' });
      const other = await connectTo(databaseOf(server));
      try {
        await other.query(`SET deadlock_timeout = '1min'`); // the visit detects the deadlock
        await other.query('BEGIN');
        await other.query('LOCK TABLE maintenances IN ACCESS EXCLUSIVE MODE');
        const visited = visit(slug);
        await until(async () => {
          const { rows } = await other.query<{ count: number }>(
            `SELECT count(*)::integer AS count FROM pg_locks WHERE relation = 'maintenances'::regclass AND NOT granted`,
          );
          return rows[0]?.count === 1;
        });
        // The visit has read `status_pages` in the same transaction.
        await other.query('LOCK TABLE status_pages IN ACCESS EXCLUSIVE MODE');
        await other.query('COMMIT');
        const { status, text } = await visited;
        expect([status, server.app.get(Outage).isDown]).toEqual([200, false]);
        expect(text).toContain('Deadlocked');
      } finally {
        await other.end();
      }
    });
  },
);
