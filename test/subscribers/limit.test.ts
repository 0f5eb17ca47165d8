import { DataSource } from 'typeorm';
import { beforeAll, describe, expect, it } from 'vitest';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { Env } from '../../src/platform/config/env.js';
import { SubscriberImport } from '../../src/subscribers/subscriber-import.js';
import { SubscriptionsService } from '../../src/subscribers/subscriptions.service.js';
import { actorIn } from '../support/actors.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer({ MAX_SUBSCRIBERS: '3' });
const tenant = useTenant(server);
let page: { id: string };

beforeAll(async () => {
  page = await server.page(tenant);
});

const send = (email: string): Promise<void> =>
  server.app
    .get(SubscriptionsService, { strict: false })
    .request({ ...tenant, ...page }, { email, monitor_ids: null, detail: 'all', maintenances: true });

async function handle(): Promise<void> {
  const { all: tasks } = server.app.get(PeriodicTasks, { strict: false });
  while (await tasks.find(({ name }) => name === 'subscription requests')?.run());
}

const count = async (table: string) =>
  (await server.app.get(DataSource).query<unknown[]>(`SELECT FROM ${table}`)).length;

describe('MAX_SUBSCRIBERS', () => {
  it('limits the subscribers of a status page, also with concurrent forms', async () => {
    for (let number = 0; number < 20; number++) await send(`visitor${number}@example.com`);
    await Promise.all(Array.from({ length: 5 }, handle));
    expect(await count('subscription_requests')).toBe(0);
    expect(await count('subscribers')).toBe(3);
    expect(await count('deliveries')).toBe(3);
    page = await server.page(tenant);
    await send('visitor@example.com');
    await handle();
    expect(await count('subscribers')).toBe(4);
  });

  it('rejects an import of several parts with the room before it, counting only new addresses', async () => {
    const env = server.app.get(Env);
    env.MAX_SUBSCRIBERS = 1_500;
    const { id } = await server.page(tenant);
    const addresses = (length: number) =>
      Array.from({ length }, (_, index) => ({
        email: `reader${index}@example.org`,
        components: '',
        line: index,
      }));
    const run = (imported: number) =>
      server.app
        .get(SubscriberImport, { strict: false })
        .run(actorIn(tenant.organization_id), { ...tenant, id }, addresses(imported), {
          confirmed: true,
          dry_run: false,
        });
    expect(await run(400)).toEqual({ created: 400, existing: 0, erased: 0 });
    await expect(run(1_501)).rejects.toMatchObject({
      detail: 'A status page can have 1500 subscribers, and this one has room for 1100 more',
    });
    expect(await run(1_500)).toEqual({ created: 1_100, existing: 400, erased: 0 });
    env.MAX_SUBSCRIBERS = 3;
  });
});
