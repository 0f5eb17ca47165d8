import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_OIDC_SIGN_INS, MemberLimits } from '../../src/members/member-limits.js';
import { MAX_OF_NETWORK } from '../../src/members/oidc-sign-in.js';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { SecretsService } from '../../src/platform/secrets/secrets.service.js';
import { RequestCounts } from '../../src/platform/server/request-counts.js';
import { HostileIssuer } from '../access/oidc/hostile-issuer.js';
import { CLIENT, TestProvider } from '../access/oidc/provider.js';
import { Browser, type Visited } from '../access/use-entry.js';
import { newEmail, useMembers } from '../members/use-members.js';
import { type TestServer, until, useTenant, useTestServer } from '../support/server.js';
import { hiddenIn } from './use-console.js';

const PATH = '/manage/sign-in/oidc';

/** The port does not matter: programs follow the redirects of the provider to the server of the test. */
const PUBLIC_URL = 'https://127.0.0.1:9';
const REDIRECT = `${PUBLIC_URL}${PATH}`;

// Browsers accept cookies with this prefix only over HTTPS, from this host, and for all paths.
const FLOW = '__Host-manage-sign-in';
const SESSION = '__Host-manage';

const [issuer, provider] = [await HostileIssuer.start(), await TestProvider.start([REDIRECT])];
afterAll(async () => {
  await Promise.all([issuer.stop(), provider.stop()]);
});

// oidc-provider warns that its storage and its keys are for development only.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
});

afterEach(() => {
  issuer.respond = undefined;
  issuer.claims = {};
  issuer.requests.length = 0;
});

const settings = (of: string) => ({
  PUBLIC_URL,
  TRUST_PROXY: '1',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  OIDC_ISSUER: of,
  OIDC_CLIENT_ID: CLIENT.client_id,
  OIDC_CLIENT_SECRET: CLIENT.client_secret,
});

let networks = 0;
/** A browser in a network of its own. */
const browserOf = (server: TestServer) =>
  new Browser(server.url, { 'x-forwarded-for': `2001:db8:2:${(networks += 1).toString(16)}::1` });

/** Returns the URL to which the page leads. */
function targetOf({ text }: Visited): string {
  const [, url = ''] = /<a class="button" href="([^"]+)"/.exec(text) ?? [];
  return url.replaceAll('&amp;', '&');
}

const began = async (visitor: Browser, to = ''): Promise<string> =>
  targetOf(await visitor.send(PATH, { to }));

describe('sign-in with a real provider of OpenID Connect', () => {
  const server = useTestServer({ ...settings(provider.issuer), OIDC_NAME: 'Acme & <Co>' });
  const { member } = useMembers(server, useTenant(server));

  it('leads a member to the wanted screen, with a new session', async () => {
    const { email } = await member('editor');
    provider.account = { email: email.toUpperCase(), email_verified: true };
    const visitor = browserOf(server);
    const shown = await visitor.visit('/manage/sign-in?to=%2Fmanage%2Fincidents%2Fnew%3Fproject%3D1');
    expect(shown.text).toContain('Sign in with Acme &amp; &lt;Co>');
    expect(shown.text).toContain(`formaction="${PATH}" formnovalidate`);
    const begun = await visitor.send(PATH, { to: '/manage/incidents/new?project=1' });
    expect([begun.status, begun.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(begun.text).toContain('http-equiv="refresh"');
    expect(begun.headers.getSetCookie()[0]).toMatch(
      new RegExp(`^${FLOW}=[\\w-]+; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$`),
    );
    const returned = new URL(await provider.signIn(targetOf(begun)));
    expect(returned.origin + returned.pathname).toBe(REDIRECT);
    const entered = await visitor.visit(returned.pathname + returned.search);
    expect([entered.status, entered.headers.get('location')]).toEqual([
      303,
      '/manage/incidents/new?project=1',
    ]);
    expect([...visitor.cookies.keys()]).toEqual([SESSION]);
    expect((await visitor.visit('/manage')).text).toContain('A editor');
    // The cookie of the sign-in is gone, and the provider accepts a code only once.
    expect((await visitor.visit(returned.pathname + returned.search)).status).toBe(400);
  });

  it('explains that the member has cancelled', async () => {
    provider.isCancelling = true;
    const visitor = browserOf(server);
    const returned = new URL(await provider.signIn(await began(visitor)));
    const { status, text } = await visitor.visit(returned.pathname + returned.search);
    expect([status, text]).toEqual([403, expect.stringContaining('You are not signed in')]);
    expect(visitor.cookies.size).toBe(0);
  });
});

describe('sign-in with OpenID Connect', () => {
  const server = useTestServer(settings(issuer.issuer));
  const tenant = useTenant(server);
  const { member, patch, post } = useMembers(server, tenant);
  const browser = () => browserOf(server);

  /** Begins a sign-in. Returns the path of the callback. */
  async function callbackOf(
    visitor: Browser,
    email: string | undefined,
    { to = '', changes = {} as Record<string, string | null> } = {},
  ): Promise<string> {
    if (email !== undefined) issuer.claims = { email, ...issuer.claims };
    return PATH + issuer.callback(await began(visitor, to), changes);
  }

  const signIn = async (visitor: Browser, email?: string, options = {}) =>
    visitor.visit(await callbackOf(visitor, email, options));

  it('makes an invited member active, and records it with the session', async () => {
    const email = newEmail();
    const { id } = (await post({ email, name: 'Grace', role: 'viewer' })).body.data;
    const visitor = browser();
    expect((await signIn(visitor, email)).headers.get('location')).toBe('/manage');
    const [row] = await server.sql<{ status: string }[]>('SELECT status FROM members WHERE id = $1', [id]);
    expect(row?.status).toBe('active');
    const events = await server.sql<{ type: string }[]>(
      'SELECT type FROM events WHERE resource_id = $1 ORDER BY id',
      [id],
    );
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'member.created',
      'member.updated',
      'session.started',
    ]);
    expect((await signIn(browser(), email)).status).toBe(303);
  });

  it('shows the same for an unknown address, a disabled member, and a missing or unverified address', async () => {
    const [disabled, ada] = [await member('admin'), await member('admin')];
    await patch(disabled.id, { status: 'disabled' });
    const accounts = [
      { email: newEmail() },
      { email: disabled.email },
      { email: ada.email, email_verified: false },
      { email: ada.email, email_verified: undefined },
      { email: undefined },
      { email: 'ada' },
      { email: [ada.email] },
    ];
    const shown: unknown[] = [];
    for (const account of accounts) {
      issuer.claims = account;
      const visitor = browser();
      const { status, text } = await signIn(visitor);
      expect(visitor.cookies.size).toBe(0);
      expect(text).toContain('This account cannot sign in here');
      shown.push([status, text]);
    }
    for (const one of shown) expect(one).toEqual(shown[0]);
    expect(shown[0]).toEqual([403, expect.stringContaining('name="password"')]);
  });

  it.each([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'another' }],
    ['another issuer', { iss: 'https://attacker.example' }],
    ['the past', { iat: 1_000_000_000, exp: 1_000_000_060 }],
  ])('rejects an ID token with %s', async (_name, claims) => {
    const { email } = await member();
    issuer.claims = claims;
    const visitor = browser();
    const { status, text } = await signIn(visitor, email);
    expect([status, visitor.cookies.size]).toEqual([502, 0]);
    expect(text).toContain('The provider does not respond as expected');
  });

  it('rejects the callback in another browser, another state and a replayed callback', async () => {
    const { email } = await member();
    const visitor = browser();
    const path = await callbackOf(visitor, email);
    const other = browser();
    const elsewhere = await other.visit(path);
    expect([elsewhere.status, other.cookies.size]).toEqual([400, 0]);
    expect(elsewhere.text).toContain('This sign-in has expired');
    expect((await visitor.visit(path)).status).toBe(303);
    const session = visitor.cookies.get(SESSION);
    expect((await visitor.visit(path)).status).toBe(400);
    expect(visitor.cookies.get(SESSION)).toBe(session);
    const forged = await signIn(browser(), email, { changes: { state: 'forged' } });
    expect(forged.status).toBe(400);
    expect(issuer.requests.filter((one) => one === '/token')).toHaveLength(1);
  });

  it('rejects a cookie that is changed, of a page, of former settings or after ten minutes', async () => {
    const { email } = await member();
    const visitor = browser();
    const path = await callbackOf(visitor, email);
    const value = visitor.cookies.get(FLOW) ?? '';
    const secrets = server.app.get(SecretsService);
    const flow = JSON.parse(secrets.decrypt('access: oidc flow', Buffer.from(value, 'base64url')));
    const sealed = (changes: object) =>
      secrets.encrypt('access: oidc flow', JSON.stringify({ ...flow, ...changes })).toString('base64url');
    for (const cookie of [
      `${value.slice(0, -2)}${value.endsWith('A') ? 'BB' : 'AA'}`,
      sealed({ page_id: tenant.project_id }),
      sealed({ version: 'https://former.example client' }),
      sealed({ redirect_uri: 'https://attacker.example/' }),
      sealed({ expires_at: Date.now() - 1 }),
    ]) {
      visitor.cookies.set(FLOW, cookie);
      expect((await visitor.visit(path)).status).toBe(400);
    }
    expect(issuer.requests).not.toContain('/token');
    visitor.cookies.set(FLOW, sealed({}));
    expect((await visitor.visit(path)).status).toBe(303);
  });

  it('leads only to the console', async () => {
    const { email } = await member();
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/manage/../v1',
      '/manage/sign-in/ml_link',
      '/manage/sign-out',
      `/manage/${'x'.repeat(2_000)}`,
    ]) {
      const { status, headers } = await signIn(browser(), email, { to });
      expect([to, status, headers.get('location')]).toEqual([to, 303, '/manage']);
    }
  });

  it('rejects the form of another site', async () => {
    const headers = { 'x-forwarded-for': '2001:db8:3::1', origin: 'https://evil.example' };
    const visitor = new Browser(server.url, headers);
    expect((await visitor.send(PATH)).status).toBe(403);
    expect(visitor.cookies.size).toBe(0);
  });

  it('starts a new session, and ends the one that the browser has had', async () => {
    const [ada, bob] = [await member(), await member()];
    const visitor = browser();
    await signIn(visitor, ada.email);
    const former = visitor.cookies.get(SESSION) ?? '';
    issuer.claims = {};
    await signIn(visitor, bob.email);
    expect(visitor.cookies.get(SESSION)).not.toBe(former);
    const other = browser();
    other.cookies.set(SESSION, former);
    expect((await other.visit('/manage')).status).toBe(303);
  });

  it('offers each organization of a person, by a link for each', async () => {
    const { organization_id } = await server.tenant();
    const email = newEmail();
    const off = await member('viewer', { email, organization_id: (await server.tenant()).organization_id });
    await server.sql("UPDATE members SET status = 'disabled', updated_at = now() WHERE id = $1", [off.id]);
    await member('viewer', { email });
    await member('admin', { email, organization_id });
    const visitor = browser();
    const { status, text } = await signIn(visitor, email);
    expect([status, visitor.cookies.size]).toEqual([200, 0]);
    const paths = [...text.matchAll(/action="(\/manage\/sign-in\/mo_\w+)"/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(2);
    expect((await visitor.send(paths[1] ?? '')).status).toBe(303);
    expect([...visitor.cookies.keys()]).toEqual([SESSION]); // without the mark of a link by mail, which sets a password
    expect((await visitor.visit('/manage')).text).toContain('A admin');
  });

  it('remains on the screen after a rejected passkey', async () => {
    const shown = await browser().send('/manage/sign-in/passkey/response', { credential: '' });
    expect([shown.status, shown.text.includes(`formaction="${PATH}"`)]).toEqual([403, true]);
  });

  it('keeps the form that a member wrote before the session ended', async () => {
    const { email } = await member('admin');
    const visitor = browser();
    const written = { token: 'x', title: 'Elevator is stuck', body: 'Floor 3', step: 'publish' };
    const ended = await visitor.send('/manage/incidents', written);
    expect(ended.text).toContain(`formaction="${PATH}"`);
    const fields: Record<string, string> = {};
    for (const [name, value] of Object.entries(hiddenIn(ended))) fields[name] = String(value);
    const begun = await visitor.send(PATH, { ...fields, email: '', password: '' });
    expect(begun.text).not.toContain('http-equiv="refresh"');
    expect(begun.text).toContain('target="_blank"');
    expect(begun.text).toContain('name="title" value="Elevator is stuck"');
    expect(begun.text).not.toContain('name="step"');
    issuer.claims = { email };
    expect((await visitor.visit(PATH + issuer.callback(targetOf(begun)))).status).toBe(303);
    const again = await visitor.send('/manage/incidents', { title: written.title, body: written.body });
    expect(again.text).toContain('<blockquote dir="auto">Elevator is stuck</blockquote>');
  });

  it('explains that the provider does not respond, without its texts, and logs it without secrets', async () => {
    const { email } = await member();
    const warn = vi.spyOn(server.app.get<Logger>(LOGGER), 'warn').mockReturnValue();
    const logged = () => warn.mock.calls.filter(([, text]) => text !== 'request completed');
    issuer.respond = (url, response) => {
      if (url !== '/token') return false;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'invalid_client', error_description: '<b>10.0.0.7</b>' }));
      return true;
    };
    // Strangers can cause failures, so the second one is not logged.
    for (let count = 0; count < 2; count++) {
      const { status, text } = await signIn(browser(), email);
      expect(status).toBe(502);
      expect(text).toContain('The provider does not respond as expected');
      expect(text).not.toContain('10.0.0.7');
    }
    const fields = { issuer: new URL(issuer.issuer).host, reason: 'invalid_client' };
    expect(logged()).toEqual([[fields, 'a member could not sign in with OpenID Connect']]);
    warn.mockRestore();
  });

  it('stops after many sign-ins of a client network, which slows no other network', async () => {
    const { email } = await member();
    const counts = server.app.get(RequestCounts);
    for (const step of ['begin', 'end'] as const) {
      const visitor = browser();
      const path = await callbackOf(visitor, email);
      const subject = server.app.get(MemberLimits).oidc(step, visitor.network);
      for (let count = 0; count < MAX_OIDC_SIGN_INS; count++) await counts.add(subject);
      const limited = await (step === 'begin' ? visitor.send(PATH) : visitor.visit(path));
      expect([step, limited.status]).toEqual([step, 429]);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(limited.text).toContain('Too many attempts');
      expect((await signIn(browser(), email)).status).toBe(303);
    }
  });

  it('counts no callbacks without a sign-in in progress, which other sites can cause', async () => {
    const { email } = await member();
    const visitor = browser();
    const path = await callbackOf(visitor, email);
    const subject = server.app.get(MemberLimits).oidc('end', visitor.network);
    for (let count = 1; count < MAX_OIDC_SIGN_INS; count++) await server.app.get(RequestCounts).add(subject);
    const other = new Browser(server.url, visitor.headers);
    expect((await other.visit(`${PATH}?code=a&state=b`)).status).toBe(400);
    expect((await visitor.visit(path)).status).toBe(303);
  });

  it('completes for another network while a stranger floods a slow provider, and slows no other request', async () => {
    const { email } = await member();
    const stranger = browser();
    const waiting: ServerResponse[] = [];
    const path = await callbackOf(stranger, email);
    const cookie = stranger.cookies.get(FLOW) ?? '';
    issuer.respond = (url, response) =>
      url === '/token' && waiting.length < MAX_OF_NETWORK && waiting.push(response) > 0;
    const held = Array.from({ length: 50 }, () => {
      const one = new Browser(server.url, stranger.headers);
      one.cookies.set(FLOW, cookie);
      return one.visit(path);
    });
    await until(async () => waiting.length === MAX_OF_NETWORK);
    const other = browser();
    expect((await other.visit(await callbackOf(other, email))).status).toBe(303);
    expect((await server.ask('/v1/projects', { key: tenant.key })).status).toBe(200);
    expect(issuer.requests.filter((one) => one === '/token')).toHaveLength(MAX_OF_NETWORK + 1);
    for (const response of waiting) response.writeHead(500).end();
    const statuses = new Set((await Promise.all(held)).map(({ status }) => status));
    expect(statuses).toEqual(new Set([502]));
  });
});

describe('without OIDC_ISSUER', () => {
  const server = useTestServer();

  it('offers no sign-in with OpenID Connect, and returns 404 for its path', async () => {
    expect((await browserOf(server).visit('/manage/sign-in')).text).not.toContain(PATH);
    for (const method of ['GET', 'POST']) {
      const { status, text } = await browserOf(server).visit(PATH, { method });
      expect([method, status, text]).toEqual([method, 404, expect.stringContaining('This does not exist')]);
    }
  });
});
