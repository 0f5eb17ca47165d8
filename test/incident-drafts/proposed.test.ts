import { describe, expect, it } from 'vitest';
import type { Event, IncidentDraft, IncidentTemplate } from '../../clients/typescript/src/index.js';
import { expectProblem } from '../support/expectations.js';
import { connectTo, onPostgres } from '../support/database.js';
import { type ListPage, type One, until } from '../support/server.js';
import { UNKNOWN_ID, useResource } from '../support/use-resource.js';

const { server, tenant } = useResource<IncidentDraft>('/v1/incident-drafts');

const send = <Body>(method: string, path: string, json?: object) =>
  server.ask<Body>(path, { method, key: tenant.key, json });

async function template(fields: object = {}): Promise<IncidentTemplate> {
  const json = { project_id: tenant.project_id, name: 'Outage', title: 'The API is unavailable', ...fields };
  return (await send<One<IncidentTemplate>>('POST', '/v1/incident-templates', json)).body.data;
}

/** A monitor whose rule uses a template. */
async function watched(fields: object = {}): Promise<{ monitor_id: string; draft_template_id: string }> {
  const { id: draft_template_id } = await template(fields);
  const json = { project_id: tenant.project_id, name: 'API', draft_template_id };
  const { body } = await send<One<{ id: string }>>('POST', '/v1/monitors', json);
  return { monitor_id: body.data.id, draft_template_id };
}

async function report(monitor_id: string, status: string): Promise<void> {
  const json = { project_id: tenant.project_id, reports: [{ monitor_id, status }] };
  expect((await send('POST', '/v1/monitor-reports', json)).status).toBe(200);
}

async function draftsOf(monitor_id: string): Promise<IncidentDraft[]> {
  const path = `/v1/incident-drafts?project_id=${tenant.project_id}&limit=100`;
  const { body } = await send<ListPage<IncidentDraft>>('GET', path);
  return body.data.filter((draft) => draft.monitor_id === monitor_id);
}

async function eventsOf(resource_id: string): Promise<Event[]> {
  const path = `/v1/events?project_id=${tenant.project_id}&resource_id=${resource_id}`;
  return (await send<ListPage<Event>>('GET', path)).body.data.toReversed();
}

describe('a monitor with draft_template_id', () => {
  it('gets a draft from the template when a report makes its status worse, and one at a time', async () => {
    const { monitor_id } = await watched({ body: 'Text', status: 'identified' });
    expect(await draftsOf(monitor_id)).toEqual([]);
    await report(monitor_id, 'partial_outage');
    const values = { title: 'The API is unavailable', body: 'Text', status: 'identified' };
    expect(await draftsOf(monitor_id)).toMatchObject([
      { ...values, monitors: [{ monitor_id, status: 'partial_outage' }] },
    ]);
    await report(monitor_id, 'major_outage');
    expect(await draftsOf(monitor_id)).toHaveLength(1);
  });

  it('keeps the monitors of the template', async () => {
    const [other = ''] = await server.monitors(tenant, 1);
    const affected = { monitor_id: other, status: 'degraded_performance' };
    const { monitor_id } = await watched({ monitors: [affected] });
    await report(monitor_id, 'major_outage');
    const [draft] = await draftsOf(monitor_id);
    expect(draft?.monitors).toEqual([affected, { monitor_id, status: 'major_outage' }]);
  });

  it('loses the draft when it is operational again, which the log contains', async () => {
    const { monitor_id } = await watched();
    await report(monitor_id, 'major_outage');
    const [{ id } = { id: '' }] = await draftsOf(monitor_id);
    await report(monitor_id, 'degraded_performance');
    expect(await draftsOf(monitor_id)).toHaveLength(1);
    await report(monitor_id, 'operational');
    expect(await draftsOf(monitor_id)).toEqual([]);
    expect(await eventsOf(id)).toMatchObject([
      { type: 'incident_draft.created', actor: { type: 'api_key' } },
      { type: 'incident_draft.discarded', actor: { type: 'api_key' } },
    ]);
  });

  it('gets no draft without a rule, nor a second one while the status stays', async () => {
    const { monitor_id } = await watched();
    await report(monitor_id, 'major_outage');
    const [{ id } = { id: '' }] = await draftsOf(monitor_id);
    await send('DELETE', `/v1/incident-drafts/${id}`);
    await report(monitor_id, 'major_outage');
    expect(await draftsOf(monitor_id)).toEqual([]);
    await send('PATCH', `/v1/monitors/${monitor_id}`, { draft_template_id: null });
    await report(monitor_id, 'operational');
    await report(monitor_id, 'major_outage');
    expect(await draftsOf(monitor_id)).toEqual([]);
  });

  it('accepts only templates of its project', async () => {
    const foreign = await server.tenant();
    const { body } = await server.ask<One<{ id: string }>>('/v1/incident-templates', {
      method: 'POST',
      key: foreign.key,
      json: { project_id: foreign.project_id, name: 'Outage', title: 'Outage' },
    });
    const { monitor_id } = await watched();
    const { project_id } = tenant;
    for (const draft_template_id of [UNKNOWN_ID, body.data.id]) {
      const problem = { pointer: '#/draft_template_id', code: 'unknown_incident_template' };
      const created = await send('POST', '/v1/monitors', { project_id, name: 'API', draft_template_id });
      expectProblem(created, 400, 'validation_failed', problem);
      const patched = await send('PATCH', `/v1/monitors/${monitor_id}`, { draft_template_id });
      expectProblem(patched, 400, 'validation_failed', problem);
    }
  });

  it('prevents the deletion of its template', async () => {
    const { monitor_id, draft_template_id } = await watched();
    const remove = () => send('DELETE', `/v1/incident-templates/${draft_template_id}`);
    expectProblem(await remove(), 409, 'conflict');
    await send('PATCH', `/v1/monitors/${monitor_id}`, { draft_template_id: null });
    expect((await remove()).status).toBe(204);
  });

  it('prevents the deletion of its template, also if it gets the template at the same time', async () => {
    const { monitor_id } = await watched();
    const { id } = await template();
    const { DATABASE_URL = '', DATA_DIR = '' } = server.env;
    const env = { DATABASE_URL, DATA_DIR, EMBEDDED: '' };
    const client = await connectTo({ env, drop: async () => undefined });
    try {
      await client.query('BEGIN');
      await client.query('UPDATE monitors SET draft_template_id = $1 WHERE id = $2', [id, monitor_id]);
      const deletion = send('DELETE', `/v1/incident-templates/${id}`);
      // In the embedded database, transactions run one after the other.
      if (onPostgres)
        await until(async () => {
          const waiting = await server.sql<unknown[]>(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return waiting.length > 0;
        });
      await client.query('COMMIT');
      expectProblem(await deletion, 409, 'conflict');
    } finally {
      await client.end();
    }
  });
});
