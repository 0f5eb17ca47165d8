import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessDto } from '../../src/access/dto/access.dto.js';
import { OIDC_SECRET } from '../../src/access/oidc-secret.js';
import { SecretsService } from '../../src/platform/secrets/secrets.service.js';
import { useTenant, useTestServer } from '../support/server.js';
import { type Fields, hiddenIn, type Person, useConsole } from './use-console.js';
import { errorOf, leadsTo, save, summaryOf } from './use-pages.js';

const server = useTestServer();
const tenant = useTenant(server);
const { ask, person } = useConsole(server);

const SECRET = 'a secret of the client';
const ISSUER = 'https://login.acme.example';

let editor: Person;
beforeAll(async () => {
  editor = await person(tenant, 'editor');
});

const accessOf = async (id: string) =>
  (await server.ask<{ data: AccessDto }>(`/v1/status-pages/${id}/access`, { key: tenant.key })).body.data;

/** Returns the stored client secret of a page. */
async function secretOf(id: string): Promise<string | null> {
  const [row] = await server.sql<{ oidc_client_secret: Buffer | null }[]>(
    'SELECT oidc_client_secret FROM status_page_access WHERE status_page_id = $1',
    [id],
  );
  const stored = row?.oidc_client_secret;
  return stored ? server.app.get(SecretsService, { strict: false }).decrypt(OIDC_SECRET, stored) : null;
}

const provider = (fields: Fields = {}): Fields => ({
  issuer: ISSUER,
  client_id: 'status',
  client_secret: '',
  email_domains: '',
  ...fields,
});

/** A private page with other rules, and the path of its screen. */
async function privatePage() {
  const { id, slug } = await server.page(tenant, { is_public: false });
  const others = { emails: ['jane@acme.example'], email_domains: ['b.example'], networks: ['192.0.2.0/24'] };
  const json = { ...others, password: 'correct horse battery' };
  await server.ask(`/v1/status-pages/${id}/access`, { method: 'PUT', key: tenant.key, json });
  return { id, slug, others, path: `/manage/pages/${id}/access/oidc` };
}

/** A private page with a provider and its secret. */
async function pageWithProvider() {
  const page = await privatePage();
  const saved = await save(editor, page.path, provider({ client_secret: SECRET }));
  expect(leadsTo(saved)).toEqual([303, `${page.path}?done=saved`]);
  return page;
}

describe('single sign-on of a page', () => {
  it('stores the provider, keeps the other ways in, and never shows the secret', async () => {
    const { id, slug, path, others } = await privatePage();
    expect((await editor.get(path)).text).toContain(`/status/${slug}/access/oidc/callback</bdi>`);
    await save(editor, path, provider({ client_secret: SECRET, email_domains: 'acme.example\r\nb.example' }));
    const oidc = { issuer: ISSUER, client_id: 'status', email_domains: ['acme.example', 'b.example'] };
    expect(await accessOf(id)).toMatchObject({
      ...others,
      has_password: true,
      oidc: { ...oidc, has_client_secret: true },
    });
    expect(await secretOf(id)).toBe(SECRET);
    const shown = await editor.get(path);
    expect(shown.text).toContain('There is a client secret.');
    expect(shown.text).toContain('acme.example\nb.example');
    expect(shown.text).not.toContain(SECRET);
    expect((await editor.get(`/manage/pages/${id}/access`)).text).toContain(`<bdi class="quiet">${ISSUER}`);
    const events = await server.sql<object[]>('SELECT * FROM events WHERE resource_id = $1', [id]);
    expect(JSON.stringify(events)).not.toContain(SECRET);
  });

  it('keeps the secret if the field is empty, and removes it on request', async () => {
    const { id, path } = await pageWithProvider();
    await save(editor, path, provider({ email_domains: 'acme.example' }));
    expect([(await accessOf(id)).oidc?.email_domains, await secretOf(id)]).toEqual([
      ['acme.example'],
      SECRET,
    ]);
    await save(editor, path, provider({ client_secret: 'another one' }));
    expect(await secretOf(id)).toBe('another one');
    await save(editor, path, provider({ removes_secret: 'on' }));
    expect((await accessOf(id)).oidc).toMatchObject({ issuer: ISSUER, has_client_secret: false });
  });

  it('asks for the secret of another client, which the API would remove', async () => {
    const { id, path } = await pageWithProvider();
    const changes: Fields[] = [{ client_id: 'another' }, { issuer: 'https://login.b.example' }];
    for (const fields of changes) {
      const shown = await save(editor, path, provider(fields));
      expect([shown.status, errorOf(shown, 'client_secret')]).toEqual([
        400,
        expect.stringContaining('Enter the client secret of this client.'),
      ]);
    }
    expect(await secretOf(id)).toBe(SECRET);
    await save(editor, path, provider({ client_id: 'another', removes_secret: 'on' }));
    expect((await accessOf(id)).oidc).toMatchObject({ client_id: 'another', has_client_secret: false });
  });

  it('shows errors at their fields, and what was written, but no secret', async () => {
    const { id, path } = await privatePage();
    const empty = await save(editor, path, provider({ issuer: '', client_id: ' ' }));
    expect([empty.status, errorOf(empty, 'issuer'), errorOf(empty, 'client_id')]).toEqual([
      400,
      'Issuer is missing.',
      'Client ID is missing.',
    ]);
    const wrong = await save(
      editor,
      path,
      provider({ issuer: 'login.acme.example', client_secret: SECRET, email_domains: 'acme.example\n@b' }),
    );
    expect(errorOf(wrong, 'issuer')).toContain('must be an absolute URL with https');
    expect(errorOf(wrong, 'email_domains')).toMatch(/^“@b”: Email domains /);
    expect(summaryOf(wrong)).toContain('Issuer');
    expect(wrong.text).toContain('value="login.acme.example"');
    expect(wrong.text).not.toContain(SECRET);
    const internal = await save(editor, path, provider({ issuer: 'http://login.acme.example' }));
    expect([internal.status, errorOf(internal, 'issuer')]).toEqual([
      400,
      expect.stringMatching(/^Issuer must be an absolute URL with https, and a public address/),
    ]);
    expect((await accessOf(id)).oidc).toBeNull();
  });

  it("shows another member's change beside one's own, and overwrites nothing", async () => {
    const { id, path } = await privatePage();
    const { updated_at = '' } = hiddenIn(await editor.get(path));
    await save(await person(tenant, 'editor'), path, provider({ client_id: 'theirs' }));
    const stale = await save(editor, path, provider({ updated_at, client_id: 'own' }));
    expect([stale.status, summaryOf(stale)]).toEqual([
      409,
      expect.stringContaining('has changed this since you opened it'),
    ]);
    expect(stale.text).toContain('>theirs</blockquote>');
    expect(stale.text).toContain('value="own"');
    expect((await accessOf(id)).oidc?.client_id).toBe('theirs');
    const { updated_at: shown = '' } = hiddenIn(stale);
    await editor.post(path, provider({ updated_at: shown, key: randomUUID(), client_id: 'own' }));
    expect((await accessOf(id)).oidc?.client_id).toBe('own');
  });

  it('ends after a question, which leaves the other ways in', async () => {
    const { id, path, others } = await pageWithProvider();
    expect((await editor.get(path)).text).toContain(`href="${path}/remove"`);
    const question = await editor.get(`${path}/remove`);
    expect(question.text).toContain('Remove single sign-on?');
    expect((await editor.post(`${path}/remove`, hiddenIn(question))).status).toBe(200);
    await save(editor, path, provider({ email_domains: 'acme.example' }));
    const stale = await editor.post(`${path}/remove`, { ...hiddenIn(question), step: 'delete' });
    expect([stale.status, summaryOf(stale)]).toEqual([
      409,
      expect.stringContaining('Nothing has been deleted'),
    ]);
    expect((await accessOf(id)).oidc).not.toBeNull();
    const removed = await editor.post(`${path}/remove`, { ...hiddenIn(stale), step: 'delete' });
    expect(leadsTo(removed)).toEqual([303, `/manage/pages/${id}/access?done=saved`]);
    expect(await accessOf(id)).toMatchObject({ ...others, has_password: true, oidc: null });
    expect(await secretOf(id)).toBeNull();
    expect((await editor.get(`${path}/remove`)).status).toBe(404);
  });

  it('asks for the secret again if the session has ended, and repeats it on no screen', async () => {
    const { id, path } = await pageWithProvider();
    const sent = { ...hiddenIn(await editor.get(path)), ...provider({ client_secret: 'a newer one' }) };
    const kept = await ask(path, { cookie: editor.cookie, form: { ...sent, token: 'x' } });
    expect(kept.text).toContain('Nothing is lost');
    expect(kept.text).not.toContain('a newer one');
    const continued = await editor.post(path, hiddenIn(kept));
    expect([continued.status, errorOf(continued, 'client_secret')]).toEqual([
      400,
      expect.stringContaining('Enter the client secret again.'),
    ]);
    expect(await secretOf(id)).toBe(SECRET);
  });

  it('opens only for members who may change pages', async () => {
    const { path } = await privatePage();
    const viewer = await person(tenant, 'viewer');
    expect([(await viewer.get(path)).status, (await viewer.post(path)).status]).toEqual([403, 403]);
  });
});
