import { DataSource } from 'typeorm';
import { EventsService } from '../../../src/events/events.service.js';
import type { EventType } from '../../../src/events/event-types.js';
import { actorIn } from '../../support/actors.js';
import type { Tenant, TestServer } from '../../support/server.js';
import { inHours } from '../../events/use-events.js';
import type { useContent } from './use-content.js';

/** Texts of the resources. */
export interface Texts {
  name: string;
  title: string;
  body: string;
}

/** An event that has just happened. */
export interface Happened {
  type: EventType;
  id: string;
  /** Path of the resource; undefined: it is deleted. */
  path: string | undefined;
  resource_id: string;
  /** Path of the update. */
  update: string | undefined;
  /** The page of the resource. */
  page: string;
}

type Content = ReturnType<typeof useContent>;

/** Brings about an event of each type, and yields each before the next one. */
export async function* allEvents(
  server: TestServer,
  tenant: Tenant,
  { send, eventOf }: Content,
  { name, title, body }: Texts,
): AsyncGenerator<Happened> {
  const { project_id } = tenant;
  const happened = async (type: EventType, path: string, update?: string, page = ''): Promise<Happened> => {
    const resource_id = path.split('/').at(-1) ?? '';
    const isGone = type.endsWith('.deleted');
    const id = await eventOf(resource_id, type);
    return { type, id, path: isGone ? undefined : path, resource_id, update, page };
  };
  const create = async (path: string, fields: object): Promise<string> =>
    (await send('POST', `/v1/${path}`, { project_id, ...fields })).id;

  const monitor = await create('monitors', { name });
  const sections = [{ id: 'core', title: 'Core', monitor_ids: [monitor] }];
  const { id: page } = await server.page(tenant, { name, slug: `page-${monitor.slice(-12)}`, sections });
  const pagePath = `/v1/status-pages/${page}`;
  yield happened('status_page.created', pagePath, undefined, page);
  await send('PATCH', `${pagePath}/settings`, { history_days: 30 });
  yield happened('status_page.updated', pagePath, undefined, page);

  const report = (status: string, hours: number) =>
    send('POST', '/v1/monitor-reports', {
      project_id,
      reports: [{ monitor_id: monitor, status, observed_at: inHours(hours) }],
    });
  await report('operational', -2);
  await report('major_outage', -1);
  yield happened('monitor.status_changed', `/v1/monitors/${monitor}`, undefined, page);

  const incident = await create('incidents', {
    title,
    body,
    monitors: [{ monitor_id: monitor, status: 'partial_outage' }],
  });
  const path = `/v1/incidents/${incident}`;
  const [first] = await send<{ id: string }[]>('GET', `${path}/updates`);
  yield happened('incident.created', path, `${path}/updates/${first?.id}`, page);
  const steps: [EventType, object][] = [
    ['incident.updated', { status: 'identified' }],
    ['incident.resolved', { status: 'resolved' }],
    ['incident.reopened', { status: 'monitoring' }],
  ];
  for (const [type, fields] of steps) {
    const { id } = await send('POST', `${path}/updates`, { body, ...fields });
    yield happened(type, path, `${path}/updates/${id}`, page);
  }
  await send('PATCH', path, { postmortem: body });
  yield happened('incident.postmortem_published', path, undefined, page);
  await send('DELETE', path);
  yield happened('incident.deleted', path, undefined, page);

  const draft = `/v1/incident-drafts/${await create('incident-drafts', { title, body })}`;
  yield happened('incident_draft.created', draft, undefined, page);

  const window = { title, body, monitor_ids: [monitor], starts_at: inHours(2), ends_at: inHours(3) };
  const maintenance = `/v1/maintenances/${await create('maintenances', window)}`;
  yield happened('maintenance.scheduled', maintenance, undefined, page);
  await send('PATCH', maintenance, { starts_at: inHours(30), ends_at: inHours(31) });
  yield happened('maintenance.rescheduled', maintenance, undefined, page);
  // Planned: they happen later, but are written already.
  for (const type of ['maintenance.reminder', 'maintenance.started', 'maintenance.completed'] as const)
    yield happened(type, maintenance, undefined, page);
  await send('PATCH', maintenance, { status: 'cancelled' });
  yield happened('maintenance.cancelled', maintenance, undefined, page);

  await send('DELETE', pagePath);
  yield happened('status_page.deleted', pagePath, undefined, page);
  await send('POST', `${pagePath}/restore`, {});
  yield happened('status_page.restored', pagePath, undefined, page);

  const endpoint = await create('webhook-endpoints', { url: 'https://example.com/hook', description: title });
  const endpointPath = `/v1/webhook-endpoints/${endpoint}`;
  await send('PATCH', endpointPath, { status: 'disabled' });
  const disabled = {
    ...tenant,
    actor: actorIn(tenant.organization_id),
    type: 'webhook_endpoint.disabled',
    resource_id: endpoint,
    data: { reason: 'gone' },
  } as const;
  const events = server.app.get(EventsService);
  await server.app.get(DataSource).transaction((manager) => events.record([disabled], manager));
  yield happened('webhook_endpoint.disabled', endpointPath, undefined, page);
}
