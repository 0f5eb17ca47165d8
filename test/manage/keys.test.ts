import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { type Fields, hiddenIn, type Person, type Shown, useConsole } from './use-console.js';

const PATH = '/manage/keys';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let admin: Person;
beforeAll(async () => {
  admin = await person(tenant, 'admin');
});

const errorOf = ({ text }: Shown, field: string) =>
  new RegExp(`<p class="error" id="${field}-error">([^<]*)</p>`).exec(text)?.[1];

const secretIn = ({ text }: Shown) => /value="(sp_\w{46})"/.exec(text)?.[1];

const idIn = ({ text }: Shown) => /\/manage\/keys\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '';

const values = (fields: Fields = {}) => ({
  name: 'Deployment',
  scopes: ['monitors:read'],
  projects: 'all',
  expires_at: '',
  ...fields,
});

async function create(by: Person, fields: Fields = {}): Promise<Shown> {
  return by.post(PATH, { ...hiddenIn(await by.get(`${PATH}/new`)), ...values(fields) });
}

const statusWith = async (key = '') =>
  (await server.ask(`/v1/monitors?project_id=${tenant.project_id}`, { key })).status;

describe('an API key', () => {
  it('shows a new key once, which works and is not stored', async () => {
    const sent = { ...hiddenIn(await admin.get(`${PATH}/new`)), ...values() };
    const created = await admin.post(PATH, sent);
    const key = secretIn(created);
    expect([created.status, await statusWith(key)]).toEqual([200, 200]);
    const again = await admin.post(PATH, sent);
    expect([again.status, again.headers.get('location')]).toEqual([
      303,
      `${PATH}/${idIn(created)}?done=repeated`,
    ]);
    for (const path of [PATH, `${PATH}/${idIn(created)}?done=repeated`])
      expect((await admin.get(path)).text).not.toContain(key);
    const [stored] = await server.sql<{ found: boolean }[]>(
      'SELECT bool_or(position($1 in body) > 0) AS found FROM idempotency_keys',
      [key],
    );
    expect(stored?.found).not.toBe(true);
    const events = await server.sql<{ via: string; actor_id: string }[]>(
      "SELECT via, actor_id FROM events WHERE resource_id = $1 AND type = 'api_key.created'",
      [idIn(created)],
    );
    expect(events).toEqual([{ via: 'console', actor_id: admin.id }]);
  });

  it('gets only projects of the member who creates it', async () => {
    const restricted = await person(tenant, 'admin', [tenant.project_id]);
    expect((await restricted.get(`${PATH}/new`)).text).not.toContain('All projects');
    const hidden = await server.project(tenant.organization_id);
    const beyond: Fields[] = [{ projects: 'all' }, { projects: 'some', project_ids: [hidden] }];
    for (const fields of beyond) {
      const shown = await create(restricted, fields);
      expect([shown.status, errorOf(shown, 'project_ids')]).toEqual([
        400,
        expect.stringMatching(/^Projects /),
      ]);
    }
    const own = await create(restricted, { projects: 'some', project_ids: [tenant.project_id] });
    expect(await statusWith(secretIn(own))).toBe(200);
    const other = idIn(await create(admin));
    for (const path of [`${PATH}/${other}`, `${PATH}/${other}/revoke`])
      expect((await restricted.get(path)).status).toBe(404);
    expect((await restricted.post(`${PATH}/${other}/rotate`)).status).toBe(404);
  });

  it('shows what is wrong at its field, and keeps the rest', async () => {
    const wrong = await create(admin, {
      name: '',
      scopes: [],
      projects: 'some',
      expires_at: '2020-01-01T00:00',
    });
    expect(wrong.status).toBe(400);
    for (const field of ['name', 'scopes', 'project_ids', 'expires_at'])
      expect([field, errorOf(wrong, field)]).toEqual([field, expect.stringMatching(/^\w/)]);
    expect(wrong.text).toContain('value="2020-01-01T00:00"');
  });

  it('rotates, and shows the new one once', async () => {
    const created = await create(admin);
    const path = `${PATH}/${idIn(created)}`;
    const sent = { ...hiddenIn(await admin.get(path)), overlap_seconds: '0' };
    const rotated = await admin.post(`${path}/rotate`, sent);
    expect([
      rotated.status,
      await statusWith(secretIn(rotated)),
      await statusWith(secretIn(created)),
    ]).toEqual([200, 200, 401]);
    expect((await admin.post(`${path}/rotate`, sent)).status).toBe(303);
    const late = await admin.post(`${path}/rotate`, {
      ...hiddenIn(await admin.get(`${PATH}/new`)),
      overlap_seconds: '0',
    });
    expect([late.status, late.text]).toEqual([400, expect.stringContaining('already rotated')]);
  });

  it('revokes a key after a question', async () => {
    const created = await create(admin, { name: 'Old' });
    const path = `${PATH}/${idIn(created)}/revoke`;
    const question = await admin.get(path);
    expect(question.text).toContain('Revoke Old?');
    expect((await admin.post(path, hiddenIn(question))).status).toBe(200);
    expect(await statusWith(secretIn(created))).toBe(200);
    expect((await admin.post(path, { ...hiddenIn(question), step: 'delete' })).status).toBe(303);
    expect(await statusWith(secretIn(created))).toBe(401);
  });

  it('shows no form to members who cannot change it', async () => {
    const id = idIn(await create(admin));
    const viewer = await person(tenant, 'viewer');
    for (const path of [PATH, `${PATH}/${id}`]) {
      const { status, text } = await viewer.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/action="\/manage\/keys|\/keys\/new|\/revoke"/);
    }
  });
});
