import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { until, useTenant, useTestServer } from '../support/server.js';
import { DELIVERING, useWebhooks } from './use-webhooks.js';

const server = useTestServer({ ...DELIVERING, NOTIFY_DELAY: '3600' });
const tenant = useTenant(server);
const webhooks = useWebhooks(server, tenant);

const page = (slug: string, monitor_ids: string[]): Promise<{ id: string }> =>
  webhooks.send('POST', '/v1/status-pages', {
    project_id: tenant.project_id,
    name: 'Acme',
    slug,
    is_public: true,
    sections: [{ id: 'services', title: 'Services', monitor_ids }],
  });
const monitor = (): Promise<{ id: string }> =>
  webhooks.send('POST', '/v1/monitors', { project_id: tenant.project_id, name: 'API' });

const report = (ids: string[], status: string): Promise<unknown> =>
  webhooks.send('POST', '/v1/monitor-reports', {
    project_id: tenant.project_id,
    reports: ids.map((monitor_id) => ({ monitor_id, status, observed_at: new Date() })),
  });

describe('endpoint', () => {
  it('gets an event immediately, even if email about it waits for NOTIFY_DELAY', async () => {
    const endpoint = await webhooks.endpoint();
    const { id } = await webhooks.incident();
    const [body] = await webhooks.receiver.bodies(endpoint.path, 1);
    expect(body).toMatchObject({ type: 'incident.created', data: { id }, event: { resource_id: id } });
    const [request] = webhooks.receiver.at(endpoint.path);
    expect(request?.headers).toMatchObject({ 'webhook-id': body?.event.id });
    const [delivery] = await until(async () => {
      const all = await webhooks.deliveries(endpoint);
      return all[0]?.status === 'delivered' && all;
    });
    expect(delivery?.attempt_log).toEqual([
      {
        at: expect.any(String),
        duration_ms: expect.any(Number),
        status_code: 204,
        response: '',
        error: null,
      },
    ]);
    const [event] = await server.sql<{ due_at: Date; email_due_at: Date }[]>(
      'SELECT due_at, email_due_at FROM events WHERE resource_id = $1',
      [id],
    );
    expect(event?.due_at).toEqual(event?.email_due_at);
  });

  it('verifies messages with both secrets for 24 hours after a rotation, and then only with the new one', async () => {
    const { id, path, secret: former } = await webhooks.endpoint();
    const rotate = () =>
      webhooks.send<{ secret: string }>('POST', `/v1/webhook-endpoints/${id}/rotate-secret`, {});
    /** Causes an event. Returns which secrets verify its message. */
    const verified = async (...secrets: string[]): Promise<boolean[]> => {
      const before = webhooks.receiver.at(path).length;
      await webhooks.incident();
      await until(async () => webhooks.receiver.at(path).length > before);
      const { body = '', headers = {} } = webhooks.receiver.at(path).at(-1) ?? {};
      const signed = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      );
      return secrets.map((secret) => {
        try {
          return isEqual(new Webhook(secret).verify(body, signed), body);
        } catch {
          return false;
        }
      });
    };
    const isEqual = (parsed: unknown, body: string) => JSON.stringify(parsed) === body;
    expect(await verified(former)).toEqual([true]);
    const { secret: second } = await rotate();
    expect(await verified(former, second)).toEqual([true, true]);
    const { secret: third } = await rotate();
    expect(await verified(former, second, third)).toEqual([false, true, true]);
    await server.sql(
      `UPDATE webhook_endpoints SET former_secret_until = now() - interval '1 millisecond' WHERE id = $1`,
      [id],
    );
    expect(await verified(former, second, third)).toEqual([false, false, true]);
  });

  it('gets the events of its types only', async () => {
    const all = await webhooks.endpoint();
    const some = await webhooks.endpoint({ event_types: ['incident.resolved', 'monitor.status_changed'] });
    const { id } = await webhooks.incident();
    await webhooks.update(id, { status: 'monitoring' });
    await webhooks.update(id, { status: 'resolved' });
    const { id: monitor_id } = await monitor();
    await report([monitor_id], 'partial_outage');
    await webhooks.receiver.bodies(all.path, 4);
    await webhooks.receiver.bodies(some.path, 2);
    expect(webhooks.receiver.types(some.path)).toEqual(['incident.resolved', 'monitor.status_changed']);
  });

  it('gets no event with notify false', async () => {
    const endpoint = await webhooks.endpoint();
    const silent = await webhooks.incident({ notify: false });
    const { id } = await webhooks.incident();
    const ids = await until(async () => {
      const bodies = await webhooks.receiver.bodies(endpoint.path, 1);
      const seen = bodies.map(({ data }) => data.id);
      return seen.includes(id) && seen;
    });
    expect(ids).not.toContain(silent.id);
  });

  it('gets only what its status page shows, also when that is deleted', async () => {
    const shown = await monitor();
    const other = await monitor();
    const { id: status_page_id } = await page('bound', [shown.id]);
    const endpoint = await webhooks.endpoint({ status_page_id });
    await report([other.id, shown.id], 'degraded_performance');
    const affected = (monitor_id: string) => ({ monitors: [{ monitor_id, status: 'partial_outage' }] });
    await webhooks.incident(affected(other.id));
    const incident = await webhooks.incident(affected(shown.id));
    await webhooks.receiver.bodies(endpoint.path, 2);
    await webhooks.send('DELETE', `/v1/incidents/${incident.id}`);
    await webhooks.send('PATCH', `/v1/status-pages/${status_page_id}`, { name: 'Acme Cloud' });
    const bodies = await webhooks.receiver.bodies(endpoint.path, 4);
    const seen = bodies.map(({ type, data }) => `${type} ${data.id}`);
    expect(seen.toSorted()).toEqual(
      [
        `incident.created ${incident.id}`,
        `incident.deleted ${incident.id}`,
        `monitor.status_changed ${shown.id}`,
        `status_page.updated ${status_page_id}`,
      ].toSorted(),
    );
  });

  it('causes no work for changes of pages without any', async () => {
    const { id } = await page('quiet', []);
    const [event] = await server.sql<{ due_at: Date | null }[]>(
      'SELECT due_at FROM events WHERE resource_id = $1',
      [id],
    );
    expect(event?.due_at).toBeNull();
  });
});

describe('failed attempt', () => {
  it('follows again after 5 seconds with the same webhook-id, and appears in the log', async () => {
    const endpoint = await webhooks.endpoint();
    webhooks.receiver.respond = (response, { path }) => {
      const isFirst = webhooks.receiver.at(path).length === 1;
      response.writeHead(isFirst ? 500 : 200).end(isFirst ? 'x'.repeat(2_000) : 'ok');
    };
    await webhooks.incident();
    const [failed] = await until(async () => {
      const all = await webhooks.deliveries(endpoint);
      return all[0]?.attempt_log.length === 1 && all;
    });
    const pause = Number(failed?.due_at) - Date.parse(failed?.attempt_log[0]?.at ?? '');
    expect(pause).toBeGreaterThan(3_900);
    expect(pause).toBeLessThan(7_000);
    await webhooks.makeDue(endpoint);
    await webhooks.receiver.bodies(endpoint.path, 2);
    const [first, second] = webhooks.receiver.at(endpoint.path);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const [delivery] = await until(async () => {
      const all = await webhooks.deliveries(endpoint);
      return all[0]?.status === 'delivered' && all;
    });
    expect(delivery?.attempt_log).toMatchObject([
      { status_code: 500, response: 'x'.repeat(500), error: expect.any(String) },
      { status_code: 200, response: 'ok', error: null },
    ]);
    expect((await webhooks.storedEndpoint(endpoint))?.failing_since).toBeNull();
  });

  it.each([
    ['of the schedule', {}, 2, 300],
    ['of Retry-After', { 'retry-after': '7200' }, 1, 7_200],
  ])('causes the pause %s', async (_which, headers, attempts, seconds) => {
    const endpoint = await webhooks.endpoint();
    webhooks.receiver.respond = (response) => void response.writeHead(503, headers).end();
    await webhooks.incident();
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await webhooks.receiver.bodies(endpoint.path, attempt);
      await until(async () => (await webhooks.deliveries(endpoint))[0]?.attempt_log.length === attempt);
      if (attempt < attempts) await webhooks.makeDue(endpoint);
    }
    const [delivery] = await webhooks.deliveries(endpoint);
    const pause = ((delivery?.due_at.getTime() ?? 0) - Date.now()) / 1_000;
    expect(pause).toBeGreaterThan(seconds * 0.8 - 5);
    expect(pause).toBeLessThan(seconds * 1.2 + 5);
    expect((await webhooks.storedEndpoint(endpoint))?.failing_since).not.toBeNull();
  });

  it('ends the delivery after ten attempts', async () => {
    const endpoint = await webhooks.endpoint();
    webhooks.receiver.respond = (response) => void response.writeHead(302, { location: '/' }).end();
    await webhooks.incident();
    for (let attempt = 1; attempt <= 10; attempt++) {
      await webhooks.receiver.bodies(endpoint.path, attempt);
      await until(async () => (await webhooks.deliveries(endpoint))[0]?.attempt_log.length === attempt);
      await webhooks.makeDue(endpoint);
    }
    const [delivery] = await webhooks.deliveries(endpoint);
    expect(delivery).toMatchObject({ status: 'failed', attempts: 10 });
    expect(webhooks.receiver.at('/')).toEqual([]); // the redirect is not followed
  });
});

describe('endpoint that does not work', () => {
  it('becomes disabled by 410, with an event, and gets nothing more', async () => {
    const endpoint = await webhooks.endpoint();
    const watching = await webhooks.endpoint({ event_types: ['webhook_endpoint.disabled'] });
    webhooks.receiver.respond = (response, { path }) =>
      void response.writeHead(path === endpoint.path ? 410 : 204).end();
    await webhooks.incident();
    const [body] = await webhooks.receiver.bodies(watching.path, 1);
    expect(body).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: { id: endpoint.id, status: 'disabled', disabled_reason: 'gone' },
      event: { data: { reason: 'gone' } },
    });
    expect(JSON.stringify(body)).not.toContain('secret"');
    await until(async () => (await webhooks.deliveries(endpoint))[0]?.status === 'failed');
    await webhooks.incident();
    await until(async () => (await webhooks.deliveries(endpoint)).every(({ status }) => status === 'failed'));
    expect(webhooks.receiver.at(endpoint.path)).toHaveLength(1);
  });

  it('becomes disabled after five days without a success, not before', async () => {
    const endpoint = await webhooks.endpoint();
    webhooks.receiver.respond = (response) => void response.writeHead(500).end();
    const failFor = async (days: number, attempts: number) => {
      await server.sql(
        `UPDATE webhook_endpoints SET failing_since = now() - $2 * interval '1 day' WHERE id = $1`,
        [endpoint.id, days],
      );
      await webhooks.incident();
      await webhooks.receiver.bodies(endpoint.path, attempts);
      // The retry of an earlier delivery can disable the endpoint before the first attempt of a later one.
      await until(async () =>
        (await webhooks.deliveries(endpoint)).every(
          ({ attempt_log, status }) => attempt_log.length > 0 || status === 'failed',
        ),
      );
    };
    await failFor(4.9, 1);
    expect(await webhooks.storedEndpoint(endpoint)).toMatchObject({ status: 'enabled' });
    await failFor(5.1, 2);
    const disabled = await until(async () => {
      const stored = await webhooks.storedEndpoint(endpoint);
      return stored?.status === 'disabled' && stored;
    });
    expect(disabled.disabled_reason).toBe('failing');
  });

  it('holds up no other endpoint while it hangs', async () => {
    const hanging = await webhooks.endpoint({ event_types: ['incident.created'] });
    const other = await webhooks.endpoint({ event_types: ['incident.created'] });
    webhooks.receiver.respond = (response, { path }) => {
      if (path !== hanging.path) response.writeHead(204).end();
    };
    const startedAt = performance.now();
    for (let number = 0; number < 30; number++) await webhooks.incident();
    await webhooks.receiver.bodies(other.path, 30);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(webhooks.receiver.at(hanging.path).length).toBeLessThanOrEqual(8);
  });
});
