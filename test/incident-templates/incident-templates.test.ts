import { describe, expect, it } from 'vitest';
import type { Incident, IncidentTemplate, IncidentUpdate } from '../../clients/typescript/src/index.js';
import { expectProblem } from '../support/expectations.js';
import type { ListPage, One } from '../support/server.js';
import { UNKNOWN_ID, useResource } from '../support/use-resource.js';

const { server, tenant, ask } = useResource<IncidentTemplate>('/v1/incident-templates');

const VALUES = {
  name: 'API outage',
  title: 'The API is unavailable',
  body: 'Requests to the API fail.',
  status: 'identified' as const,
};

async function createTemplate(fields: object = {}): Promise<IncidentTemplate> {
  const { status, body } = await ask('POST', '', { project_id: tenant.project_id, ...VALUES, ...fields });
  expect(status).toBe(201);
  return body.data;
}

function askIncident(fields: object) {
  return server.ask<One<Incident>>('/v1/incidents', {
    method: 'POST',
    key: tenant.key,
    json: { project_id: tenant.project_id, ...fields },
  });
}

async function createIncident(fields: object) {
  const { status, body } = await askIncident(fields);
  expect(status).toBe(201);
  const path = `/v1/incidents/${body.data.id}/updates`;
  const updates = await server.ask<ListPage<IncidentUpdate>>(path, { key: tenant.key });
  return { incident: body.data, update: updates.body.data[0] };
}

describe('POST /v1/incident-templates', () => {
  it('creates a template without text and monitors by default', async () => {
    const { status, body } = await ask('POST', '', {
      project_id: tenant.project_id,
      name: 'API outage',
      title: 'The API is unavailable',
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ body: null, status: 'investigating', monitors: [] });
  });

  it('returns 400 for a monitor of another project and for a repeated monitor', async () => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const one = (id: string) => ({ monitor_id: id, status: 'major_outage' });
    const body = { project_id: tenant.project_id, ...VALUES };
    const unknown = await ask('POST', '', { ...body, monitors: [one(monitor_id), one(UNKNOWN_ID)] });
    expectProblem(unknown, 400, 'validation_failed', {
      code: 'unknown_monitor',
      pointer: '#/monitors/1/monitor_id',
    });
    const repeated = await ask('POST', '', { ...body, monitors: [one(monitor_id), one(monitor_id)] });
    expectProblem(repeated, 400, 'validation_failed', {
      code: 'duplicate',
      pointer: '#/monitors/1/monitor_id',
    });
  });
});

describe('PATCH /v1/incident-templates/{id}', () => {
  it('returns 400 for a monitor that is not in the project, and changes nothing', async () => {
    const template = await createTemplate();
    const monitors = [{ monitor_id: UNKNOWN_ID, status: 'major_outage' }];
    const patched = await ask('PATCH', `/${template.id}`, { name: 'Changed', monitors });
    expectProblem(patched, 400, 'validation_failed', {
      code: 'unknown_monitor',
      pointer: '#/monitors/0/monitor_id',
    });
    expect((await ask('GET', `/${template.id}`)).body.data).toEqual(template);
  });
});

describe('POST /v1/incidents with template_id', () => {
  it('takes title, text, status and monitors from the template', async () => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const monitors = [{ monitor_id, status: 'partial_outage' }];
    const { id: template_id } = await createTemplate({ monitors });
    const { incident, update } = await createIncident({ template_id });
    expect(incident).toMatchObject({ title: VALUES.title, status: 'identified', monitors, impact: 'major' });
    expect(update).toMatchObject({ status: 'identified', body: VALUES.body, monitors });
  });

  it('takes each field from the body if the body contains it', async () => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const { id: template_id } = await createTemplate({
      monitors: [{ monitor_id, status: 'partial_outage' }],
    });
    const own = { title: 'Own title', body: 'Own text.', status: 'monitoring', monitors: [] };
    const { title, ...first } = own;
    for (const [field, value] of Object.entries(own)) {
      const { incident, update } = await createIncident({ template_id, [field]: value });
      const expected = { ...VALUES, monitors: [{ monitor_id }], [field]: value };
      expect(incident).toMatchObject({ title: expected.title, status: expected.status });
      expect(update).toMatchObject({ body: expected.body, monitors: expected.monitors });
    }
    const { incident, update } = await createIncident({ template_id, ...own });
    expect(incident).toMatchObject({ title, monitors: [] });
    expect(update).toMatchObject(first);
  });

  it('sets the standard text of the status if neither the template nor the body contains a text', async () => {
    const { id: template_id } = await createTemplate({ body: null });
    const { update } = await createIncident({ template_id, status: 'investigating' });
    expect(update?.body).toBe('We are investigating this incident.');
  });

  it('omits monitors that were deleted after the template was created', async () => {
    const [deleted = '', kept = ''] = await server.monitors(tenant, 2);
    const one = (monitor_id: string) => ({ monitor_id, status: 'major_outage' });
    const template = await createTemplate({ monitors: [one(deleted), one(kept)] });
    await server.ask(`/v1/monitors/${deleted}`, { method: 'DELETE', key: tenant.key });
    const changed = (await ask('GET', `/${template.id}`)).body.data;
    expect(changed.monitors).toEqual([one(kept)]);
    expect(changed.updated_at > template.updated_at).toBe(true);
    const { incident } = await createIncident({ template_id: template.id });
    expect(incident.monitors).toEqual([one(kept)]);
  });

  it('returns 400 if all monitors of the template were deleted, unless the body limits where the incident appears', async () => {
    const [deleted = ''] = await server.monitors(tenant, 1);
    const monitors = [{ monitor_id: deleted, status: 'major_outage' }];
    const { id: template_id } = await createTemplate({ monitors });
    await server.ask(`/v1/monitors/${deleted}`, { method: 'DELETE', key: tenant.key });
    expectProblem(await askIncident({ template_id }), 400, 'validation_failed', {
      code: 'unknown_monitor',
      pointer: '#/template_id',
    });
    for (const sent of [{ monitors: [] }, { status_page_ids: [] }])
      expect((await askIncident({ template_id, ...sent })).status).toBe(201);
    await ask('PATCH', `/${template_id}`, { monitors: [] });
    expect((await askIncident({ template_id })).status).toBe(201);
  });

  it('returns 400 for a template of another project, another organization, and an unknown one', async () => {
    const other = await server.tenant();
    const foreign = await server.ask<One<IncidentTemplate>>('/v1/incident-templates', {
      method: 'POST',
      key: other.key,
      json: { project_id: other.project_id, ...VALUES },
    });
    const project = await server.ask<One<{ id: string }>>('/v1/projects', {
      method: 'POST',
      key: tenant.key,
      json: { name: 'Other' },
    });
    const { id: elsewhere } = await createTemplate({ project_id: project.body.data.id });
    for (const template_id of [foreign.body.data.id, elsewhere, UNKNOWN_ID])
      expectProblem(await askIncident({ template_id }), 400, 'validation_failed', {
        code: 'unknown_incident_template',
        pointer: '#/template_id',
      });
  });

  it('requires a title only without a template, and reports it with the other errors', async () => {
    expectProblem(
      await askIncident({ status: 'gone' }),
      400,
      'validation_failed',
      { code: 'required', pointer: '#/title' },
      { code: 'invalid_format', pointer: '#/status' },
    );
    const { id: template_id } = await createTemplate();
    expectProblem(await askIncident({ template_id, title: null }), 400, 'validation_failed', {
      code: 'invalid_type',
      pointer: '#/title',
    });
  });
});
