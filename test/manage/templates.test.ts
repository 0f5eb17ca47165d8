import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { type Fields, hiddenIn, type Person, type Shown, useConsole } from './use-console.js';

const PATH = '/manage/templates';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let responder: Person;
beforeAll(async () => {
  responder = await person(tenant, 'responder');
});

const errorOf = ({ text }: Shown, field: string) =>
  new RegExp(`<p class="error" id="${field}-error">([^<]*)</p>`).exec(text)?.[1];

const values = (fields: Fields = {}) => ({
  name: 'Database',
  title: 'The database fails',
  body: 'We look.',
  status: 'identified',
  ...fields,
});

const templates = async (name: string) =>
  server.sql<{ id: string; title: string; body: string | null; status: string; monitors: unknown }[]>(
    'SELECT id, title, body, status FROM incident_templates WHERE project_id = $1 AND name = $2',
    [tenant.project_id, name],
  );

async function create(name: string, fields: Fields = {}): Promise<string> {
  const shown = await responder.get(`${PATH}/new?project=${tenant.project_id}`);
  const { status } = await responder.post(PATH, { ...hiddenIn(shown), ...values({ name, ...fields }) });
  expect(status).toBe(303);
  return (await templates(name))[0]?.id ?? '';
}

describe('a template', () => {
  it('creates a template once, also if the form is sent twice, and fills the form of an incident', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const shown = await responder.get(`${PATH}/new?project=${tenant.project_id}`);
    const sent = { ...hiddenIn(shown), ...values({ name: 'Once', [`monitor.${monitor}`]: 'major_outage' }) };
    for (const _ of [1, 2]) expect((await responder.post(PATH, sent)).status).toBe(303);
    const found = await templates('Once');
    expect(found).toEqual([expect.objectContaining({ title: 'The database fails', status: 'identified' })]);
    expect((await responder.get(`${PATH}?done=saved`)).text).toContain('>Once</bdi>');
    const path = `/manage/incidents/new?project=${tenant.project_id}&template=${found[0]?.id}`;
    expect((await responder.get(path)).text).toContain('value="The database fails"');
    expect((await responder.get(`${PATH}/${found[0]?.id}`)).text).toMatch(
      new RegExp(`name="monitor.${monitor}" value="major_outage" checked`),
    );
  });

  it('shows what is wrong at its field, and keeps the rest', async () => {
    const shown = await responder.get(`${PATH}/new?project=${tenant.project_id}`);
    const wrong = await responder.post(PATH, { ...hiddenIn(shown), ...values({ name: '', status: 'x' }) });
    expect(wrong.status).toBe(400);
    for (const field of ['name', 'status'])
      expect([field, errorOf(wrong, field)]).toEqual([field, expect.stringMatching(/^\w/)]);
    expect(wrong.text).toContain('value="The database fails"');
  });

  it("shows another member's change, and overwrites nothing", async () => {
    const id = await create('Stale');
    const opened = hiddenIn(await responder.get(`${PATH}/${id}`));
    const change = (title: string) =>
      responder.post(`${PATH}/${id}`, { ...opened, ...values({ name: 'Stale', title }) });
    expect((await change('By Sam')).status).toBe(303);
    const key = '00000000-0000-4000-8000-000000000001';
    const sent = { ...opened, ...values({ name: 'Stale', title: 'By Pat' }), key };
    const shown = await responder.post(`${PATH}/${id}`, sent);
    expect([shown.status, shown.text]).toEqual([409, expect.stringContaining('has changed this since')]);
    for (const title of ['By Sam', 'By Pat']) expect(shown.text).toContain(title);
    const deletion = await responder.post(`${PATH}/${id}/delete`, { ...opened, step: 'delete' });
    expect(deletion.status).toBe(409);
    expect(await templates('Stale')).toEqual([expect.objectContaining({ title: 'By Sam' })]);
  });

  it('deletes after a question', async () => {
    const id = await create('Gone');
    const question = await responder.get(`${PATH}/${id}/delete`);
    expect(question.text).toContain('Delete the template Gone?');
    const path = `${PATH}/${id}/delete`;
    expect((await responder.post(path, hiddenIn(question))).status).toBe(200);
    expect((await responder.post(path, { ...hiddenIn(question), step: 'delete' })).status).toBe(303);
    expect(await templates('Gone')).toEqual([]);
  });

  it('stays while a monitor makes drafts from it, which the question names', async () => {
    const draft_template_id = await create('Needed');
    const [monitor = ''] = await server.monitors(tenant, 1);
    const json = { name: 'Payments <EU>', draft_template_id };
    await server.ask(`/v1/monitors/${monitor}`, { method: 'PATCH', key: tenant.key, json });
    const path = `${PATH}/${draft_template_id}/delete`;
    const question = await responder.get(path);
    const { status, text } = await responder.post(path, { ...hiddenIn(question), step: 'delete' });
    expect([status, text]).toEqual([
      400,
      expect.stringContaining('The monitor “Payments &lt;EU>” makes drafts'),
    ]);
    expect(text).not.toContain(monitor);
    expect(await templates('Needed')).toHaveLength(1);
  });

  it('shows no form to members who cannot change it', async () => {
    const id = await create('Read');
    const viewer = await person(tenant, 'viewer');
    for (const path of [PATH, `${PATH}/${id}`]) {
      const { status, text } = await viewer.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/action="\/manage\/templates|\/templates\/new|\/delete"/);
    }
  });
});
