import { describe, expect, it } from 'vitest';
import { until } from '../../support/server.js';
import { sendForm, useDomain } from './use-domain.js';

const { server, tenant, shownPage, domains, newPage, on, paths } = useDomain();

const PASSWORD = 'correct horse battery';

/** Creates a private page on a domain, with a password. */
async function privatePage(name: string, rules: object = {}) {
  const page = await newPage({ name, is_public: false, subscribe_enabled: true });
  const path = `/v1/status-pages/${page.id}/access`;
  const { status, text } = await server.ask(path, {
    method: 'PUT',
    key: tenant.key,
    json: { password: PASSWORD, ...rules },
  });
  if (status !== 200) throw new Error(text);
  return page;
}

const headerOf = (answer: string, name: string) => new RegExp(`^${name}: (.*)\\r$`, 'im').exec(answer)?.[1];

/** Enters a page with its password, and returns the redirect and the cookie. */
async function enter(host: string, path = '/access/password', to = '/history') {
  const answer = await sendForm(server.url, host, path, { password: PASSWORD, to });
  return {
    status: Number(answer.slice(9, 12)),
    location: headerOf(answer, 'Location'),
    cookie: headerOf(answer, 'Set-Cookie')?.split(';')[0] ?? '',
  };
}

describe('a private page on its domain', () => {
  it('shows the gate on the domain, whose form leads into the page on the domain', async () => {
    const page = await privatePage('Members only');
    const { status, text } = await on(page.domain, '/');
    expect(status).toBe(403);
    expect(text).toContain('action="/access/password');
    expect(text).not.toContain('/status/page');
    const month = new Date().toISOString().slice(0, 7);
    const entered = await enter(page.domain, '/access/password', `/history?month=${month}`);
    expect(entered).toMatchObject({ status: 303, location: `/history?month=${month}` });
    const shown = await on(page.domain, entered.location ?? '', { cookie: entered.cookie });
    expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(shown.text).toContain('href="/subscribe"');
    const form = await on(page.domain, '/subscribe', { cookie: entered.cookie });
    expect(form.text).toContain('href="/feed.rss"');
  });

  it('closes every part without a session', async () => {
    const page = await privatePage('Members only');
    for (const path of paths()) expect([path, (await on(page.domain, path)).status]).toEqual([path, 403]);
    expect((await on(page.domain, '/v1/status-pages')).status).toBe(404);
  });

  it('opens with a session of the same host only', async () => {
    const [page, other] = [await privatePage('One'), await privatePage('Other')];
    const { cookie } = await enter(page.domain);
    expect((await on(page.domain, '/', { cookie })).status).toBe(200);
    expect((await on(other.domain, '/', { cookie })).status).toBe(403);
    expect((await on('localhost', `/status/${page.slug}`, { cookie })).status).toBe(403);
    const below = await enter('localhost', `/status/${page.slug}/access/password`);
    expect((await on(page.domain, '/', { cookie: below.cookie })).status).toBe(403);
  });

  it('stays at the root of its domain after its slug changes, where no path reveals the former slug', async () => {
    const page = await privatePage('Members only');
    const { cookie } = await enter(page.domain);
    const slug = `${page.slug}-new`;
    const path = `/v1/status-pages/${page.id}/settings`;
    const renamed = await server.ask(path, { method: 'PATCH', key: tenant.key, json: { slug } });
    expect(renamed.status).toBe(200);
    await domains.refresh();
    await until(async () => (await on(page.domain, '/')).status === 403, 3_000);
    expect((await on(page.domain, '/', { cookie })).status).toBe(200);
    const unknown = (await on(page.domain, '/status/no-such-page')).text;
    const visitors: Record<string, string>[] = [{}, { cookie }];
    for (const headers of visitors)
      for (const part of ['', '/feed.rss', '/access/oidc/callback']) {
        const {
          status,
          text,
          headers: answered,
        } = await on(page.domain, `/status/${page.slug}${part}`, headers);
        expect([part, status, answered['location']]).toEqual([part, 404, undefined]);
        expect([part, text]).toEqual([part, unknown]);
      }
    expect((await on('localhost', `/status/${page.slug}`, { cookie })).status).toBe(404);
  });

  it('never appears on the domain of the page whose slug it took', async () => {
    const page = await privatePage('First name');
    const other = await privatePage('Second name', { networks: ['127.0.0.0/8', '::1/128'] }); // admits this client
    await on(page.domain, '/');
    expect((await on(other.domain, '/')).text).toContain('Second name');
    await server.sql('UPDATE status_pages SET slug = $2 WHERE id = $1', [page.id, `${page.slug}-new`]);
    await server.sql('UPDATE status_pages SET slug = $2 WHERE id = $1', [other.id, page.slug]);
    for (const path of ['/', '/feed.rss', '/badge.json']) {
      const { status, text } = await on(page.domain, path);
      expect([path, status, text.includes('Second name')]).toEqual([
        path,
        expect.toBeOneOf([403, 404]),
        false,
      ]);
    }
    await domains.refresh();
    expect((await on(page.domain, '/')).text).toContain('First name');
    expect(shownPage.domain).not.toBe(page.domain);
  });
});
