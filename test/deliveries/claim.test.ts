import { expect, it } from 'vitest';
import { DeliveryQueue } from '../../src/deliveries/delivery-queue.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

it('leases a claimed delivery for a minute, then gives it to the next process', async () => {
  const [delivery] = await server.sql<{ id: string }[]>(
    `INSERT INTO deliveries (id, organization_id, project_id, channel, kind, event_id, recipient_id, status, due_at)
     VALUES (gen_random_uuid(), $1, $2, 'none', 'event', gen_random_uuid(), gen_random_uuid(), 'pending', now())
     RETURNING id`,
    [tenant.organization_id, tenant.project_id],
  );
  const queue = server.app.get(DeliveryQueue, { strict: false });
  expect(await queue.claim('none', 10)).toMatchObject([{ id: delivery?.id, attempts: 1, lease: 1 }]);
  const [row] = await server.sql<{ left: number }[]>(
    `SELECT extract(epoch FROM due_at - clock_timestamp())::float AS left FROM deliveries WHERE channel = 'none'`,
  );
  expect(row?.left).toBeGreaterThan(30);
  expect(row?.left).toBeLessThanOrEqual(60);
  expect(await queue.claim('none', 10)).toEqual([]);
  await server.sql(
    `UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001) WHERE channel = 'none'`,
  );
  expect(await queue.claim('none', 10)).toMatchObject([{ id: delivery?.id, attempts: 2, lease: 2 }]);
  await server.sql(
    `UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001) WHERE channel = 'none'`,
  );
  expect(await queue.claim('none', 10, [tenant.organization_id])).toEqual([]); // held up in this process
});
