import { expect, it } from 'vitest';
import { DeliveriesRepository } from '../../src/deliveries/deliveries.repository.js';
import { useTenant, useTestServer } from '../support/server.js';
import { statementsWithValuesOf } from '../support/statements.js';

const server = useTestServer();
const tenant = useTenant(server);

/** Inserts rows of deliveries that another process is sending, or has sent. */
const insert = (status: string, count: number) =>
  server.sql<{ id: string }[]>(
    `INSERT INTO deliveries (id, organization_id, project_id, channel, kind, event_id, recipient_id, status, lease, due_at, finished_at)
     SELECT gen_random_uuid(), $1, $2, 'webhook', 'event', gen_random_uuid(), gen_random_uuid(), $3, 1, now(),
            CASE WHEN $3 <> 'pending' THEN now() END
       FROM generate_series(1, $4::int)
     RETURNING id`,
    [tenant.organization_id, tenant.project_id, status, count],
  );

it('finds the deliveries of results by their IDs, although the statistics know no pending ones before a burst', async () => {
  await insert('delivered', 10_000);
  await server.vacuum('deliveries');
  const pending = await insert('pending', 10_000);
  const { organization_id, project_id } = tenant;
  const results = pending.slice(0, 100).map(({ id }) => ({
    delivery: {
      id,
      organization_id,
      project_id,
      kind: 'event' as const,
      event_id: id,
      recipient_id: id,
      attempts: 1,
      lease: 1,
    },
    status: 'delivered' as const,
    after_ms: 0,
    error: null,
    is_begun: true,
    attempt: undefined,
  }));
  const repository = server.app.get(DeliveriesRepository, { strict: false });
  const statements = await statementsWithValuesOf(() => repository.settle(results));
  const { text = '', values = [] } = statements.find((one) => one.text.includes('UPDATE deliveries')) ?? {};
  const rows = await server.sql<Record<'QUERY PLAN', string>[]>(`EXPLAIN ${text}`, values);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('deliveries_pkey');
  expect(plan).not.toMatch(/deliveries_queue_idx|Seq Scan/);
  const [left] = await server.sql<{ count: number }[]>(
    "SELECT count(*)::integer AS count FROM deliveries WHERE status = 'pending' AND organization_id = $1",
    [organization_id],
  );
  expect(left?.count).toBe(9_900);
});
