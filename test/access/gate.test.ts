import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/branding/languages.js';
import { isHtml, pathOf } from '../../src/page-model/parts.js';
import { wordsOf } from '../../src/page-model/words.js';
import { useTenant, useTestServer, until } from '../support/server.js';
import { PASSWORD, pathsOf, SECRET, useGate, type Visit } from './use-gate.js';

const server = useTestServer();
const tenant = useTenant(server);
const { put, addLink, removeLink, branding, visit, fullPage, enter, sessionOf } = useGate(server, tenant);

const OIDC = { issuer: 'https://login.acme.example', client_id: 'status' };

/** Returns everything by which a visitor can distinguish two responses. */
const seen = ({ status, headers, text }: Visit) => ({
  status,
  headers: [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)),
  text,
});

/** Waits until the page has a gate, because unknown slugs are cached for less than two seconds. */
const untilGated = (slug: string) =>
  until(async () => (await visit(`/status/${slug}`)).status === 403, 2_000);

describe('the gate of a private page', () => {
  it('closes every part without a session, opens it with one, and closes it again when the rules change', async () => {
    const page = await fullPage();
    await put(page.id, { password: PASSWORD });
    const paths = pathsOf(page);
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) {
      const { status, headers, text } = await visit(path);
      expect([path, status]).toEqual([path, 403]);
      expect([path, text]).not.toContain(SECRET);
      expect(text).not.toContain(SECRET);
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('x-robots-tag')).toBe('noindex');
    }
    const cookie = await sessionOf(page.slug);
    for (const path of paths) {
      const { status, headers, text } = await visit(path, { cookie });
      expect([path, status]).toEqual([path, 200]);
      expect(text.length).toBeGreaterThan(0);
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      // Scripts of other sites must not read what the visitor's network or cookie lets in.
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
    expect((await visit(`/status/${page.slug}`, { cookie })).text).toContain(SECRET);
    await put(page.id, { networks: ['198.51.100.1'] });
    for (const path of paths) expect([path, (await visit(path, { cookie })).status]).toEqual([path, 403]);
  });

  it('opens every part with the token of an access link, which HTML keeps in its links', async () => {
    const page = await fullPage();
    await put(page.id, { password: PASSWORD });
    const { token, id } = (await addLink(page.id)).body.data;
    for (const part of Object.values(page.parts).flat()) {
      const path = `/status/${page.slug}${pathOf(part)}`;
      const { status, headers, text } = await visit(path, { token });
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('cache-control')).toBe('private, no-store');
      const links = [
        ...text.replaceAll('\r\n ', '').matchAll(new RegExp(`/status/${page.slug}[^"'<>\\s\\\\)]*`, 'g')),
      ].map(([link]) => link);
      if (isHtml(part)) for (const link of links) expect(link).toContain(`token=${token}`);
      // Programs show these links to others. Only the address of the feed itself contains the token.
      else for (const link of links) if (link.includes('token=')) expect(link).toMatch(/\/feed\.\w+\?token=/);
    }
    await removeLink(page.id, id);
    for (const path of pathsOf(page)) expect((await visit(path, { token })).status).toBe(403);
  });

  it('notes the use of an access link, which opens no other page', async () => {
    const [page, other] = [await fullPage(), await fullPage()];
    const { token, id } = (await addLink(page.id)).body.data;
    expect((await visit(`/status/${page.slug}`, { token })).status).toBe(200);
    const [row] = await server.sql<{ last_used_at: Date | null }[]>(
      'SELECT last_used_at FROM access_links WHERE id = $1',
      [id],
    );
    expect(row?.last_used_at).toBeInstanceOf(Date);
    expect((await visit(`/status/${other.slug}`, { token })).status).toBe(404);
  });

  it('exists only with rules, without which every part returns the 404 of an unknown slug', async () => {
    const page = await fullPage();
    const unknown = seen(await visit('/status/no-such-page'));
    for (const path of pathsOf(page)) expect(seen(await visit(path))).toEqual(unknown);
    expect(seen(await enter(page.slug))).toMatchObject({ status: 404 });
    await put(page.id, { password: PASSWORD });
    await untilGated(page.slug);
    const cookie = await sessionOf(page.slug);
    await put(page.id, { password: null });
    for (const path of pathsOf(page)) expect(seen(await visit(path, { cookie }))).toEqual(unknown);
  });

  it('exists only at the present slug; a former one returns the 404 of an unknown slug to every visitor', async () => {
    const page = await fullPage();
    await put(page.id, { password: PASSWORD, oidc: OIDC, networks: ['198.51.100.1'] });
    await untilGated(page.slug);
    const cookie = await sessionOf(page.slug);
    const { token } = (await addLink(page.id)).body.data;
    const slug = `${page.slug}-new`;
    const renamed = await server.ask(`/v1/status-pages/${page.id}/settings`, {
      method: 'PATCH',
      key: tenant.key,
      json: { slug },
    });
    expect(renamed.status).toBe(200);
    await untilGated(slug);
    const unknown = seen(await visit('/status/no-such-page'));
    await until(async () => (await visit(`/status/${page.slug}`)).status === 404, 2_000);
    for (const path of pathsOf(page)) {
      for (const visiting of [{}, { cookie }]) expect(seen(await visit(path, visiting))).toEqual(unknown);
      const { status, headers, text } = await visit(path, { cookie, token });
      expect([path, status, headers.get('location')]).toEqual([path, 404, null]);
      expect(text).not.toContain(slug);
    }
    const forms = { password: { password: PASSWORD }, oidc: {}, email: { email: 'jane@acme.example' } };
    for (const [way, form] of Object.entries(forms)) {
      const sent = seen(await visit(`/status/${page.slug}/access/${way}`, { form, cookie }));
      expect([way, sent]).toEqual([way, seen(await visit(`/status/no-such-page/access/${way}`, { form }))]);
    }
    // The session belongs to the page, not to its slug.
    expect((await visit(`/status/${slug}`, { cookie })).text).toContain(SECRET);
    await server.patch(tenant, page.id, { is_public: true });
    await until(
      async () => (await visit(`/status/${page.slug}`)).headers.get('location') === `/status/${slug}`,
    );
  });

  it('never appears for a public page, and no rule changes its responses', async () => {
    const page = await fullPage({ is_public: true });
    const path = `/status/${page.slug}`;
    await put(page.id, { password: PASSWORD, networks: ['198.51.100.1'] });
    const { token } = (await addLink(page.id)).body.data;
    const { status, text, headers } = await visit(path);
    expect([status, text.includes(SECRET)]).toEqual([200, true]);
    expect(headers.get('cache-control')).toMatch(/^public/);
    expect((await visit(path, { token })).text).toBe(text);
    expect((await enter(page.slug)).status).toBe(404);
  });

  it('closes a page within two seconds that becomes private, also where it was cached', async () => {
    const page = await fullPage({ is_public: true });
    await put(page.id, { password: PASSWORD });
    for (const path of pathsOf(page)) expect((await visit(path)).status).toBe(200);
    await server.patch(tenant, page.id, { is_public: false });
    await untilGated(page.slug);
    for (const path of pathsOf(page)) expect([path, (await visit(path)).status]).toEqual([path, 403]);
  });

  it('shows the name, and only the ways in that exist', async () => {
    const page = await fullPage({ name: 'Acme Internal' });
    const ways = {
      password: ['action="[^"]*/access/password"', { password: PASSWORD }],
      oidc: ['action="[^"]*/access/oidc"', { oidc: OIDC }],
      networks: ['only be seen from certain networks', { networks: ['198.51.100.1'] }],
    } as const;
    for (const rules of Object.values(ways).map(([, one]) => one)) {
      await put(page.id, { password: null, ...rules });
      await untilGated(page.slug);
      const { text } = await visit(`/status/${page.slug}`);
      expect(text).toContain('Acme Internal');
      expect(text).not.toMatch(/<script|<img/);
      for (const [pattern, one] of Object.values(ways))
        expect([pattern, new RegExp(pattern).test(text)]).toEqual([pattern, one === rules]);
    }
  });

  it('contains nothing of the page besides its name and its design', async () => {
    const page = await fullPage({ name: 'Acme Internal', description: SECRET });
    const { status } = await branding.patch(page.id, {
      website_url: 'https://www.secret.example/',
      support_url: 'https://help.secret.example/',
      links: [{ label: SECRET, url: 'https://wiki.secret.example/', placement: 'footer' }],
    });
    expect(status).toBe(200);
    await put(page.id, { password: PASSWORD, emails: ['ada@secret.example'], oidc: OIDC });
    await untilGated(page.slug);
    const ids = Object.values(page.parts)
      .flat()
      .flatMap((part) => ('id' in part ? [part.id] : []));
    for (const path of [`/status/${page.slug}`, `/status/${page.slug}/subscribe`]) {
      const { text } = await visit(path);
      expect(text).toContain('<title>This status page is private · Acme Internal</title>');
      for (const secret of [SECRET, 'secret.example', OIDC.issuer, page.id, ...ids])
        expect(text).not.toContain(secret);
      expect([...text.matchAll(/<link [^>]*rel="([^"]*)"/g)].map(([, rel]) => rel)).toEqual(['icon']);
      expect(text).not.toMatch(/<script|<img|property="og:|name="(?:description|twitter:)|rss|\.ics/);
      const main = text.slice(text.indexOf('<body>')).replaceAll(/<svg.*?<\/svg>/gs, '');
      const shown = main
        .replaceAll(/<[^>]*>/g, '\n')
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
      const { gate, skip } = wordsOf('en');
      expect(shown.slice(0, 7)).toEqual([
        skip,
        'Acme Internal',
        gate.title,
        gate.password,
        gate.open,
        gate.single_sign_on,
        gate.ask,
      ]);
      // The languages.
      expect(shown.slice(7)).toHaveLength(1 + LANGUAGES.length);
    }
  });

  it.each(LANGUAGES)('appears in the language %s, and keeps it', async (lang) => {
    const page = await server.page(tenant, { is_public: false });
    await put(page.id, { password: PASSWORD });
    const { text } = await visit(`/status/${page.slug}?lang=${lang}`);
    expect(text).toContain(`<html lang="${lang}"`);
    expect(text).toContain(wordsOf(lang).gate.title);
    const wrong = await enter(page.slug, 'wrong password', '', {});
    expect(wrong.text).toContain(wordsOf('en').gate.password_wrong);
    const asked = await visit(`/status/${page.slug}/access/password?lang=${lang}`, {
      form: { password: PASSWORD, to: `/subscribe?lang=${lang}` },
    });
    // A form without the language in its address: only `to` contains it.
    const short = await enter(page.slug, PASSWORD, `/subscribe?lang=${lang}`);
    for (const { headers } of [asked, short]) {
      const { pathname, search } = new URL(headers.get('location') ?? '', server.url);
      expect(pathname).toBe(`/status/${page.slug}/subscribe`);
      expect(search).toBe(lang === 'en' ? '' : `?lang=${lang}`);
    }
  });

  it('returns a short text instead of feeds and other documents for programs', async () => {
    const page = await fullPage();
    await put(page.id, { password: PASSWORD });
    const { text, headers } = await visit(`/status/${page.slug}/feed.rss`);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text.length).toBeLessThan(200);
    expect((await visit(`/status/${page.slug}`, { method: 'HEAD' })).status).toBe(403);
  });

  it('covers the form to subscribe', async () => {
    const page = await fullPage();
    await put(page.id, { password: PASSWORD });
    const form = { email: 'jane@acme.example', systems: 'all', detail: 'all' };
    const path = `/status/${page.slug}/subscribe`;
    expect((await visit(path, { form })).status).toBe(404);
    const stored = () =>
      server.sql<object[]>('SELECT id FROM subscription_requests WHERE status_page_id = $1', [page.id]);
    expect(await stored()).toEqual([]);
  });
});
