import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessDto } from '../../src/access/dto/access.dto.js';
import { visitorsOf } from '../access/use-gate.js';
import { useTenant, useTestServer } from '../support/server.js';
import { type Fields, hiddenIn, type Person, useConsole } from './use-console.js';
import { errorOf, leadsTo, save, summaryOf } from './use-pages.js';

const server = useTestServer();
const tenant = useTenant(server);
const { ask, person } = useConsole(server);
const { visit, enter } = visitorsOf(() => server.url);

const PASSWORD = 'correct horse battery';

let editor: Person;
beforeAll(async () => {
  editor = await person(tenant, 'editor');
});

const accessOf = async (id: string) =>
  (await server.ask<{ data: AccessDto }>(`/v1/status-pages/${id}/access`, { key: tenant.key })).body.data;

const rules = (fields: Fields): Fields => ({
  password: '',
  emails: '',
  email_domains: '',
  networks: '',
  ...fields,
});

/** A private page, and the path of its access screen. */
async function privatePage() {
  const { id, slug } = await server.page(tenant, { is_public: false });
  return { id, slug, path: `/manage/pages/${id}/access` };
}

describe('the access to a page', () => {
  it('lets visitors in by a password that a member sets', async () => {
    const { id, slug, path } = await privatePage();
    const saved = await save(editor, path, rules({ password: PASSWORD }));
    expect(leadsTo(saved)).toEqual([303, `${path}?done=saved`]);
    expect((await accessOf(id)).has_password).toBe(true);
    expect((await visit(`/status/${slug}`)).status).toBe(403);
    expect((await enter(slug, PASSWORD)).status).toBe(303);
  });

  it('keeps the password if the field is empty, and removes it on request', async () => {
    const { id, path } = await privatePage();
    await save(editor, path, rules({ password: PASSWORD }));
    await save(editor, path, rules({ networks: '192.0.2.0/24' }));
    expect(await accessOf(id)).toMatchObject({ has_password: true, networks: ['192.0.2.0/24'] });
    const shown = await editor.get(path);
    expect(shown.text).toContain('There is a password.');
    expect(shown.text).not.toContain(PASSWORD);
    await save(editor, path, rules({ removes_password: 'on' }));
    expect(await accessOf(id)).toMatchObject({ has_password: false, networks: [] });
  });

  it('takes lists with one item in each line, and keeps the provider of OpenID Connect', async () => {
    const { id, path } = await privatePage();
    const oidc = {
      issuer: 'https://login.acme.example',
      client_id: 'status',
      email_domains: ['acme.example'],
    };
    const json = { oidc: { ...oidc, client_secret: 'hidden' } };
    await server.ask(`/v1/status-pages/${id}/access`, { method: 'PUT', key: tenant.key, json });
    const emails = ' jane@acme.example\r\nsam@acme.example,\r\n\r\njane@acme.example';
    await save(editor, path, rules({ emails, email_domains: 'acme.example' }));
    expect(await accessOf(id)).toMatchObject({
      emails: ['jane@acme.example', 'sam@acme.example'],
      email_domains: ['acme.example'],
      oidc: { ...oidc, has_client_secret: true },
    });
    expect((await editor.get(path)).text).toContain('https://login.acme.example');
  });

  it('names the wrong item of a list, and shows what was written, but no password', async () => {
    const { id, path } = await privatePage();
    const shown = await save(
      editor,
      path,
      rules({ password: 'short', emails: 'jane@acme.example\njane@', networks: '192.0.2.0/99' }),
    );
    expect(shown.status).toBe(400);
    expect(errorOf(shown, 'emails')).toMatch(/^“jane@”: Email addresses /);
    expect(errorOf(shown, 'networks')).toMatch(/^“192.0.2.0\/99”: Networks /);
    expect(errorOf(shown, 'password')).toMatch(/^Password .*8/);
    expect(summaryOf(shown)).toContain('Password');
    expect(shown.text).toContain('jane@acme.example\njane@');
    expect(shown.text).not.toContain('value="short"');
    expect((await accessOf(id)).emails).toEqual([]);
  });

  it('asks for the password again if the session has ended, and repeats it on no screen', async () => {
    const { id, path } = await privatePage();
    const sent = { ...hiddenIn(await editor.get(path)), ...rules({ password: PASSWORD }) };
    const kept = await ask(path, { cookie: editor.cookie, form: { ...sent, token: 'x' } });
    expect(kept.text).toContain('Nothing is lost');
    expect(kept.text).not.toContain(PASSWORD);
    const continued = await editor.post(path, hiddenIn(kept));
    expect([continued.status, errorOf(continued, 'password')]).toEqual([
      400,
      expect.stringContaining('Enter the password again.'),
    ]);
    expect((await accessOf(id)).has_password).toBe(false);
  });

  it("shows another member's change beside one's own, and overwrites nothing", async () => {
    const { id, path } = await privatePage();
    const { updated_at = '' } = hiddenIn(await editor.get(path));
    await save(await person(tenant, 'editor'), path, rules({ emails: 'sam@acme.example' }));
    const stale = await save(editor, path, rules({ updated_at, emails: 'pat@acme.example' }));
    expect([stale.status, summaryOf(stale)]).toEqual([
      409,
      expect.stringContaining('has changed this since you opened it'),
    ]);
    expect(stale.text).toContain('>sam@acme.example</blockquote>');
    expect((await accessOf(id)).emails).toEqual(['sam@acme.example']);
  });

  it('opens only for members who may change pages', async () => {
    const { id, path } = await privatePage();
    const viewer = await person(tenant, 'viewer');
    expect((await viewer.get(path)).status).toBe(403);
    expect((await viewer.get(`/manage/pages/${id}`)).text).not.toContain(path);
    expect((await editor.get(`/manage/pages/${id}`)).text).toContain(`href="${path}"`);
  });
});
