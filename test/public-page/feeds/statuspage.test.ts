import { Statuspage } from 'statuspage.io';
import { StatuspageUpdates } from 'statuspage.js';
import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../clients/typescript/src/index.js';
import { API_DOCUMENTS, type ApiDocument } from '../../../src/page-model/parts.js';
import type { StatuspageSummary } from '../../../src/page-documents/feeds/statuspage-types.js';
import { type One, until } from '../../support/server.js';
import { STATUSPAGE_SCHEMAS } from './schemas/statuspage.js';
import { faultsOf, useFeeds } from './use-feeds.js';

const {
  server,
  send,
  monitor,
  monitorIn,
  incident,
  update,
  updatesOf,
  maintenance,
  maintenanceUpdate,
  maintenanceOf,
  pageOf,
  visit,
  textOf,
  seen,
  patch,
} = useFeeds();

/** Document with all fields of all documents. */
const documentOf = async (slug: string, document: ApiDocument): Promise<StatuspageSummary> =>
  JSON.parse(await textOf(slug, `/api/v2/${document}.json`));

/** npm client that reads `{url}/api/v2/…`. */
function clientOf(slug: string): Statuspage {
  const client = new Statuspage(slug);
  client.setApiUrl(`${server.url}/status/${slug}`);
  return client;
}

const urlOf = (slug: string): string => `${server.url.replace('127.0.0.1', 'localhost')}/status/${slug}`;

const idsOf = (items: { id: string }[]): string[] => items.map(({ id }) => id);

/** Creates a page with two sections, an open and a resolved incident, and a maintenance window in each status. */
async function busyPage() {
  const [shared, own, silent] = [
    await monitorIn('operational'),
    await monitorIn('operational'),
    await monitor(),
  ];
  const { slug, id } = await pageOf([], {
    sections: [
      { id: 'web', title: 'The web', monitor_ids: [shared, own] },
      { id: 'jobs', title: 'Jobs', monitor_ids: [silent, shared] },
    ],
  });
  const resolved = await incident({ [own]: 'major_outage' }, { title: 'Over' });
  await update(resolved, { status: 'monitoring', body: 'Better.' });
  await update(resolved, { status: 'resolved', body: 'Done.' });
  const open = await incident({ [shared]: 'partial_outage' }, { title: 'Open' });
  const ids = { monitor_ids: [own] };
  const upcoming = await maintenance(1, 2, { ...ids, body: 'New disks.' });
  const active = await maintenance(-1, 1, ids);
  const completed = await maintenance(-3, -2, ids);
  const cancelled = await maintenance(3, 4, ids);
  await patch(`/v1/maintenances/${cancelled}`, { status: 'cancelled' });
  const monitors = { shared, own, silent };
  return { slug, id, monitors, resolved, open, upcoming, active, completed };
}

describe.each(API_DOCUMENTS)('api/v2/%s.json', (document) => {
  it('contains exactly the fields that Statuspage documents', async () => {
    const { slug, id } = await busyPage();
    const response = await visit(slug, `/api/v2/${document}.json`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const body: StatuspageSummary = await response.json();
    expect(faultsOf(STATUSPAGE_SCHEMAS.get(document) ?? {}, body)).toEqual([]);
    expect(body.page).toMatchObject({ id, name: 'Page', url: urlOf(slug), time_zone: 'Etc/UTC' });
  });

  it('remains valid for an empty page', async () => {
    const { slug } = await pageOf([], { sections: [] });
    expect(faultsOf(STATUSPAGE_SCHEMAS.get(document) ?? {}, await documentOf(slug, document))).toEqual([]);
  });
});

describe('the npm client statuspage.io', () => {
  it('reads a page', async () => {
    const { slug, id, open, upcoming, resolved } = await busyPage();
    const { api } = clientOf(slug);
    const summary = await api.getSummary();
    expect(summary).toMatchObject({ page: { id, name: 'Page' }, status: { indicator: 'minor' } });
    expect(idsOf(summary.incidents)).toEqual([open.id]);
    expect((await api.getStatus()).status).toEqual(summary.status);
    expect((await api.getComponents()).components).toEqual(summary.components);
    expect(idsOf((await api.incidents.getAll()).incidents)).toEqual([open.id, resolved.id]);
    expect(idsOf((await api.incidents.getUnresolved()).incidents)).toEqual([open.id]);
    const planned = await api.scheduledMaintenances.getUpcoming();
    expect(idsOf(planned.scheduled_maintenances)).toEqual([upcoming]);
  });
});

describe('the npm client statuspage.js', () => {
  /** The client's poller, which connects to this server instead of `https://{id}.statuspage.io`. */
  class Poller extends StatuspageUpdates {
    override fetch(): ReturnType<StatuspageUpdates['fetch']> {
      Reflect.get(this.statuspage, 'axios').defaults.baseURL = `${server.url}/status/${this.id}/api/v2`;
      return super.fetch();
    }
  }

  /** Returns a poller after its first request, which its constructor sends. */
  async function pollerOf(slug: string): Promise<Poller> {
    const poller = new Poller(slug);
    await until(async () => poller.curr);
    return poller;
  }

  it('reads a page, with times as dates', async () => {
    const { slug, id, open, upcoming, active, completed, resolved } = await busyPage();
    const { statuspage } = await pollerOf(slug);
    const summary = await statuspage.summary();
    expect(summary).toMatchObject({ page: { id, name: 'Page' }, status: { indicator: 'minor' } });
    expect(idsOf(summary.incidents ?? [])).toEqual([open.id]);
    expect((await statuspage.status()).status).toEqual(summary.status);
    expect((await statuspage.components()).components).toEqual(summary.components);
    const { incidents } = await statuspage.allIncidents();
    expect(idsOf(incidents)).toEqual([open.id, resolved.id]);
    for (const one of incidents) expect(one.created_at).toBeInstanceOf(Date);
    expect(idsOf((await statuspage.unresolvedIncidents()).incidents)).toEqual([open.id]);
    const windowsOf = (read: { scheduled_maintenances: { id: string }[] }) =>
      idsOf(read.scheduled_maintenances);
    expect(windowsOf(await statuspage.upcomingScheduledMaintenances())).toEqual([upcoming]);
    expect(windowsOf(await statuspage.activeScheduledMaintenances())).toEqual([active]);
    expect(windowsOf(await statuspage.allScheduledMaintenances()).toSorted()).toEqual(
      [upcoming, active, completed].toSorted(),
    );
  });

  it('reports each new update of an incident once', async () => {
    const { slug, open } = await busyPage();
    const poller = await pollerOf(slug);
    await poller.fetch();
    expect(poller.checkUpdate()).toBe(false);
    await update(open, { status: 'monitoring', body: 'A fix is in place.' });
    await seen(
      () => poller.fetch().then(() => poller.checkUpdate()),
      (isNew) => isNew,
    );
    expect(poller.curr?.incidents[0]?.incident_updates[0]).toMatchObject({ body: 'A fix is in place.' });
    await poller.fetch();
    expect(poller.checkUpdate()).toBe(false);
  });
});

describe('api/v2/components.json', () => {
  it('lists sections as groups, with stable IDs per section and monitor', async () => {
    const { slug, id, monitors } = await busyPage();
    const { components } = await documentOf(slug, 'components');
    const groups = components.filter(({ group }) => group);
    expect(groups.map(({ name, position, group_id }) => [name, position, group_id])).toEqual([
      ['The web', 1, null],
      ['Jobs', 2, null],
    ]);
    for (const group of groups)
      expect(idsOf(components.filter(({ group_id }) => group_id === group.id))).toEqual(group.components);
    expect(new Set(idsOf(components)).size).toBe(6);
    expect(components.every(({ page_id }) => page_id === id)).toBe(true);

    const { silent, shared, own } = monitors;
    await patch(`/v1/monitors/${shared}`, { name: 'Renamed' });
    await patch(`/v1/status-pages/${id}`, {
      sections: [
        { id: 'jobs', title: 'All jobs', monitor_ids: [shared, silent] },
        { id: 'web', title: 'Web', monitor_ids: [own, shared] },
      ],
    });
    const after = await seen(
      () => documentOf(slug, 'components'),
      (one) => one.components[0]?.name === 'All jobs',
    );
    expect(idsOf(after.components).toSorted()).toEqual(idsOf(components).toSorted());
    expect(idsOf(after.components)).not.toEqual(idsOf(components));
  });

  it('shows neither components nor the page as operational without reports', async () => {
    const { slug } = await pageOf([await monitorIn('unknown')]);
    const { components, status } = await documentOf(slug, 'summary');
    expect(components.map((one) => one.status)).toEqual(['degraded_performance', 'degraded_performance']);
    expect(status).toEqual({ indicator: 'minor', description: 'Partially Degraded Service' });
  });
});

describe('api/v2/status.json', () => {
  it('describes the page in the words of Statuspage, by the statuses of its components', async () => {
    const { slug } = await pageOf([await monitorIn('operational'), await monitorIn('partial_outage')]);
    const status = { indicator: 'minor', description: 'Minor Service Outage' };
    expect((await documentOf(slug, 'status')).status).toEqual(status);
    expect((await documentOf(slug, 'summary')).status).toEqual(status);
  });

  it('shows an open incident without impact as none, like Statuspage, and lists it', async () => {
    const { slug, id } = await pageOf([await monitorIn('operational')]);
    await incident({}, { status_page_ids: [id] });
    const { status } = await documentOf(slug, 'status');
    expect(status).toEqual({ indicator: 'none', description: 'All Systems Operational' });
    const { incidents } = await documentOf(slug, 'incidents/unresolved');
    expect(incidents).toMatchObject([{ impact: 'none', components: [] }]);
  });
});

describe('api/v2/incidents.json', () => {
  it('contains the times, link and components of each incident', async () => {
    const { slug, id, resolved, monitors } = await busyPage();
    const { incidents } = await documentOf(slug, 'incidents');
    const { incidents: open } = await documentOf(slug, 'summary');
    const one = incidents.find((item) => item.id === resolved.id);
    const updates = await updatesOf(resolved);
    const { started_at, created_at } = resolved;
    expect(one).toMatchObject({
      name: 'Over',
      status: 'resolved',
      impact: 'critical',
      page_id: id,
      started_at,
      created_at,
      resolved_at: updates[0]?.posted_at,
      monitoring_at: updates[1]?.posted_at,
      shortlink: `${urlOf(slug)}/incidents/${resolved.id}`,
    });
    expect(one?.components.map(({ name }) => name)).toEqual(['Monitor']);
    expect(open[0]?.components).toHaveLength(2); // the monitor is in two sections
    expect(monitors.shared).not.toBe(monitors.own);
  });

  it('contains updates, newest first, with the components that each update changes', async () => {
    const [one, other] = [await monitor(), await monitor()];
    await patch(`/v1/monitors/${other}`, { name: 'Other' });
    const { slug } = await pageOf([one, other]);
    const made: Incident = await incident({ [one]: 'partial_outage' });
    await update(made, {
      status: 'identified',
      body: 'It is worse.',
      monitors: [
        { monitor_id: one, status: 'major_outage' },
        { monitor_id: other, status: 'degraded_performance' },
      ],
    });
    await update(made, { status: 'monitoring', body: 'Wait.' });
    await update(made, { status: 'resolved', body: 'Done.' });
    const stored = await updatesOf(made);
    const { incidents } = await documentOf(slug, 'incidents');
    const updates = incidents[0]?.incident_updates ?? [];
    expect(updates.map(({ id, status, body, display_at }) => [id, status, body, display_at])).toEqual(
      stored.map(({ id, status, body, posted_at }) => [id, status, body, posted_at]),
    );
    const changes = updates.map(({ affected_components }) =>
      affected_components?.map(({ name, old_status, new_status }) => [name, old_status, new_status]),
    );
    expect(changes).toEqual([
      [
        ['Monitor', 'major_outage', 'operational'],
        ['Other', 'degraded_performance', 'operational'],
      ],
      [
        ['Monitor', 'major_outage', 'major_outage'],
        ['Other', 'degraded_performance', 'degraded_performance'],
      ],
      [
        ['Monitor', 'partial_outage', 'major_outage'],
        ['Other', 'operational', 'degraded_performance'],
      ],
      [['Monitor', 'operational', 'partial_outage']],
    ]);
    const codes = updates[0]?.affected_components?.map(({ code }) => code);
    expect(codes).toEqual(idsOf(incidents[0]?.components ?? []));
  });

  it('contains the 50 newest incidents', async () => {
    const { slug } = await pageOf([await monitor()]);
    const { id: page } = (await documentOf(slug, 'status')).page;
    const made: string[] = [];
    for (let index = 0; index < 51; index++)
      made.unshift((await incident({}, { status_page_ids: [page] })).id);
    const { incidents } = await seen(
      () => documentOf(slug, 'incidents'),
      (one) => one.incidents[0]?.id === made[0],
    );
    expect(idsOf(incidents)).toEqual(made.slice(0, 50));
  });
});

describe('api/v2/scheduled-maintenances.json', () => {
  it('lists upcoming and active maintenance windows, and all except cancelled ones', async () => {
    const { slug, upcoming, active, completed } = await busyPage();
    const listOf = async (document: ApiDocument) =>
      (await documentOf(slug, document)).scheduled_maintenances.map(({ id, status }) => [id, status]);
    const [next, now, over] = [
      [upcoming, 'scheduled'],
      [active, 'in_progress'],
      [completed, 'completed'],
    ];
    expect(await listOf('scheduled-maintenances/upcoming')).toEqual([next]);
    expect(await listOf('scheduled-maintenances/active')).toEqual([now]);
    expect(await listOf('scheduled-maintenances')).toEqual([next, now, over]);
    expect(await listOf('summary')).toEqual([now, next]);
  });

  it('contains the time window, and the text as an update', async () => {
    const { slug, upcoming } = await busyPage();
    const { starts_at, ends_at } = await maintenanceOf(upcoming);
    const { scheduled_maintenances } = await documentOf(slug, 'scheduled-maintenances/upcoming');
    expect(scheduled_maintenances).toEqual([
      expect.objectContaining({
        name: 'Upgrade',
        impact: 'maintenance',
        scheduled_for: starts_at,
        scheduled_until: ends_at,
        resolved_at: null,
        shortlink: `${urlOf(slug)}/maintenances/${upcoming}`,
        incident_updates: [
          expect.objectContaining({ status: 'scheduled', body: 'New disks.', incident_id: upcoming }),
        ],
      }),
    ]);
  });
});

describe('the updates of a maintenance window in api/v2', () => {
  it('come newest first, before the announcement, with the status of their time', async () => {
    const { slug, active } = await busyPage();
    const { starts_at } = await maintenanceOf(active);
    const before = new Date(Date.parse(starts_at) - 60_000).toISOString();
    const early = await maintenanceUpdate(active, { body: 'It begins soon.', posted_at: before });
    const late = await maintenanceUpdate(active, { body: 'Half done.' });
    const read = async (document: ApiDocument) =>
      (await documentOf(slug, document)).scheduled_maintenances.find(({ id }) => id === active);
    const found = await seen(
      () => read('scheduled-maintenances/active'),
      (one) => one?.incident_updates.length === 3,
    );
    expect(found?.incident_updates).toMatchObject([
      {
        id: late.id,
        status: 'in_progress',
        body: 'Half done.',
        display_at: late.posted_at,
        incident_id: active,
      },
      { id: early.id, status: 'scheduled', body: 'It begins soon.', display_at: before },
      { id: active, status: 'in_progress', body: '' },
    ]);
    expect(found?.incident_updates[1]?.affected_components).toMatchObject([
      { old_status: 'operational', new_status: 'operational' },
    ]);
    expect((await read('summary'))?.incident_updates).toEqual(found?.incident_updates);
    expect((await read('scheduled-maintenances'))?.incident_updates).toEqual(found?.incident_updates);
  });
});

describe('updated_at in api/v2/summary.json', () => {
  it('equals the time of the last visible change', async () => {
    const { slug, open } = await busyPage();
    await update(open, { status: 'identified', body: 'A disk is full.' });
    const { body } = await send<One<Incident>>('GET', `/v1/incidents/${open.id}`);
    const { page } = await seen(
      () => documentOf(slug, 'summary'),
      ({ incidents }) => incidents[0]?.status === 'identified',
    );
    expect(page.updated_at).toBe(body.data.updated_at);
  });
});
