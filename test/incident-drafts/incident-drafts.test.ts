import { describe, expect, it } from 'vitest';
import type { Incident, IncidentDraft, IncidentUpdate } from '../../clients/typescript/src/index.js';
import { expectProblem } from '../support/expectations.js';
import type { ListPage, One } from '../support/server.js';
import { UNKNOWN_ID, useResource } from '../support/use-resource.js';

const { server, tenant, ask } = useResource<IncidentDraft>('/v1/incident-drafts');

const TITLE = 'The API is unavailable';

async function createDraft(fields: object = {}): Promise<IncidentDraft> {
  const { status, body } = await ask('POST', '', { project_id: tenant.project_id, title: TITLE, ...fields });
  expect(status).toBe(201);
  return body.data;
}

const publish = (id: string, fields: object = {}, headers: Record<string, string> = {}) =>
  ask<One<Incident>>('POST', `/${id}/publish`, fields, headers);

const incidents = async (): Promise<string[]> => {
  const path = `/v1/incidents?project_id=${tenant.project_id}`;
  return (await server.ask<ListPage<Incident>>(path, { key: tenant.key })).body.data.map(
    ({ title }) => title,
  );
};

describe('POST /v1/incident-drafts', () => {
  it('creates a draft without text and monitors by default', async () => {
    expect(await createDraft()).toMatchObject({
      title: TITLE,
      body: null,
      status: 'investigating',
      monitors: [],
      monitor_id: null,
    });
  });

  it('takes omitted fields from a template', async () => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const values = { title: 'Prepared', body: 'Text', status: 'identified' };
    const monitors = [{ monitor_id, status: 'partial_outage' }];
    const { body } = await server.ask<One<{ id: string }>>('/v1/incident-templates', {
      method: 'POST',
      key: tenant.key,
      json: { project_id: tenant.project_id, name: 'Template', ...values, monitors },
    });
    const template_id = body.data.id;
    expect(await createDraft({ template_id, title: undefined })).toMatchObject({ ...values, monitors });
    expect(await createDraft({ template_id, body: 'Own', monitors: [] })).toMatchObject({
      title: TITLE,
      body: 'Own',
      monitors: [],
    });
  });

  it('returns 400 without a title, and for an unknown template or monitor', async () => {
    const { project_id } = tenant;
    const [foreign = ''] = await server.monitors(await server.tenant(), 1);
    expectProblem(await ask('POST', '', { project_id }), 400, 'validation_failed');
    for (const fields of [
      { template_id: UNKNOWN_ID },
      { monitor_id: foreign },
      { monitors: [{ monitor_id: foreign, status: 'major_outage' }] },
    ])
      expectProblem(await ask('POST', '', { project_id, title: TITLE, ...fields }), 400, 'validation_failed');
  });

  it('returns 409 for a monitor that has a draft', async () => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    await createDraft({ monitor_id });
    const again = await ask('POST', '', { project_id: tenant.project_id, title: TITLE, monitor_id });
    expectProblem(again, 409, 'conflict', { pointer: '#/monitor_id', code: 'taken' });
  });
});

describe('an incident draft', () => {
  it('changes nothing on the status page, and appears in no document of it', async () => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const sections = [{ id: 'core', title: 'Core', monitor_ids: [monitor_id] }];
    const { slug } = await server.page(tenant, { is_public: true, sections });
    const read = async (part: string): Promise<string> =>
      (await fetch(`${server.url}/status/${slug}${part}`)).text();
    const documents = ['/api/v2/summary.json', '/feed.json', '/api/v2/incidents.json'];
    const before = await Promise.all(documents.map(read));
    await createDraft({
      title: 'Secret draft',
      monitor_id,
      monitors: [{ monitor_id, status: 'major_outage' }],
    });
    expect(await Promise.all(documents.map(read))).toEqual(before);
    for (const part of ['', '/history', '/feed.rss', `/monitors/${monitor_id}`])
      expect(await read(part)).not.toContain('Secret draft');
  });

  it('disappears with the monitor that it is about, and loses other deleted monitors', async () => {
    const [about = '', other = ''] = await server.monitors(tenant, 2);
    const remove = (id: string) => server.ask(`/v1/monitors/${id}`, { method: 'DELETE', key: tenant.key });
    const { id } = await createDraft({
      monitor_id: about,
      monitors: [{ monitor_id: other, status: 'major_outage' }],
    });
    await remove(other);
    expect((await ask('GET', `/${id}`)).body.data.monitors).toEqual([]);
    await remove(about);
    expectProblem(await ask('GET', `/${id}`), 404, 'not_found');
  });
});

describe('POST /v1/incident-drafts/{id}/publish', () => {
  it('creates the incident of the draft, and deletes the draft', async () => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const monitors = [{ monitor_id, status: 'partial_outage' }];
    const { id } = await createDraft({ title: 'Published', body: 'Text', status: 'identified', monitors });
    const { status, headers, body } = await publish(id);
    expect(status).toBe(201);
    expect(headers.get('Location')).toBe(`/v1/incidents/${body.data.id}`);
    expect(body.data).toMatchObject({ title: 'Published', status: 'identified', impact: 'major', monitors });
    const path = `/v1/incidents/${body.data.id}/updates`;
    const updates = await server.ask<ListPage<IncidentUpdate>>(path, { key: tenant.key });
    expect(updates.body.data).toMatchObject([{ status: 'identified', body: 'Text', monitors }]);
    expectProblem(await ask('GET', `/${id}`), 404, 'not_found');
    expectProblem(await publish(id), 404, 'not_found');
  });

  it('prefers the fields of the request to the fields of the draft', async () => {
    const { id } = await createDraft({ body: 'Draft' });
    const { body } = await publish(id, {
      title: 'Other title',
      impact: 'minor',
      started_at: '2026-01-01T00:00:00.000Z',
    });
    expect(body.data).toMatchObject({
      title: 'Other title',
      impact: 'minor',
      started_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it('publishes a draft once if several requests publish it concurrently', async () => {
    const { id } = await createDraft({ title: 'Only once' });
    const answers = await Promise.all([publish(id), publish(id), publish(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404, 404]);
    expect((await incidents()).filter((title) => title === 'Only once')).toHaveLength(1);
  });

  it('returns 412 if the draft has another version, and creates no incident', async () => {
    const { id } = await createDraft({ title: 'Read before' });
    const etag = (await ask('GET', `/${id}`)).headers.get('ETag') ?? '';
    await ask('PATCH', `/${id}`, { title: 'Changed since' });
    expectProblem(await publish(id, {}, { 'If-Match': etag }), 412, 'precondition_failed');
    expect(await incidents()).not.toContain('Read before');
    expect(await incidents()).not.toContain('Changed since');
  });

  it('requires monitors or status pages if all monitors of the draft were deleted', async () => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const { id } = await createDraft({ monitors: [{ monitor_id, status: 'major_outage' }] });
    await server.ask(`/v1/monitors/${monitor_id}`, { method: 'DELETE', key: tenant.key });
    expectProblem(await publish(id), 400, 'validation_failed', {
      pointer: '#/monitors',
      code: 'unknown_monitor',
    });
    expect((await publish(id, { monitors: [] })).status).toBe(201);
  });
});
