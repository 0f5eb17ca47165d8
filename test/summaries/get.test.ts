import { describe, expect, it } from 'vitest';
import { requestStatementsOf, statementsWithValuesOf } from '../support/statements.js';
import { useSummaries } from './use-summaries.js';

const {
  server,
  tenant,
  monitor,
  monitorIn,
  post,
  reportAt,
  send,
  page,
  get,
  summaryOf,
  incident,
  maintenance,
} = useSummaries();

const NOW_MS = 10_000;

const idsOf = (items: { id: string }[]): string[] => items.map(({ id }) => id);

describe('GET /v1/status-pages/{id}/summary', () => {
  it('returns the page with its sections and monitors in their order', async () => {
    const [one, other] = [await monitorIn('operational'), await monitorIn('partial_outage')];
    await send('PATCH', `/v1/monitors/${other}`, { name: 'Payments', description: 'Cards and invoices.' });
    const id = await page({ web: [other, one], jobs: [] }, { history_days: 30 });
    const { status, headers, body } = await get(id);
    const { body: stored } = await server.ask(`/v1/status-pages/${id}`, { key: tenant.key });
    const { name, slug } = stored.data;
    expect([status, headers.get('etag')]).toEqual([200, null]);
    expect(body.data).toMatchObject({ status_page_id: id, name, slug, history_days: 30 });
    expect(Math.abs(Date.parse(body.data.as_of) - Date.now())).toBeLessThan(NOW_MS);
    const zero = {
      major_outage: 0,
      degraded_performance: 0,
      unknown: 0,
      under_maintenance: 0,
      partial_outage: 0,
      operational: 0,
    };
    expect(body.data.sections).toEqual([
      {
        id: 'web',
        title: 'The web',
        status: 'partial_outage',
        counts: { ...zero, total: 2, partial_outage: 1, operational: 1 },
        monitors: [
          {
            monitor_id: other,
            name: 'Payments',
            description: 'Cards and invoices.',
            status: 'partial_outage',
            uptime: body.data.sections[0]?.monitors[0]?.uptime,
            observed_seconds: body.data.sections[0]?.monitors[0]?.observed_seconds,
          },
          {
            monitor_id: one,
            name: 'Monitor',
            description: '',
            status: 'operational',
            uptime: body.data.sections[0]?.monitors[1]?.uptime,
            observed_seconds: body.data.sections[0]?.monitors[1]?.observed_seconds,
          },
        ],
      },
      { id: 'jobs', title: 'The jobs', status: 'unknown', counts: { ...zero, total: 0 }, monitors: [] },
    ]);
  });

  it('counts a monitor in two sections once on the page and in each section', async () => {
    const [shared, own] = [await monitorIn('major_outage'), await monitorIn('operational')];
    const summary = await summaryOf(await page({ web: [shared, own], api: [shared] }));
    expect(summary.counts).toMatchObject({ total: 2, major_outage: 1, operational: 1 });
    expect(summary.headline.status).toBe('partial_outage');
    expect(summary.sections.map(({ counts }) => [counts.total, counts.major_outage])).toEqual([
      [2, 1],
      [1, 1],
    ]);
    expect(summary.sections.map(({ monitors }) => monitors.map(({ monitor_id }) => monitor_id))).toEqual([
      [shared, own],
      [shared],
    ]);
  });

  it('returns the uptime over history_days, including today', async () => {
    const id = await monitor();
    await reportAt(id, ['major_outage', -89, 0], ['operational', -88, 0], ['operational', 0, 0]);
    const uptimeIn = async (history_days: number) => {
      const { sections } = await summaryOf(await page({ core: [id] }, { history_days }));
      return sections[0]?.monitors[0]?.uptime;
    };
    const { body } = await send<{ data: { uptime: number } }>('GET', `/v1/monitors/${id}/days`);
    expect(body.data.uptime).toBeGreaterThan(98.85); // 1 of 89 to 90 days
    expect(body.data.uptime).toBeLessThan(98.9);
    expect(await uptimeIn(90)).toBe(body.data.uptime);
    expect(await uptimeIn(89)).toBe(100);
    expect(await uptimeIn(1)).toBe(100);
  });

  it('returns null as uptime without observations', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -3, 0]);
    const silent = await monitor(60);
    const { sections } = await summaryOf(await page({ core: [id, silent] }, { history_days: 1 }));
    expect(sections[0]?.monitors).toMatchObject([{ uptime: 100 }, { uptime: null, observed_seconds: 0 }]);
  });

  it('computes days again after a late report', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -4, 0]);
    const one = await page({ core: [id] }, { history_days: 5 });
    const uptime = async () => (await summaryOf(one)).sections[0]?.monitors[0]?.uptime;
    expect(await uptime()).toBe(100);
    await reportAt(id, ['major_outage', -2, 0], ['operational', -1, 0]);
    const { body } = await send<{ data: { uptime: number; from: string } }>(
      'GET',
      `/v1/monitors/${id}/days?from=${new Date(Date.now() - 4 * 86_400_000).toISOString().slice(0, 10)}`,
    );
    expect(body.data.uptime).toBeLessThan(81); // 1 of 4 to 5 days
    expect(await uptime()).toBe(body.data.uptime);
  });

  it('omits a deleted monitor', async () => {
    const [one, other] = [await monitorIn('major_outage'), await monitorIn('operational')];
    const id = await page({ core: [one, other] });
    expect((await summaryOf(id)).counts.total).toBe(2);
    await send('DELETE', `/v1/monitors/${one}`);
    expect(await summaryOf(id)).toMatchObject({ status: 'operational', counts: { total: 1 } });
  });
});

describe('GET /v1/status-pages/{id}/summary with incidents', () => {
  it('returns open incidents with their last updates, latest start first', async () => {
    const id = await monitorIn('operational');
    const one = await page({ core: [id] });
    const first = await incident(
      { [id]: 'partial_outage' },
      { started_at: new Date(Date.now() - 7_200_000) },
    );
    const second = await incident({ [id]: 'degraded_performance' });
    const resolved = await incident({ [id]: 'major_outage' });
    await send('POST', `/v1/incidents/${resolved.id}/updates`, { status: 'resolved', body: 'Fixed.' });
    await send('POST', `/v1/incidents/${first.id}/updates`, {
      status: 'identified',
      body: 'A disk is full.',
    });
    const { incidents, headline } = await summaryOf(one);
    expect(idsOf(incidents)).toEqual([second.id, first.id]);
    const { title, started_at, created_at } = first;
    expect(incidents[1]).toEqual({
      id: first.id,
      title,
      status: 'identified',
      impact: 'major',
      monitors: [{ monitor_id: id, status: 'partial_outage' }],
      started_at,
      created_at,
      updated_at: incidents[1]?.updated_at,
      last_update: {
        id: incidents[1]?.last_update.id,
        status: 'identified',
        body: 'A disk is full.',
        posted_at: incidents[1]?.last_update.posted_at,
      },
    });
    expect(headline.text).toBe('Partial outage');
  });

  it('returns incidents that list the page, affect its monitors or affect no monitor', async () => {
    const [own, foreign] = [await monitorIn('operational'), await monitorIn('operational')];
    const one = await page({ core: [own] });
    const other = await page({ core: [foreign] });
    const wanted = [
      await incident({ [own]: 'partial_outage', [foreign]: 'partial_outage' }),
      await incident({ [foreign]: 'partial_outage' }, { status_page_ids: [other, one] }),
      await incident({}, { status_page_ids: [one] }),
      await incident({}),
    ];
    await incident({ [foreign]: 'partial_outage' }); // affects no monitor of the page
    await incident({ [own]: 'partial_outage' }, { status_page_ids: [other] }); // only on another page
    await incident({ [own]: 'partial_outage' }, { status_page_ids: [] }); // on no page
    await incident({}, { status_page_ids: [other] }); // only on another page
    const { incidents } = await summaryOf(one);
    expect(idsOf(incidents).toSorted()).toEqual(idsOf(wanted).toSorted());
    const shared = incidents.find(({ id }) => id === wanted[0]?.id);
    expect(shared?.monitors).toEqual([{ monitor_id: own, status: 'partial_outage' }]);
  });
});

describe('GET /v1/status-pages/{id}/summary with maintenance windows', () => {
  it('returns those in progress or starting within 30 days, ordered by start', async () => {
    const id = await monitorIn('operational');
    const one = await page({ core: [id] });
    const on = { monitor_ids: [id] };
    const later = await maintenance(29, 31, on);
    const running = await maintenance(-1, 1, on);
    const soon = await maintenance(2, 3, on);
    await maintenance(31, 32, on);
    await maintenance(-3, -1, on);
    const cancelled = await maintenance(4, 5, on);
    await send('PATCH', `/v1/maintenances/${cancelled}`, { status: 'cancelled' });
    const { maintenances, status } = await summaryOf(one);
    expect(maintenances.map((one_) => [one_.id, one_.status])).toEqual([
      [running, 'in_progress'],
      [soon, 'scheduled'],
      [later, 'scheduled'],
    ]);
    expect(status).toBe('under_maintenance');
    expect(Object.keys(maintenances[0] ?? {})).toEqual([
      'id',
      'title',
      'body',
      'status',
      'starts_at',
      'ends_at',
      'created_at',
      'updated_at',
      'monitor_ids',
    ]);
  });

  it('returns those that list the page, or no page and one of its monitors', async () => {
    const [own, foreign] = [await monitorIn('operational'), await monitorIn('operational')];
    const one = await page({ core: [own] });
    const other = await page({ core: [foreign] });
    const wanted = [
      await maintenance(1, 2, { monitor_ids: [foreign, own] }),
      await maintenance(2, 3, { monitor_ids: [foreign], status_page_ids: [one, other] }),
    ];
    await maintenance(1, 2, { monitor_ids: [foreign] });
    await maintenance(1, 2, { monitor_ids: [own], status_page_ids: [other] });
    const { maintenances } = await summaryOf(one);
    expect(idsOf(maintenances)).toEqual(wanted);
    expect(maintenances.map(({ monitor_ids }) => monitor_ids)).toEqual([[own], []]);
  });
});

describe('GET /v1/status-pages/{id}/summary and its SQL statements', () => {
  it('reads one snapshot of the database', async () => {
    const one = await page({ core: [await monitorIn('operational')] });
    await get(one); // computes the closed days
    const statements = await requestStatementsOf(() => get(one));
    const isControl = (text: string) => /TRANSACTION|COMMIT|ROLLBACK/.test(text);
    expect(statements.filter(isControl).map((text) => text.replace(/;.*/s, ''))).toEqual([
      'START TRANSACTION',
      'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
      'COMMIT',
    ]);
    expect(statements.length).toBeGreaterThan(10);
    expect([statements[0], statements.at(-1)].every((text) => isControl(text ?? ''))).toBe(true);
    expect(statements.filter((text) => !isControl(text) && !text.startsWith('SELECT'))).toEqual([]);
  });

  it('executes the same number of statements for any number of monitors and reports', async () => {
    const small = await page({ core: [await monitor()] });
    const ids = await server.monitors(tenant, 40);
    const large = await page({ core: ids, again: ids });
    for (let round = 0; round < 3; round++)
      await post(
        Array.from({ length: 1_000 }, (_, index) => ({
          monitor_id: ids[index % ids.length],
          status: index % 3 === 0 ? 'operational' : 'partial_outage',
          observed_at: new Date(Date.now() - (index + round * 1_000) * 60_000),
        })),
      );
    await incident({ [ids[0] ?? '']: 'major_outage' });
    const counts = [];
    for (const one of [small, large]) {
      await get(one); // computes the closed days
      counts.push((await requestStatementsOf(() => get(one))).length);
    }
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBeLessThan(15);
  });

  it('reads only some runs of a monitor', async () => {
    const id = await monitor();
    const one = await page({ core: [id] });
    await post(
      Array.from({ length: 1_000 }, (_, index) => ({
        monitor_id: id,
        status: index % 2 === 0 ? 'operational' : 'partial_outage',
        observed_at: new Date(Date.now() - 5 * 86_400_000 - index * 60_000),
      })),
    );
    await server.sql('ANALYZE monitor_runs, monitor_states');
    await get(one);
    const statements = await statementsWithValuesOf(() => get(one));
    const reading = statements.filter(({ text }) => /monitor_runs/.test(text));
    expect(reading).toHaveLength(1);
    for (const { text, values } of reading) {
      const [{ 'QUERY PLAN': plan } = { 'QUERY PLAN': [] }] = await server.sql<{ 'QUERY PLAN': unknown[] }[]>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      expect(rowsOf(plan)).toBeLessThan(10);
    }
  });
});

/** Returns the largest number of rows that a plan node has read from `monitor_runs`. */
function rowsOf(plan: unknown): number {
  let most = 0;
  JSON.stringify(plan, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('Relation Name' in value)) return value;
    if (value['Relation Name'] !== 'monitor_runs' || !('Actual Rows' in value)) return value;
    const removed = 'Rows Removed by Filter' in value ? Number(value['Rows Removed by Filter']) : 0;
    most = Math.max(most, Number(value['Actual Rows']) + removed);
    return value;
  });
  return most;
}
