import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  MAX_OF_PAGE,
  MAX_SIGN_INS,
  networkLimit,
  signInLimit,
} from '../../../src/visitors/oidc/oidc-entry.js';
import { PublicUrl } from '../../../src/platform/config/public-url.js';
import { type Browser, MONTH, useEntry, type Visited } from '../use-entry.js';
import { HostileIssuer } from './hostile-issuer.js';
import { CLIENT, TestProvider } from './provider.js';

const { browser, page, change, useUp, server } = useEntry({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });

// oidc-provider warns that its storage and its keys are for development only.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

async function hostile(): Promise<HostileIssuer> {
  const issuer = await HostileIssuer.start();
  stops.push(() => issuer.stop());
  return issuer;
}

const oidc = (issuer: string, email_domains = ['acme.com']) => ({
  oidc: { issuer, ...CLIENT, email_domains },
});

/** Returns the URL to which the page leads. */
function targetOf({ text }: Visited): string {
  const [, url = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text) ?? [];
  return url.replaceAll('&amp;', '&');
}

async function begin(visitor: Browser, slug: string, to = ''): Promise<string> {
  return targetOf(await visitor.send(`/status/${slug}/access/oidc`, { to }));
}

const callback = (slug: string, query: string): string => `/status/${slug}/access/oidc/callback${query}`;

describe('sign-in with OpenID Connect', () => {
  it('opens the page that the visitor wanted', async () => {
    const { id, slug } = await page({ password: 'correct horse' });
    const redirect = `${server.app.get(PublicUrl).value}/status/${slug}/access/oidc/callback`;
    const provider = await TestProvider.start([redirect]);
    stops.push(() => provider.stop());
    await change({ id }, oidc(provider.issuer));
    const visitor = browser();
    const begun = await visitor.send(`/status/${slug}/access/oidc`, { to: `${MONTH}&lang=de` });
    expect(begun.status).toBe(200);
    expect(begun.headers.get('cache-control')).toBe('private, no-store');
    expect([...visitor.cookies.keys()]).toEqual([`sign-in-${id}`]);
    const returned = new URL(await provider.signIn(targetOf(begun)));
    expect(returned.origin + returned.pathname).toBe(redirect);
    const entered = await visitor.visit(returned.pathname + returned.search);
    expect(entered.status).toBe(303);
    expect(entered.headers.get('location')).toBe(`/status/${slug}${MONTH}&lang=de`);
    expect([...visitor.cookies.keys()]).toEqual([`access-${id}`]);
    expect((await visitor.visit(`/status/${slug}${MONTH}&lang=de`)).text).toContain('<html lang="de"');
    // The cookie of the sign-in is gone, and the provider accepts a code only once.
    expect((await visitor.visit(returned.pathname + returned.search)).status).toBe(400);
  });

  it('rejects the callback in another browser, and a replayed one', async () => {
    const issuer = await hostile();
    const { slug } = await page(oidc(issuer.issuer));
    const visitor = browser();
    const query = issuer.callback(await begin(visitor, slug));
    const other = await browser().visit(callback(slug, query));
    expect(other.status).toBe(400);
    expect(other.text).toContain('The sign-in has expired');
    expect((await visitor.visit(callback(slug, query))).status).toBe(303);
    expect((await visitor.visit(callback(slug, query))).status).toBe(400);
    expect(issuer.requests.filter((path) => path === '/token')).toHaveLength(1);
  });

  it('replaces a former sign-in of the same browser', async () => {
    const issuer = await hostile();
    const { slug } = await page(oidc(issuer.issuer));
    const visitor = browser();
    const former = issuer.callback(await begin(visitor, slug));
    const latter = issuer.callback(await begin(visitor, slug));
    expect((await visitor.visit(callback(slug, former))).status).toBe(400);
    // A failed callback ends the sign-in.
    expect((await visitor.visit(callback(slug, latter))).status).toBe(400);
  });

  it('rejects the cookie of another page, of former rules and after ten minutes', async () => {
    const issuer = await hostile();
    const one = await page(oidc(issuer.issuer));
    const other = await page(oidc(issuer.issuer));
    const visitor = browser();
    const query = issuer.callback(await begin(visitor, one.slug));
    const value = visitor.cookies.get(`sign-in-${one.id}`) ?? '';
    visitor.cookies.set(`sign-in-${other.id}`, value);
    expect((await visitor.visit(callback(other.slug, query))).status).toBe(400);

    visitor.cookies.set(`sign-in-${one.id}`, `${value.slice(0, -2)}${value.endsWith('A') ? 'BB' : 'AA'}`);
    expect((await visitor.visit(callback(one.slug, query))).status).toBe(400);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    try {
      visitor.cookies.set(`sign-in-${one.id}`, value);
      expect((await visitor.visit(callback(one.slug, query))).status).toBe(400);
    } finally {
      vi.useRealTimers();
    }

    await change(one, { ...oidc(issuer.issuer), emails: ['a@acme.com'] });
    visitor.cookies.set(`sign-in-${one.id}`, value);
    expect((await visitor.visit(callback(one.slug, query))).status).toBe(400);
    expect(issuer.requests).not.toContain('/token');
  });

  it('counts no callbacks without a sign-in in progress, which other sites can cause with pictures', async () => {
    const issuer = await hostile();
    const { id, slug } = await page(oidc(issuer.issuer));
    const visitor = browser();
    const query = issuer.callback(await begin(visitor, slug));
    const other = browser(visitor);
    await useUp(networkLimit(id, 'end', visitor.network), MAX_SIGN_INS - 1);
    const sents = Array.from({ length: 10 }, () => other.visit(callback(slug, '?code=a&state=b')));
    for (const { status } of await Promise.all(sents)) expect(status).toBe(400);
    expect((await visitor.visit(callback(slug, query))).status).toBe(303);
  });

  it('returns 429 above the number of sign-ins that a client network can begin for a page', async () => {
    const issuer = await hostile();
    const [one, other] = [await page(oidc(issuer.issuer)), await page(oidc(issuer.issuer))];
    const visitor = browser();
    const send = (slug: string) => visitor.send(`/status/${slug}/access/oidc`);
    await useUp(networkLimit(one.id, 'begin', visitor.network), MAX_SIGN_INS - 1);
    expect((await send(one.slug)).status).toBe(200);
    visitor.cookies.clear();
    const { status, headers, text } = await send(one.slug);
    expect([status, visitor.cookies.size]).toEqual([429, 0]);
    expect(text).not.toContain(issuer.issuer);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(60);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(600);
    expect((await send(other.slug)).status).toBe(200);
    expect((await browser().send(`/status/${one.slug}/access/oidc`)).status).toBe(200);
  });

  it('returns 429 for at most five minutes above the number of sign-ins of a page, over all client networks', async () => {
    const issuer = await hostile();
    const { id, slug } = await page(oidc(issuer.issuer));
    const other = await page(oidc(issuer.issuer));
    const visitor = browser();
    const query = issuer.callback(await begin(visitor, slug));
    const send = {
      begin: () => browser().send(`/status/${slug}/access/oidc`),
      end: () => visitor.visit(callback(slug, query)),
    };
    for (const step of ['begin', 'end'] as const) {
      await useUp(signInLimit(id, step), MAX_OF_PAGE);
      const { status, headers } = await send[step]();
      expect([step, status, headers.getSetCookie()]).toEqual([step, 429, []]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(300);
    }
    expect(issuer.requests).not.toContain('/token');
    expect((await browser().send(`/status/${other.slug}/access/oidc`)).status).toBe(200);
  });

  it('bounds the callbacks of a sign-in for a client network', async () => {
    const issuer = await hostile();
    const { id, slug } = await page({ ...oidc(issuer.issuer), password: 'correct horse' });
    const visitor = browser();
    await begin(visitor, slug);
    const replayed = [...visitor.cookies];
    const replay = () => {
      for (const [name, value] of replayed) visitor.cookies.set(name, value);
      return visitor.visit(callback(slug, '?error=access_denied&state=b'));
    };
    await useUp(networkLimit(id, 'end', visitor.network), MAX_SIGN_INS - 1);
    expect((await replay()).status).not.toBe(429);
    const { status, text } = await replay();
    expect(status).toBe(429);
    expect(text).toContain('/access/password"');
    expect(text).not.toContain('/access/oidc"');
  });

  it('rejects accounts of other domains, and unverified ones', async () => {
    const issuer = await hostile();
    const { slug } = await page(oidc(issuer.issuer));
    for (const claims of [
      { email: 'a@other.com' },
      { email_verified: false },
      { email_verified: undefined },
    ]) {
      issuer.claims = claims;
      const visitor = browser();
      const { status, text } = await visitor.visit(
        callback(slug, issuer.callback(await begin(visitor, slug))),
      );
      expect(status).toBe(403);
      expect(text).toContain('This account has no access');
      expect(visitor.cookies.size).toBe(0);
    }
  });

  it('explains that the visitor has cancelled', async () => {
    const issuer = await hostile();
    const { slug } = await page(oidc(issuer.issuer));
    const visitor = browser();
    const query = issuer.callback(await begin(visitor, slug), { code: null, error: 'access_denied' });
    const { status, text } = await visitor.visit(callback(slug, query));
    expect(status).toBe(403);
    expect(text).toContain('You are not signed in');
  });

  it('explains in the language of the visitor that the provider does not respond, without its texts', async () => {
    const issuer = await hostile();
    const { slug } = await page(oidc(issuer.issuer), { name: 'Inside Acme' });
    issuer.respond = (path, response) => {
      if (path !== '/token') return false;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: 'invalid_client', error_description: '<b>internal host 10.0.0.7</b>' }),
      );
      return true;
    };
    const visitor = browser();
    const failed = await visitor.visit(
      `${callback(slug, issuer.callback(await begin(visitor, slug)))}&lang=de`,
    );
    expect(failed.status).toBe(502);
    expect(failed.text).toContain('<html lang="de"');
    expect(failed.text).toContain('Inside Acme');
    expect(failed.text).toContain('Die Anmeldung funktioniert gerade nicht');
    expect(failed.text).toContain('invalid_client');
    expect(failed.text).not.toContain('10.0.0.7');

    await issuer.stop();
    const down = await hostile();
    const unreachable = await page(oidc(down.issuer));
    await down.stop();
    const { status, text } = await browser().send(`/status/${unreachable.slug}/access/oidc`);
    expect(status).toBe(502);
    expect(text).toContain('connection refused');
    stops.length = 0;
  });

  it('returns 404 without such a rule', async () => {
    const { slug } = await page({ password: 'correct horse' });
    expect((await browser().send(`/status/${slug}/access/oidc`)).status).toBe(404);
    expect((await browser().visit(callback(slug, '?code=a&state=b'))).status).toBe(404);
    expect((await browser().visit(callback('unknown', '?code=a&state=b'))).status).toBe(404);
  });

  it('hides state, nonce and verifier in the cookie', async () => {
    const issuer = await hostile();
    const { slug, id } = await page(oidc(issuer.issuer));
    const visitor = browser();
    const { searchParams } = new URL(await begin(visitor, slug));
    const cookie = visitor.cookies.get(`sign-in-${id}`) ?? '';
    const bytes = Buffer.from(cookie, 'base64url').toString('latin1');
    for (const name of ['state', 'nonce']) expect(bytes).not.toContain(searchParams.get(name));
  });
});
