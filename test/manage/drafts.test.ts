import { describe, expect, it } from 'vitest';
import type { Incident, IncidentDraft, IncidentUpdate } from '../../clients/typescript/src/index.js';
import { type ListPage, type One, useTenant, useTestServer } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { type Fields, hiddenIn, type Shown, useConsole } from './use-console.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

const send = async <Data>(method: string, path: string, fields?: object): Promise<Data> => {
  const json = fields && { project_id: tenant.project_id, ...fields };
  return (await server.ask<One<Data>>(path, { method, key: tenant.key, json })).body.data;
};

/** A draft about a monitor that is named in its title. */
async function draftOf(title: string, fields: object = {}): Promise<IncidentDraft> {
  const [monitor_id = ''] = await server.monitors(tenant, 1);
  const monitors = [{ monitor_id, status: 'partial_outage' }];
  return send('POST', '/v1/incident-drafts', { title, monitor_id, monitors, ...fields });
}

/** Hidden fields of a draft's form on the first screen. */
function formOf({ text }: Shown, id: string): Fields {
  const forms = text.split('<form ').filter((form) => form.includes(`name="draft_id" value="${id}"`));
  expect(forms).toHaveLength(1);
  return hiddenIn({ status: 200, headers: new Headers(), text: forms[0]?.split('</form>')[0] ?? '' });
}

const exists = async (id: string): Promise<boolean> =>
  (await server.ask(`/v1/incident-drafts/${id}`, { key: tenant.key })).status === 200;

const incidentsWith = async (title: string): Promise<Incident[]> => {
  const path = `/v1/incidents?project_id=${tenant.project_id}&limit=100`;
  const { body } = await server.ask<ListPage<Incident>>(path, { key: tenant.key });
  return body.data.filter((one) => one.title === title);
};

describe('a draft on the first screen', () => {
  it('becomes an incident by two taps: its review, and what the review shows', async () => {
    const { id, monitors } = await draftOf('Payments fail', { body: 'Cards are declined.' });
    const { get, post } = await person(tenant, 'responder');
    const now = await get('/manage');
    expect(now.text).toContain('Payments fail');
    expect(now.text).toMatch(/<button class="button plain" type="submit" name="step" value="review"/);
    expect(now.text).toMatch(/<p class="quiet">(?:Now|\d+ seconds? ago)/);
    const reviewed = await post('/manage/incidents', { ...formOf(now, id), step: 'review' });
    expect(reviewed.text).toContain('Cards are declined.');
    expect([await exists(id), await incidentsWith('Payments fail')]).toEqual([true, []]);
    const published = await post('/manage/incidents', { ...hiddenIn(reviewed), step: 'publish' });
    const [incident] = await incidentsWith('Payments fail');
    expect(published.headers.get('location')).toBe(`/manage/incidents/${incident?.id}?done=published`);
    expect(incident?.monitors).toEqual(monitors);
    expect(await exists(id)).toBe(false);
    expect((await get('/manage')).text).not.toContain(id);
  });

  it('can be changed before it is published, and an emptied text becomes the standard one', async () => {
    const { id } = await draftOf('Search fails', { body: 'A draft text.' });
    const { get, post } = await person(tenant, 'responder');
    const form = formOf(await get('/manage'), id);
    const changed = await post('/manage/incidents', { ...form, step: 'change' });
    expect(hiddenIn(changed)['draft_id']).toBe(id);
    const edited = { ...form, title: 'Search is slow', body: '' };
    const reviewed = await post('/manage/incidents', { ...edited, step: 'review' });
    await post('/manage/incidents', { ...hiddenIn(reviewed), step: 'publish' });
    const [incident] = await incidentsWith('Search is slow');
    const updates = await send<IncidentUpdate[]>('GET', `/v1/incidents/${incident?.id}/updates`);
    expect(updates[0]?.body).toBe('We are investigating this incident.');
    expect(await exists(id)).toBe(false);
  });

  it('publishes nothing if the monitor has recovered since, and keeps what was written', async () => {
    const { id, monitor_id } = await draftOf('Already over');
    await send('POST', '/v1/monitor-reports', { reports: [{ monitor_id, status: 'major_outage' }] });
    const { get, post } = await person(tenant, 'responder');
    const form = formOf(await get('/manage'), id);
    const reviewed = await post('/manage/incidents', { ...form, step: 'review' });
    await send('POST', '/v1/monitor-reports', { reports: [{ monitor_id, status: 'operational' }] });
    const late = await post('/manage/incidents', { ...hiddenIn(reviewed), step: 'publish' });
    expect([late.status, late.text.includes('The draft does not exist any more')]).toEqual([400, true]);
    expect(late.text).toContain('Already over');
    expect(hiddenIn(late)['draft_id']).toBeUndefined();
    expect(await incidentsWith('Already over')).toEqual([]);
  });

  it('disappears after a question, for members who can report incidents', async () => {
    const { id } = await draftOf('A false alarm');
    const { get, post } = await person(tenant, 'responder');
    expect((await get('/manage')).text).toContain(`/manage/drafts/${id}/delete`);
    const question = await get(`/manage/drafts/${id}/delete`);
    expect([question.text.includes('Discard A false alarm?'), await exists(id)]).toEqual([true, true]);
    const { headers } = await post(`/manage/drafts/${id}/delete`, { ...hiddenIn(question), step: 'delete' });
    expect([headers.get('location'), await exists(id)]).toEqual(['/manage', false]);
    const other = await draftOf('Only to read');
    const viewer = await person(tenant, 'viewer');
    const { text } = await viewer.get('/manage');
    expect([text.includes('Only to read'), text.includes(other.id)]).toEqual([true, false]);
    expect((await viewer.get(`/manage/drafts/${UNKNOWN_ID}/delete`)).status).toBe(403);
  });
});

describe('the form of a monitor', () => {
  it('chooses the template of its drafts', async () => {
    const [id = ''] = await server.monitors(tenant, 1);
    const template = { name: 'Outage of the API', title: 'The API fails' };
    const { id: draft_template_id } = await send<{ id: string }>('POST', '/v1/incident-templates', template);
    const { get, post } = await person(tenant, 'editor');
    const path = `/manage/monitors/${id}`;
    const form = await get(path);
    expect(form.text).toContain(`<option value="${draft_template_id}">Outage of the API</option>`);
    const fields = { ...hiddenIn(form), name: 'API', description: '', key_name: '', stale_after_seconds: '' };
    expect((await post(path, { ...fields, draft_template_id })).status).toBe(303);
    expect(await send('GET', `/v1/monitors/${id}`)).toMatchObject({ draft_template_id });
    const current = { ...fields, ...hiddenIn(await get(path)) };
    const unknown = await post(path, { ...current, draft_template_id: UNKNOWN_ID });
    expect([unknown.status, unknown.text.includes('no longer exists')]).toEqual([400, true]);
    await post(path, { ...fields, ...hiddenIn(await get(path)), draft_template_id: '' });
    expect(await send('GET', `/v1/monitors/${id}`)).toMatchObject({ draft_template_id: null });
  });
});
