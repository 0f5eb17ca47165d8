import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { hiddenIn, type Person, type Shown, useConsole } from './use-console.js';

const PATH = '/manage/subscribers';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let editor: Person;
let page: string;
beforeAll(async () => {
  editor = await person(tenant, 'editor');
  page = (await server.page(tenant)).id;
});

const errorOf = ({ text }: Shown, field: string) =>
  new RegExp(`<p class="error" id="${field}-error">([^<]*)</p>`).exec(text)?.[1];

const rows = async (email: string) =>
  server.sql<{ id: string; status: string; source: string }[]>(
    'SELECT id, status, source FROM subscribers WHERE status_page_id = $1 AND email = $2',
    [page, email],
  );

async function add(email: string): Promise<Shown> {
  const sent = { ...hiddenIn(await editor.get(`${PATH}?page=${page}`)), email, confirmed: 'on' };
  await editor.post(PATH, sent);
  return editor.post(PATH, sent);
}

describe('subscribers', () => {
  it('adds a subscriber once, finds the whole address, and removes it after a question', async () => {
    const { status, headers } = await add('grace@example.com');
    expect([status, headers.get('location')]).toEqual([303, `${PATH}?page=${page}&done=added`]);
    const [subscriber] = await rows('grace@example.com');
    expect(subscriber).toMatchObject({ status: 'active', source: 'api' });
    const search = (email: string) => editor.get(`${PATH}?${new URLSearchParams({ page, email })}`);
    expect((await search('GRACE@example.com')).text).toContain('grace@example.com</bdi>');
    expect((await search('ada@example.com')).text).toContain('no subscriber with exactly this address');
    const path = `${PATH}/${subscriber?.id}/delete`;
    const question = await editor.get(path);
    expect(question.text).toContain('Remove grace@example.com?');
    expect((await editor.post(path, hiddenIn(question))).status).toBe(200);
    expect((await editor.post(path, { ...hiddenIn(question), step: 'delete' })).status).toBe(303);
    expect(await rows('grace@example.com')).toEqual([]);
  });

  it('show what is wrong with an address at its field', async () => {
    const wrong = await add('nobody');
    expect([wrong.status, errorOf(wrong, 'email')]).toEqual([400, expect.stringMatching(/^Email address /)]);
    await add('taken@example.com');
    const shown = hiddenIn(await editor.get(`${PATH}?page=${page}`));
    const taken = await editor.post(PATH, { ...shown, email: 'taken@example.com' });
    expect([taken.status, errorOf(taken, 'email')]).toEqual([400, expect.stringContaining('already used')]);
  });

  it('imports once, after a report', async () => {
    const shown = await editor.get(`${PATH}/import?page=${page}`);
    const csv = 'email,plan\r\none@example.com,a\r\ntwo@example.com,b\r\none@example.com,a\r\n';
    const report = await editor.post(`${PATH}/import`, { ...hiddenIn(shown), csv, confirmed: 'on' });
    expect(report.status).toBe(200);
    for (const text of ['2 new subscribers', '1 repeated line', 'not read: plan'])
      expect(report.text).toContain(text);
    expect(await rows('one@example.com')).toEqual([]);
    const sent = { ...hiddenIn(report), step: 'publish' };
    for (const _ of [1, 2])
      expect((await editor.post(`${PATH}/import`, sent)).headers.get('location')).toBe(
        `${PATH}?page=${page}&imported=2`,
      );
    expect(await rows('two@example.com')).toEqual([
      expect.objectContaining({ status: 'active', source: 'import' }),
    ]);
  });

  it('show the wrong lines of an import, and import nothing', async () => {
    const shown = hiddenIn(await editor.get(`${PATH}/import?page=${page}`));
    const csv = 'email\r\nfine@example.com\r\nwrong\r\n';
    const wrong = await editor.post(`${PATH}/import`, { ...shown, csv, step: 'publish' });
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('Line 3 is not an email address'),
    ]);
    expect(wrong.text).toContain('fine@example.com');
    expect(await rows('fine@example.com')).toEqual([]);
    const empty = await editor.post(`${PATH}/import`, shown);
    expect([empty.status, errorOf(empty, 'csv')]).toEqual([400, 'Addresses is missing.']);
  });

  it('exports a file that no spreadsheet runs', async () => {
    await add('=1+1@example.com');
    const { text, headers } = await editor.get(`${PATH}/export?page=${page}`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="subscribers-[\w-]+\.csv"$/);
    expect(text).toMatch(/^email,status,source,confirmed_at,created_at\r\n/);
    expect(text).toContain("\r\n'=1+1@example.com,active,api,");
  });

  it('shows subscribers in steps of at most 30 kB, and exports all', async () => {
    const large = (await server.page(tenant)).id;
    await server.sql(
      `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, detail, maintenances, source, confirmed_at, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, $3, repeat('x', 60) || i || '@example.com', repeat('x', 60) || i || '@example.com', 'active', 'all', true, 'api', now(), now() + i * interval '1 ms', now()
         FROM generate_series(1, 520) i`,
      [tenant.organization_id, tenant.project_id, large],
    );
    let path: string | undefined = `${PATH}?page=${large}`;
    let count = 0;
    for (let index = 0; path !== undefined && index < 3; index++) {
      const { text } = await editor.get(path);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30_000);
      count += text.split('<li class="row plain entry">').length - 1;
      path = /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(count).toBe(150);
    expect((await editor.get(`${PATH}/export?page=${large}`)).text.split('\r\n').length).toBe(522);
  });

  it('hides subscribers of other organizations', async () => {
    const other = await server.tenant();
    const foreign = (await server.page(other)).id;
    const json = { status_page_id: foreign, email: 'secret@example.com', confirmed: true };
    const { body } = await server.ask('/v1/subscribers', { method: 'POST', key: other.key, json });
    for (const path of [
      `?page=${foreign}`,
      `/export?page=${foreign}`,
      `/import?page=${foreign}`,
      `/${body.data.id}/delete`,
    ])
      expect([path, (await editor.get(PATH + path)).status]).toEqual([path, 404]);
    for (const path of ['', '/import', `/${body.data.id}/delete`]) {
      const sent = { page: foreign, email: 'x@example.com', csv: 'email\nx@example.com', step: 'delete' };
      expect([path, (await editor.post(PATH + path, sent)).status]).toEqual([path, 404]);
    }
  });

  it('show no form to members who cannot change them', async () => {
    const { status, text } = await (await person(tenant, 'responder')).get(`${PATH}?page=${page}`);
    expect(status).toBe(200);
    expect(text).not.toMatch(/method="post" action="\/manage\/subscribers|\/import|\/delete"/);
  });
});
