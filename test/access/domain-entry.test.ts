import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { domainsOf } from '../domains/use-domains.js';
import { HostileIssuer } from './oidc/hostile-issuer.js';
import { useEntry } from './use-entry.js';

const { server, tenant, change, mailTo, linkTo } = useEntry({
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  PUBLIC_URL: 'https://status.example.com',
});
const domains = domainsOf(server);
const client = { client_id: 'status-page', client_secret: 'secret' };

let issuer: HostileIssuer;
beforeAll(async () => void (issuer = await HostileIssuer.start()));
afterAll(() => issuer.stop());

interface Answer {
  status: number | undefined;
  cookies: string[];
  location: string | undefined;
  text: string;
}

/** Sends a request by a domain. */
async function on(
  host: string,
  path: string,
  { form, cookie }: { form?: Record<string, string>; cookie?: string } = {},
): Promise<Answer> {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const headers = {
      host,
      ...(cookie !== undefined && { cookie }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    request(new URL(path, server.url), { method: form ? 'POST' : 'GET', headers }, resolve)
      .on('error', reject)
      .end(form && new URLSearchParams(form).toString());
  });
  const { statusCode: status, headers } = response;
  const cookies = headers['set-cookie'] ?? [];
  return { status, cookies, location: headers.location, text: await text(response) };
}

const pairOf = (cookie = ''): string => cookie.split(';', 1)[0] ?? '';

describe('a private page on its domain', () => {
  it('signs visitors in with a callback and cookies of the domain', async () => {
    const { id, slug } = await domains.page(tenant, 'sso.acme.example', { is_public: false });
    await change({ id }, { oidc: { issuer: issuer.issuer, ...client, email_domains: [] } });
    const begun = await on('sso.acme.example', '/access/oidc', { form: { to: '/subscribe' } });
    expect(begun.status).toBe(200);
    const [, url = ''] = /content="0;url=([^"]+)"/.exec(begun.text) ?? [];
    const query = issuer.callback(url.replaceAll('&amp;', '&'));
    const [cookie] = begun.cookies;
    expect(cookie).toMatch(
      new RegExp(`^__Host-sign-in-${id}=[\\w-]+; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$`),
    );
    // The same cookie on the other host of the page.
    const elsewhere = await on('status.example.com', `/status/${slug}/access/oidc/callback${query}`, {
      cookie: pairOf(cookie),
    });
    expect(elsewhere.status).toBe(400);
    const entered = await on('sso.acme.example', `/access/oidc/callback${query}`, { cookie: pairOf(cookie) });
    expect(entered.status).toBe(303);
    expect(entered.location).toBe('/subscribe');
    expect(issuer.tokenRequest.get('redirect_uri')).toBe('https://sso.acme.example/access/oidc/callback');
    const session = entered.cookies.map((one) => pairOf(one)).find((one) => one.startsWith('__Host-access-'));
    expect((await on('sso.acme.example', '/', { cookie: session ?? '' })).status).toBe(200);
    const path = `/status/${slug}`;
    expect((await on('status.example.com', path, { cookie: session ?? '' })).status).toBe(403);
  });

  it('sends links to the domain', async () => {
    const { id } = await domains.page(tenant, 'mail.acme.example', { is_public: false });
    await change({ id }, { email_domains: ['mail.example'] });
    await on('mail.acme.example', '/access/email', { form: { email: 'ada@mail.example' } });
    const link = await linkTo('ada@mail.example');
    expect(link).toMatch(/^\/access\/email\/ae_\w{46}$/);
    const [mail] = await mailTo('ada@mail.example');
    expect(mail?.text).toContain(`https://mail.acme.example${link}`);
    expect((await on('mail.acme.example', link)).status).toBe(200);
    const used = await on('mail.acme.example', link, { form: {} });
    expect(used.status).toBe(303);
    expect(used.location).toBe('/');
  });
});
