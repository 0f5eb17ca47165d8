import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Delivery } from '../../src/deliveries/delivery.entity.js';
import type { Tenant, TestServer } from '../support/server.js';
import { useEvents } from '../events/use-events.js';
import { EventReceiver } from './receiver.js';

/** Settings of a server that delivers to the local receiver. */
export const DELIVERING = { DELIVERY: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

/** An endpoint of the local receiver. */
export interface TestEndpoint {
  id: string;
  secret: string;
  path: string;
}

/** Webhook endpoints of a tenant, with a receiver. */
export function useWebhooks(server: TestServer, tenant: Tenant) {
  let receiver!: EventReceiver;
  beforeAll(async () => {
    receiver = await EventReceiver.start();
  });
  afterEach(async () => {
    receiver.respond = EventReceiver.succeed;
    await server.sql('DELETE FROM webhook_endpoints WHERE project_id = $1', [tenant.project_id]);
  });
  afterAll(async () => receiver.stop());
  const events = useEvents(server, tenant);

  /** Creates an endpoint with a path of its own. */
  async function endpoint(fields: object = {}): Promise<TestEndpoint> {
    const path = `/${randomUUID()}`;
    const { project_id } = tenant;
    const url = receiver.url(path);
    const body = { project_id, url, ...fields };
    const created = await events.send<{ id: string; secret: string }>('POST', '/v1/webhook-endpoints', body);
    return { ...created, path };
  }

  /** Returns the columns of an endpoint. */
  async function stored({ id }: Pick<TestEndpoint, 'id'>) {
    const [row] = await server.sql<
      { status: string; disabled_reason: string | null; failing_since: Date | null }[]
    >('SELECT status, disabled_reason, failing_since FROM webhook_endpoints WHERE id = $1', [id]);
    return row;
  }

  const deliveries = ({ id }: Pick<TestEndpoint, 'id'>): Promise<Delivery[]> =>
    server.sql<Delivery[]>('SELECT * FROM deliveries WHERE recipient_id = $1 ORDER BY id', [id]);

  /** Makes the retries of an endpoint due. */
  const makeDue = ({ id }: Pick<TestEndpoint, 'id'>): Promise<unknown> =>
    server.sql(
      `UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001) WHERE recipient_id = $1 AND status = 'pending'`,
      [id],
    );

  return {
    ...events,
    endpoint,
    storedEndpoint: stored,
    deliveries,
    makeDue,
    get receiver() {
      return receiver;
    },
  };
}
