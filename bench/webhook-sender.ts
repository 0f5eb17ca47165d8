import { randomUUID } from 'node:crypto';
import { type Database, withClient } from './databases.js';
import { DeliveryBench, type DeliverySample } from './delivery-bench.js';
import { BASELINES, baselineEnv, Server, SERVICE, serviceEnv } from './processes.js';

/** Endpoints of a project. */
export interface Endpoints {
  project_id: string;
  count: number;
  /** ID of the endpoint that hangs. */
  hanging: string | undefined;
}

const SECRET = `whsec_${Buffer.alloc(32, 'x').toString('base64')}`;

/** Sends webhooks to endpoints in a separate process. */
export class WebhookBench extends DeliveryBench {
  private constructor(
    database: Database,
    sink: Server,
    private readonly sinkUrl: string,
  ) {
    super(database, sink);
  }

  static async start(database: Database): Promise<WebhookBench> {
    const sink = await Server.start(BASELINES.webhookSink, (port) => baselineEnv('', port, ''));
    return new WebhookBench(database, sink, sink.url);
  }

  /** Starts the service. */
  async startService(): Promise<Server> {
    const server = await Server.start(SERVICE.server, (port) => ({
      ...serviceEnv(this.database.url, port),
      DELIVERY: 'on',
      NOTIFY_DELAY: '0',
      SHUTDOWN_TIMEOUT: '1', // does not wait for the endpoint that hangs
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    }));
    this.servers.add(server);
    return server;
  }

  async startBaseline(): Promise<Server> {
    const server = await Server.start(BASELINES.webhooks, (port) => baselineEnv(this.database.url, port, ''));
    this.servers.add(server);
    return server;
  }

  /**
   * Creates a project with endpoints.
   * @param path of their URLs: `hooks`, or `late` for responses after 25 ms
   */
  async fill(
    server: Server,
    count: number,
    { path = 'hooks', isOneHanging = false } = {},
  ): Promise<Endpoints> {
    const { id: project_id } = await this.create(server, '/v1/projects', { name: `${count} endpoints` });
    const url = `${this.sinkUrl}/${path}/`;
    const { id } = await this.create(server, '/v1/webhook-endpoints', { project_id, url });
    // Copies it, because the API limits the number of endpoints. The encrypted secret is the same.
    const hanging = isOneHanging ? randomUUID() : undefined;
    await withClient(this.database.url, async (client) => {
      await client.query(
        `INSERT INTO webhook_endpoints (id, organization_id, project_id, url, secret)
         SELECT gen_random_uuid(), organization_id, project_id, url || n, secret
           FROM webhook_endpoints CROSS JOIN generate_series(1, $2::integer) AS n WHERE id = $1`,
        [id, count],
      );
      if (hanging !== undefined)
        await client.query(
          `INSERT INTO webhook_endpoints (id, organization_id, project_id, url, secret)
           SELECT $2, organization_id, project_id, $3, secret FROM webhook_endpoints WHERE id = $1`,
          [id, hanging, `${this.sinkUrl}/hang`],
        );
      await client.query('DELETE FROM webhook_endpoints WHERE id = $1', [id]);
      await client.query('VACUUM ANALYZE webhook_endpoints');
    });
    return { project_id, count, hanging };
  }

  /** Enables or disables the endpoint that hangs. */
  async setHanging({ hanging }: Endpoints, isEnabled: boolean): Promise<void> {
    await withClient(this.database.url, (client) =>
      client.query(
        `UPDATE webhook_endpoints SET status = $2, disabled_reason = $3, failing_since = NULL WHERE id = $1`,
        [hanging, isEnabled ? 'enabled' : 'disabled', isEnabled ? null : 'manual'],
      ),
    );
  }

  /** The service sends updates to all endpoints. */
  async send(server: Server, endpoints: Endpoints, updates: number): Promise<DeliverySample> {
    const count = endpoints.count * updates;
    return this.sample([server], count, async () => {
      await this.postUpdates(server, endpoints, updates);
      await this.receives(count);
      await this.settles();
    });
  }

  /** Returns the milliseconds from the first to the last webhook, although one endpoint may hang. */
  async span(server: Server, endpoints: Endpoints, updates: number): Promise<number> {
    await this.reset();
    await this.postUpdates(server, endpoints, updates);
    await this.receives(endpoints.count * updates);
    const { first, last } = await this.received();
    await this.discard();
    return last - first;
  }

  /** Posts updates of a new incident, each of which is an event for all endpoints. */
  private async postUpdates(server: Server, { project_id }: Endpoints, updates: number): Promise<void> {
    const { id } = await this.create(server, '/v1/incidents', {
      project_id,
      title: 'Slow responses from the API',
      notify: false,
    });
    for (let number = 1; number <= updates; number++)
      await this.post(server, `/v1/incidents/${id}/updates`, {
        notify: true,
        body: `A node of the **database** has failed at ${number}. We are replacing it, and expect to be done within the hour.`,
      });
  }

  /**
   * The baseline posts the body that the service has sent first.
   * @param hasRows whether it also writes the rows of deliveries
   */
  async sendBare(
    baseline: Server,
    count: number,
    { path = 'hooks', concurrency, hasRows }: { path?: string; concurrency: number; hasRows: boolean },
  ): Promise<DeliverySample> {
    const { message: body } = await this.received();
    if (body === '') throw new Error('the service has sent nothing');
    const order = { count, url: `${this.sinkUrl}/${path}/`, body, secret: SECRET, concurrency };
    return this.sample([baseline], count, () => this.post(baseline, hasRows ? '/rows' : '/', order));
  }

  /** The sender posts without the rest of the service. */
  async sendOnly(baseline: Server, count: number, concurrency: number): Promise<void> {
    const order = { count, url: `${this.sinkUrl}/hooks/`, body: '{}', secret: SECRET, concurrency };
    await this.post(baseline, '/sender', order);
  }

  private async create(server: Server, path: string, json: object): Promise<{ id: string }> {
    const { data }: { data: { id: string } } = JSON.parse(await this.post(server, path, json));
    return data;
  }
}
