import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { type Fields, hiddenIn, type Person, type Shown, useConsole } from './use-console.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let editor: Person;
beforeAll(async () => {
  editor = await person(tenant, 'editor');
});

const errorOf = ({ text }: Shown, field: string) =>
  new RegExp(`<p class="error" id="${field}-error">([^<]*)</p>`).exec(text)?.[1];

async function newMonitor(name = 'API'): Promise<string> {
  const json = { project_id: tenant.project_id, name };
  const { body } = await server.ask('/v1/monitors', { method: 'POST', key: tenant.key, json });
  return body.data.id;
}

const read = async (id: string) => (await server.ask(`/v1/monitors/${id}`, { key: tenant.key })).body.data;

const values = (fields: Fields = {}) => ({
  name: 'Web API',
  description: 'For all.',
  key_name: '',
  stale_after_seconds: '',
  ...fields,
});

/** Sends the form of a monitor with its version, and the given changes. */
async function save(by: Person, id: string, fields: Fields = {}): Promise<Shown> {
  const path = `/manage/monitors/${id}`;
  return by.post(path, { ...hiddenIn(await by.get(path)), ...values(fields) });
}

describe('a monitor', () => {
  it('gets another name, key, description and time until it is unknown', async () => {
    const id = await newMonitor();
    const { status, headers } = await save(editor, id, { key_name: 'web', stale_after_seconds: '300' });
    expect([status, headers.get('location')]).toEqual([303, `/manage/monitors/${id}?done=saved`]);
    const changed = { name: 'Web API', description: 'For all.', key: 'web', stale_after_seconds: 300 };
    expect(await read(id)).toMatchObject(changed);
    expect((await editor.get(`/manage/monitors/${id}?done=saved`)).text).toContain('Saved.');
    await save(editor, id);
    expect(await read(id)).toMatchObject({ key: null, stale_after_seconds: null });
  });

  it('shows what is wrong at its field, and keeps the rest', async () => {
    const [id] = [await newMonitor(), await save(editor, await newMonitor(), { key_name: 'taken' })];
    const wrong = await save(editor, id, { name: '', key_name: 'No key', stale_after_seconds: '5 minutes' });
    expect(wrong.status).toBe(400);
    for (const field of ['name', 'key_name', 'stale_after_seconds'])
      expect([field, errorOf(wrong, field)]).toEqual([field, expect.stringMatching(/^\w/)]);
    expect(wrong.text).toContain('value="5 minutes"');
    const taken = await save(editor, id, { key_name: 'taken' });
    expect([taken.status, errorOf(taken, 'key_name')]).toEqual([
      400,
      'Short name is already used. Choose another one.',
    ]);
  });

  it("shows another member's change, and overwrites nothing", async () => {
    const id = await newMonitor();
    const opened = hiddenIn(await editor.get(`/manage/monitors/${id}`));
    await save(await person(tenant, 'admin'), id, { name: 'By Sam' });
    const shown = await editor.post(`/manage/monitors/${id}`, { ...opened, ...values({ name: 'By Pat' }) });
    expect([shown.status, shown.text]).toEqual([
      409,
      expect.stringContaining('Pat &lt;admin> has changed this since you opened it'),
    ]);
    for (const name of ['By Sam', 'By Pat']) expect(shown.text).toContain(name);
    const deletion = await editor.post(`/manage/monitors/${id}/delete`, { ...opened, step: 'delete' });
    expect([deletion.status, deletion.text]).toEqual([
      409,
      expect.stringContaining('Nothing has been deleted'),
    ]);
    expect((await read(id)).name).toBe('By Sam');
  });

  it('changes once, also if the form is sent twice', async () => {
    const id = await newMonitor();
    const sent = { ...hiddenIn(await editor.get(`/manage/monitors/${id}`)), ...values() };
    for (const _ of [1, 2]) expect((await editor.post(`/manage/monitors/${id}`, sent)).status).toBe(303);
    const events = await server.sql<unknown[]>(
      "SELECT FROM events WHERE resource_id = $1 AND type = 'monitor.updated' AND via = 'console'",
      [id],
    );
    expect(events.length).toBe(1);
  });

  it('deletes after a question', async () => {
    const id = await newMonitor('Old <b>');
    const path = `/manage/monitors/${id}/delete`;
    const question = await editor.get(path);
    expect(question.text).toContain('Delete Old &lt;b>?');
    expect((await editor.post(path, hiddenIn(question))).status).toBe(200);
    expect((await read(id)).id).toBe(id);
    const { status, headers } = await editor.post(path, { ...hiddenIn(question), step: 'delete' });
    expect([status, headers.get('location')]).toEqual([
      303,
      `/manage/monitors?project=${tenant.project_id}&done=deleted`,
    ]);
    expect((await editor.get(`/manage/monitors/${id}`)).status).toBe(404);
  });

  it('shows no form to members who cannot change it', async () => {
    const id = await newMonitor();
    const { status, text } = await (await person(tenant, 'responder')).get(`/manage/monitors/${id}`);
    expect([status, text]).toEqual([200, expect.stringContaining(id)]);
    expect(text).not.toMatch(/action="\/manage\/monitors|\/delete"/);
  });
});
