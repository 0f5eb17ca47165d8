import { expect, it } from 'vitest';
import { EventQueue } from '../../src/events/event-queue.js';
import { useTenant, useTestServer } from '../support/server.js';
import { statementsWithValuesOf } from '../support/statements.js';

const server = useTestServer();
const tenant = useTenant(server);

it('finds planned events that are due by an index, and does not read the others', async () => {
  await server.sql(
    `INSERT INTO events (id, organization_id, project_id, type, resource_id, is_planned, due_at)
     SELECT gen_random_uuid(), $1, $2, 'maintenance.started', gen_random_uuid(), n % 5 = 0, CASE WHEN n % 5 = 0 THEN now() END
       FROM generate_series(1, 6000) AS n`,
    [tenant.organization_id, tenant.project_id],
  );
  await server.vacuum('events');
  const statements = await statementsWithValuesOf(() => server.app.get(EventQueue).admitPlanned());
  const { text = '', values = [] } = statements.find((one) => one.text.includes('UPDATE events')) ?? {};
  await server.vacuum('events');
  const rows = await server.sql<Record<'QUERY PLAN', string>[]>(`EXPLAIN ${text}`, values);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('events_planned_idx');
  expect(plan).toContain('events_pkey');
  expect(plan).not.toContain('Seq Scan');
  const [left] = await server.sql<{ count: number }[]>(
    'SELECT count(*)::integer AS count FROM events WHERE is_planned',
  );
  expect(left?.count).toBe(200);
});
