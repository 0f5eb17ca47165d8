import { describe, expect, it } from 'vitest';
import { columnsHolding } from '../support/catalogue.js';
import { statementsOf } from '../support/statements.js';
import { affected, useIncidents } from './use-incidents.js';

const { server, tenant, ask, make, get, post, update, updatesOf, intervalsOf, monitor } = useIncidents();

const remove = (path: string) => server.ask(path, { method: 'DELETE', key: tenant.key });

describe('DELETE /v1/incidents/{id}', () => {
  it('deletes the incident with its updates and intervals', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: 'major_outage' }) });
    await update(id, 10, 'identified', { [one]: 'partial_outage' });
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    expect(await columnsHolding(server, id)).toEqual([]);
    expect((await ask('GET', `/${id}/updates`)).status).toBe(404);
  });
});

describe('DELETE /v1/monitors/{id} with incidents', () => {
  it('removes the monitor from incidents, updates and intervals, but keeps the impact', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const made = await make({ monitors: affected({ [two]: 'degraded_performance', [one]: 'major_outage' }) });
    const { id } = made;
    const [first] = await updatesOf(id);
    const second = await update(id, 10, 'identified');
    const changed = await get(id);
    expect((await remove(`/v1/monitors/${one}`)).status).toBe(204);
    const after = await get(id);
    expect(after).toEqual({
      ...changed,
      impact: 'critical',
      monitors: affected({ [two]: 'degraded_performance' }),
      updated_at: after.updated_at,
    });
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(changed.updated_at));
    const updates = await updatesOf(id);
    expect(updates).toEqual([
      second,
      {
        ...first,
        monitors: affected({ [two]: 'degraded_performance' }),
        updated_at: updates[1]?.updated_at,
      },
    ]);
    expect(updates[1]?.updated_at).not.toBe(first?.updated_at);
    expect(await intervalsOf(id, two)).toEqual([['degraded_performance', 0, null]]);
    expect(await columnsHolding(server, one)).toEqual([]);
  });

  it('keeps the impact after a later change that leaves it unchanged', async () => {
    const [one, two] = [await monitor(), await monitor()];
    const { id } = await make({ monitors: affected({ [one]: 'major_outage' }) });
    await remove(`/v1/monitors/${one}`);
    await update(id, 10, 'identified');
    expect((await ask('PATCH', `/${id}`, { title: 'Changed' })).body.data.impact).toBe('critical');
    await update(id, 20, 'identified', { [two]: 'degraded_performance' });
    expect((await get(id)).impact).toBe('minor');
  });

  it('removes the monitor from past updates and changes the version of the incident', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: 'major_outage' }) });
    await update(id, 10, 'monitoring', {});
    const before = await get(id);
    await remove(`/v1/monitors/${one}`);
    expect(await get(id)).toEqual(before);
    expect((await updatesOf(id)).map(({ monitors }) => monitors)).toEqual([[], []]);
  });

  it('removes the monitor from concurrent updates without failed requests', async () => {
    const ids = await server.monitors(tenant, 4);
    const statuses = Object.fromEntries(ids.map((id) => [id, 'major_outage']));
    const { id } = await make({ monitors: affected(statuses) });
    const answers = await Promise.all([
      ...ids.map((one) => remove(`/v1/monitors/${one}`)),
      ...ids.map((one) =>
        post(id, { status: 'identified', monitors: affected({ [one]: 'partial_outage' }) }),
      ),
      ...ids.map(() => post(id, { status: 'monitoring' })),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => ![201, 204, 400].includes(status))).toEqual(
      [],
    );
    expect((await get(id)).monitors).toEqual([]);
    for (const one of ids) expect(await columnsHolding(server, one)).toEqual([]);
  });

  it('locks the monitor, then pages, then incidents, like all writers', async () => {
    const one = await monitor();
    const statements = await statementsOf(() => remove(`/v1/monitors/${one}`));
    const places = ['monitors', 'status_pages', 'incidents'].map((table) =>
      statements.findIndex((text) => new RegExp(`FROM ${table}\\b[^]*FOR (NO KEY )?UPDATE`).test(text)),
    );
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

describe('DELETE /v1/status-pages/{id} with incidents', () => {
  it('removes the page from its incidents, even if it was the only one', async () => {
    const [one, two] = [await server.page(tenant), await server.page(tenant)];
    const { id } = await make({ status_page_ids: [one.id, two.id] });
    await remove(`/v1/status-pages/${one.id}`);
    expect((await get(id)).status_page_ids).toEqual([two.id]);
    await remove(`/v1/status-pages/${two.id}`);
    expect((await get(id)).status_page_ids).toEqual([]);
  });
});

describe('DELETE /v1/projects/{id} with incidents', () => {
  it('deletes incidents with their updates', async () => {
    const project_id = await server.project(tenant.organization_id);
    const { id } = await make({ project_id });
    await update(id, 10, 'resolved');
    expect((await remove(`/v1/projects/${project_id}`)).status).toBe(204);
    expect(await columnsHolding(server, id)).toEqual([]);
  });
});
