import { expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';

const DAY_MS = 86_400_000;

const server = useTestServer();
const tenant = useTenant(server);

it('GET /v1/status-pages/{id}/summary is fast for the largest page without statistics about new days', async () => {
  const ids = await server.monitors(tenant, 1_000);
  const sections = [ids.slice(0, 500), ids.slice(500)].map((monitor_ids, index) => ({
    id: `section-${index}`,
    title: 'Section',
    monitor_ids,
  }));
  const { id } = await server.page(tenant, { history_days: 365, sections });
  await server.sql('UPDATE monitors SET stale_after_seconds = 60 WHERE id = ANY ($1)', [ids]); // today is unknown
  const midnight = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  await server.sql(
    'INSERT INTO monitor_states (organization_id, monitor_id, closed_before) SELECT $1, unnest($2::uuid[]), $3',
    [tenant.organization_id, ids, midnight],
  );
  for (let place = 0; place < ids.length; place += 100)
    await server.sql(
      `INSERT INTO monitor_days
       SELECT $1, monitor_id, day::date, 43200, 0, 0, 43200, 0, 0, 3
         FROM unnest($2::uuid[]) AS monitor_id,
              generate_series($3::date - 365, $3::date - 1, interval '1 day') AS day`,
      [tenant.organization_id, ids.slice(place, place + 100), midnight.toISOString().slice(0, 10)],
    );
  const { status, body } = await server.ask<{ data: { sections: { monitors: { uptime: number }[] }[] } }>(
    `/v1/status-pages/${id}/summary`,
    { key: tenant.key },
  );
  expect(status).toBe(200);
  const uptimes = body.data.sections.flatMap(({ monitors }) => monitors.map(({ uptime }) => uptime));
  expect(uptimes).toEqual(ids.map(() => 50));
});
