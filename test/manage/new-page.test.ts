import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { type Person, useConsole } from './use-console.js';
import { errorOf, leadsTo, save } from './use-pages.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let editor: Person;
beforeAll(async () => {
  editor = await person(tenant, 'editor');
});

const pagesOf = async () => (await server.list(tenant)).body.data.map(({ name, slug }) => ({ name, slug }));

describe('the form of a new page', () => {
  it('creates a page once, which has an address, and leads to its sections', async () => {
    const name = `Acme ${randomUUID().slice(-6)}`;
    const key = randomUUID();
    const [status, path] = leadsTo(
      await editor.post('/manage/pages', { key, name, project_id: tenant.project_id }),
    );
    expect([status, path]).toEqual([303, expect.stringMatching(/^\/manage\/pages\/[\da-f-]{36}\/sections$/)]);
    await editor.post('/manage/pages', { key, name, project_id: tenant.project_id });
    expect(await pagesOf()).toEqual([{ name, slug: name.toLowerCase().replace(' ', '-') }]);
    expect((await editor.get(String(path))).text).toContain('Add a section');
  });

  it('asks for the project if there are several, and shows errors at the fields', async () => {
    expect((await editor.get('/manage/pages')).text).toMatch(
      /<input type="hidden" name="project_id" value="/,
    );
    await server.project(tenant.organization_id);
    expect((await editor.get('/manage/pages')).text).toContain('<input type="radio" name="project_id"');
    const missing = await save(editor, '/manage/pages', { name: '' });
    expect([missing.status, errorOf(missing, 'name'), errorOf(missing, 'project_id')]).toEqual([
      400,
      'Name is missing.',
      'Project is missing.',
    ]);
  });

  it('creates a page that stays private until it is ready', async () => {
    const name = `Acme ${randomUUID().slice(-6)}`;
    const { project_id } = tenant;
    expect((await editor.get('/manage/pages')).text).toContain('Private until it is ready');
    const created = await save(editor, '/manage/pages', { name, project_id, is_public: 'false' });
    expect(created.status).toBe(303);
    expect((await server.list(tenant)).body.data.find((page) => page.name === name)?.is_public).toBe(false);
    const again = await save(editor, '/manage/pages', { name: '', project_id, is_public: 'false' });
    expect(again.text).toContain('name="is_public" value="false" checked');
  });

  it('edits by the button of the list, and opens by a link', async () => {
    const { id, name, slug } = await server.page(tenant);
    const { text } = await editor.get('/manage/pages');
    expect(text).toContain(
      `<a class="button small" href="/manage/pages/${id}" aria-label="Edit ${name}">Edit</a>`,
    );
    expect(text).toMatch(new RegExp(`<a class="open" href="[^"]*/status/${slug}"`));
    const reader = await (await person(tenant, 'viewer')).get('/manage/pages');
    expect([reader.text.includes('>Edit</a>'), reader.text.includes('class="open"')]).toEqual([false, true]);
  });

  it('leads to a preview while the page is private, because its address shows nothing', async () => {
    const { id, name, slug } = await server.page(tenant, { is_public: false });
    const preview = `href="/manage/pages/${id}/preview"`;
    const { text } = await editor.get('/manage/pages');
    expect(text).toContain(`<a class="open" ${preview} aria-label="Preview ${name}">Preview</a>`);
    const saved = (await editor.get(`/manage/pages/${id}?done=saved`)).text;
    expect([saved.includes(preview), saved.includes(`/status/${slug}"`)]).toEqual([true, false]);
    expect(saved).toContain('Saved. The page is still private.');
  });

  it('remains hidden from members who may not create pages', async () => {
    const responder = await person(tenant, 'responder');
    expect((await responder.get('/manage/pages')).text).not.toContain('Add a page');
    const refused = await responder.post('/manage/pages', { name: 'No', project_id: tenant.project_id });
    expect(refused.status).toBe(403);
  });
});
