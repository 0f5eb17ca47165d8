import { beforeAll, describe, expect, it } from 'vitest';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import { useTenant, useTestServer } from '../support/server.js';
import { type Fields, hiddenIn, type Person, useConsole } from './use-console.js';
import { errorOf, leadsTo, save, summaryOf } from './use-pages.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let editor: Person;
beforeAll(async () => {
  editor = await person(tenant, 'editor');
});

const read = async (id: string) =>
  (await server.ask<{ data: StatusPageDto }>(`/v1/status-pages/${id}`, { key: tenant.key })).body.data;

const settings = (fields: Fields): Fields => ({
  name: 'Acme',
  slug: 'acme',
  description: '',
  is_public: 'true',
  history_days: '90',
  show_history: 'on',
  ...fields,
});

describe('GET /manage/pages', () => {
  it('leads to the settings of each page, and to what visitors see', async () => {
    const { id, slug } = await server.page(tenant);
    const { text } = await editor.get('/manage/pages');
    expect(text).toContain(`href="/manage/pages/${id}"`);
    expect(text).toContain(`/status/${slug}"`);
  });
});

describe('the settings of a page', () => {
  it('shows the settings, and changes them by one revision', async () => {
    const { id, slug } = await server.page(tenant, { name: 'Before <i>', slug: 'before' });
    const path = `/manage/pages/${id}`;
    const shown = await editor.get(path);
    expect(shown.status).toBe(200);
    expect(shown.text).toMatch(new RegExp(`<input [^>]*name="slug"[^>]* value="${slug}"`));
    expect(shown.text).toContain('Before &lt;i>');
    expect(shown.text).toContain(`/status/${slug}"`);
    const changed = { name: 'After', slug: 'after', description: 'All of it', history_days: '30' };
    const saved = await save(editor, path, settings({ ...changed, is_public: 'false', rss_enabled: 'on' }));
    expect(leadsTo(saved)).toEqual([303, `${path}?done=saved`]);
    expect(await read(id)).toMatchObject({
      ...changed,
      history_days: 30,
      is_public: false,
      show_history: true,
      rss_enabled: true,
      show_powered_by: false,
      subscribe_enabled: false,
    });
    const revisions = await server.sql<{ operation: string }[]>(
      'SELECT operation FROM status_page_revisions WHERE status_page_id = $1 ORDER BY number',
      [id],
    );
    expect(revisions.map(({ operation }) => operation)).toEqual(['create', 'update_settings']);
    expect((await editor.get(`${path}?done=saved`)).text).toContain('Saved.');
  });

  it('saves once if the form is sent twice', async () => {
    const { id } = await server.page(tenant);
    const path = `/manage/pages/${id}`;
    const fields = { ...hiddenIn(await editor.get(path)), ...settings({ slug: `twice-${id}` }) };
    for (const _ of [1, 2])
      expect(leadsTo(await editor.post(path, fields))).toEqual([303, `${path}?done=saved`]);
  });

  it('show their errors at the fields', async () => {
    const { slug } = await server.page(tenant);
    const { id } = await server.page(tenant);
    const wrong = settings({ name: '', slug: 'Not a slug', history_days: '0' });
    const shown = await save(editor, `/manage/pages/${id}`, wrong);
    expect([shown.status, errorOf(shown, 'name')]).toEqual([400, 'Name is missing.']);
    expect(errorOf(shown, 'slug')).toMatch(/^Address /);
    expect(errorOf(shown, 'history_days')).toMatch(/^Days of history .*365/);
    expect(summaryOf(shown)).toContain('Name, Address, Days of history need your attention');
    const taken = await save(editor, `/manage/pages/${id}`, settings({ slug }));
    expect([taken.status, errorOf(taken, 'slug')]).toEqual([
      400,
      'Address is already used. Choose another one.',
    ]);
    expect((await read(id)).name).toBe('Page');
  });

  it("show another member's change beside one's own, and overwrite nothing", async () => {
    const { id } = await server.page(tenant);
    const path = `/manage/pages/${id}`;
    const { updated_at = '' } = hiddenIn(await editor.get(path));
    const slug = `stale-${id}`;
    await save(await person(tenant, 'editor'), path, settings({ name: 'By Sam', slug }));
    const stale = await save(
      editor,
      path,
      settings({ updated_at, name: 'By Pat', slug, is_public: 'false', show_history: [] }),
    );
    expect([stale.status, summaryOf(stale)]).toEqual([
      409,
      expect.stringContaining('Pat &lt;editor> has changed this since you opened it'),
    ]);
    for (const value of ['By Sam', 'By Pat', '>Everyone</blockquote>', '>Yes</blockquote>'])
      expect(stale.text).toContain(value);
    expect(await read(id)).toMatchObject({ name: 'By Sam', is_public: true });
    const { updated_at: current = '' } = hiddenIn(stale);
    await save(editor, path, settings({ updated_at: current, name: 'By Pat', slug }));
    expect((await read(id)).name).toBe('By Pat');
  });

  it('shows no form to members who may not change the settings', async () => {
    const { id } = await server.page(tenant, { description: 'For all' });
    const viewer = await person(tenant, 'viewer');
    const { status, text } = await viewer.get(`/manage/pages/${id}`);
    expect([status, text.includes(`action="/manage/pages/${id}"`)]).toEqual([200, false]);
    expect(text).toContain('For all');
    expect((await viewer.post(`/manage/pages/${id}`, settings({}))).status).toBe(403);
  });

  it('belong to the project of the member', async () => {
    const other = await server.tenant();
    const { id } = await server.page(other);
    expect((await editor.get(`/manage/pages/${id}`)).status).toBe(404);
    expect((await editor.post(`/manage/pages/${id}`, settings({}))).status).toBe(404);
  });
});
