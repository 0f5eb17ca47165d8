import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessLinkDto } from '../../src/access/dto/access-link.dto.js';
import { visitorsOf } from '../access/use-gate.js';
import { type ListPage, useTenant, useTestServer } from '../support/server.js';
import { type Fields, hiddenIn, type Person, type Shown, useConsole } from './use-console.js';
import { errorOf, leadsTo, summaryOf } from './use-pages.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);
const { visit } = visitorsOf(() => server.url);

let editor: Person;
beforeAll(async () => {
  editor = await person(tenant, 'editor');
});

/** A private page, and the path of its screen. */
async function privatePage(screen: 'access/links' | 'preview') {
  const { id, slug } = await server.page(tenant, { is_public: false });
  return { id, slug, path: `/manage/pages/${id}/${screen}` };
}

/** Returns the link of a response, and the path and the query with which visitors open it. */
const linkIn = ({ text }: Shown) => {
  const [, url = ''] = /id="secret" value="([^"]*)"/.exec(text) ?? [];
  const { pathname, search, searchParams } = new URL(url.replaceAll('&amp;', '&'));
  return { path: pathname + search, token: searchParams.get('token') ?? searchParams.get('preview') ?? '' };
};

const create = async (path: string, fields: Fields = {}, by = editor) =>
  by.post(path, { ...hiddenIn(await by.get(path)), ...fields });

const linksOf = async (id: string) => {
  const path = `/v1/status-pages/${id}/access/links`;
  return (await server.ask<ListPage<AccessLinkDto>>(path, { key: tenant.key })).body.data;
};

/** Creates a link by the console. Returns its ID, and the path with which visitors open it. */
async function linkOf({ id, path }: { id: string; path: string }, description: string) {
  const opened = linkIn(await create(path, { description }));
  const [link] = await linksOf(id);
  return { id: link?.id ?? '', ...opened };
}

describe('a link for programs', () => {
  it('shows a private page, and its token only once', async () => {
    const { id, slug, path } = await privatePage('access/links');
    const sent = { ...hiddenIn(await editor.get(path)), description: 'Feed <b>reader</b>' };
    const created = await editor.post(path, sent);
    const { token, path: opened } = linkIn(created);
    expect([created.status, token]).toEqual([200, expect.stringMatching(/^al_\w{46}$/)]);
    expect((await visit(`/status/${slug}`)).status).toBe(404);
    expect((await visit(opened)).status).toBe(200);
    const again = await editor.post(path, sent);
    expect(leadsTo(again)).toEqual([303, `${path}?done=repeated`]);
    const listed = await editor.get(`${path}?done=repeated`);
    expect(listed.text).toContain('The form was sent twice.');
    expect(listed.text).toContain('Feed &lt;b>reader&lt;/b>');
    expect(listed.text).not.toContain(token);
    expect(await linksOf(id)).toHaveLength(1);
    const [stored] = await server.sql<{ found: boolean }[]>(
      'SELECT bool_or(position($1 in body) > 0) AS found FROM idempotency_keys',
      [token],
    );
    expect(stored?.found).not.toBe(true);
    const events = await server.sql<{ via: string; actor_id: string; data: object }[]>(
      "SELECT via, actor_id, data FROM events WHERE resource_id = $1 AND type = 'access_link.created'",
      [id],
    );
    expect(events).toMatchObject([{ via: 'console', actor_id: editor.id }]);
    expect(JSON.stringify(events)).not.toContain(token);
  });

  it('shows its last use in the list', async () => {
    const page = await privatePage('access/links');
    const { path: opened } = await linkOf(page, 'Dashboard');
    expect((await editor.get(page.path)).text).toContain('never used');
    await visit(opened);
    const { text } = await editor.get(page.path);
    expect(text).toContain('last use');
    expect(text).not.toContain('never used');
  });

  it('ends after a question', async () => {
    const page = await privatePage('access/links');
    const link = await linkOf(page, 'Old & gone');
    const path = `${page.path}/${link.id}/revoke`;
    expect((await editor.get(page.path)).text).toContain(`href="${path}"`);
    const question = await editor.get(path);
    expect(question.text).toContain('Revoke Old &amp; gone?');
    expect((await editor.post(path, hiddenIn(question))).text).toContain('Revoke Old &amp; gone?');
    expect((await visit(link.path)).status).toBe(200);
    const revoked = await editor.post(path, { ...hiddenIn(question), step: 'delete' });
    expect(leadsTo(revoked)).toEqual([303, `${page.path}?done=revoked`]);
    expect((await visit(link.path)).status).toBe(404);
    expect((await editor.get(`${page.path}?done=revoked`)).text).toContain('The link is revoked.');
    expect((await editor.post(path, { ...hiddenIn(question), step: 'delete' })).status).toBe(404);
  });

  it('ends only on the screen of its own page', async () => {
    const [page, other] = [await privatePage('access/links'), await privatePage('access/links')];
    const link = await linkOf(page, 'Elsewhere');
    const path = `${other.path}/${link.id}/revoke`;
    expect((await editor.get(path)).status).toBe(404);
    expect((await editor.post(path, { step: 'delete' })).status).toBe(404);
    expect((await visit(link.path)).status).toBe(200);
  });

  it('shows errors at the field, and what was written', async () => {
    const { id, path } = await privatePage('access/links');
    const empty = await create(path, { description: '  ' });
    expect([empty.status, errorOf(empty, 'description')]).toEqual([400, 'Purpose is missing.']);
    const long = await create(path, { description: 'x'.repeat(201) });
    expect([long.status, errorOf(long, 'description')]).toEqual([400, expect.stringContaining('200')]);
    expect(long.text).toContain('x'.repeat(201));
    expect(await linksOf(id)).toEqual([]);
  });

  it('names the maximum, and shows further links on further screens', async () => {
    const { id, path } = await privatePage('access/links');
    for (let count = 1; count <= 100; count++)
      await server.ask(`/v1/status-pages/${id}/access/links`, {
        method: 'POST',
        key: tenant.key,
        json: { description: `Link ${count}.` },
      });
    const beyond = await create(path, { description: 'One more' });
    expect([beyond.status, summaryOf(beyond)]).toEqual([400, expect.stringContaining('100 access links')]);
    const first = await editor.get(path);
    expect([first.text.includes('Link 51.'), first.text.includes('Link 50.')]).toEqual([true, false]);
    const [, next = ''] = /href="([^"]*)" rel="next"/.exec(first.text) ?? [];
    const second = await editor.get(next.replaceAll('&amp;', '&'));
    expect([second.text.includes('Link 51.'), second.text.includes('Link 50.')]).toEqual([false, true]);
  });

  it('opens only for members who may change pages', async () => {
    const { id, path } = await privatePage('access/links');
    const viewer = await person(tenant, 'viewer');
    expect([(await viewer.get(path)).status, (await viewer.post(path)).status]).toEqual([403, 403]);
    expect((await editor.get(`/manage/pages/${id}/access`)).text).toContain(`href="${path}"`);
  });
});

describe('a preview link', () => {
  it('shows a private page to everyone who has it, and is itself shown only once', async () => {
    const { id, slug, path } = await privatePage('preview');
    const viewer = await person(tenant, 'viewer');
    expect((await viewer.get(`/manage/pages/${id}`)).text).toContain(`href="${path}"`);
    const sent = hiddenIn(await viewer.get(path));
    const created = await viewer.post(path, sent);
    const { token, path: opened } = linkIn(created);
    expect([created.status, token]).toEqual([200, expect.stringMatching(/^pv_\w{46}$/)]);
    expect(created.text).toContain('It is shown only once, and ends ');
    expect((await visit(`/status/${slug}`)).status).toBe(404);
    expect((await visit(opened)).status).toBe(200);
    expect(leadsTo(await viewer.post(path, sent))).toEqual([303, `${path}?done=repeated`]);
    const shown = await viewer.get(`${path}?done=repeated`);
    expect(shown.text).toContain('The form was sent twice');
    expect(shown.text).not.toContain(token);
    const events = await server.sql<{ via: string; actor_id: string }[]>(
      "SELECT via, actor_id FROM events WHERE resource_id = $1 AND type = 'preview_link.created'",
      [id],
    );
    expect(events).toEqual([{ via: 'console', actor_id: viewer.id }]);
  });

  it('appears on the screens of private pages only', async () => {
    const { id } = await server.page(tenant);
    expect((await editor.get(`/manage/pages/${id}`)).text).not.toContain('/preview"');
    expect((await editor.get(`/manage/pages/${id}/preview`)).text).toContain('This page is public');
  });
});
