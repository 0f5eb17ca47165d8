import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CodeFlow, SignInError } from '../../../src/platform/oidc/code-flow.js';
import { IssuerRequests } from '../../../src/platform/oidc/issuer-requests.js';
import { checkMetadata, Issuers } from '../../../src/platform/oidc/issuers.js';
import {
  MAX_CONCURRENT,
  type OidcRule,
  OidcSignInService,
} from '../../../src/visitors/oidc/oidc-sign-in.service.js';
import { until } from '../../support/server.js';
import { guardWith } from '../../webhooks/use-sender.js';
import { HostileIssuer } from './hostile-issuer.js';
import { CLIENT, TestProvider } from './provider.js';

const REDIRECT = 'http://127.0.0.1:9/status/acme/access/oidc/callback';
const BINDING = { page_id: 'page', version: '1', redirect_uri: REDIRECT };

// oidc-provider warns that its storage and its keys are for development only.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

function service(networks = '127.0.0.0/8'): Pick<CodeFlow, 'begin'> & Pick<OidcSignInService, 'finish'> {
  const requests = new IssuerRequests(guardWith({ WEBHOOK_ALLOWED_NETWORKS: networks }));
  const codeFlow = new CodeFlow(new Issuers(requests));
  const visitors = new OidcSignInService(codeFlow);
  return { begin: codeFlow.begin.bind(codeFlow), finish: visitors.finish.bind(visitors) };
}

function ruleOf(issuer: string, email_domains: string[] = ['acme.com']): OidcRule {
  return { issuer, ...CLIENT, email_domains };
}

async function hostile(): Promise<HostileIssuer> {
  const issuer = await HostileIssuer.start();
  stops.push(() => issuer.stop());
  return issuer;
}

/** Signs in, and returns `in`, or the kind and the reason of the failure. */
async function attempt(
  issuer: HostileIssuer,
  changes: Record<string, string | null> = {},
  { signIn = service(), rule = ruleOf(issuer.issuer) } = {},
): Promise<string> {
  return resultOf(async () => {
    const { url, flow } = await signIn.begin(rule, BINDING, '');
    await signIn.finish(rule, flow, issuer.callback(url, changes));
  });
}

async function resultOf(task: () => Promise<void>): Promise<string> {
  try {
    await task();
    return 'in';
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    return `${error.kind}: ${error.message}`;
  }
}

describe('sign-in with a real provider', () => {
  it.each([true, false])(
    'lets in an account with a listed domain (email in the ID token: %s)',
    async (inIdToken) => {
      const provider = await TestProvider.start([REDIRECT], inIdToken);
      stops.push(() => provider.stop());
      const signIn = service();
      const rule = ruleOf(provider.issuer);
      const { url, flow } = await signIn.begin(rule, BINDING, '/history');
      const callback = await provider.signIn(url);
      expect(await resultOf(() => signIn.finish(rule, flow, new URL(callback).search))).toBe('in');
      // The provider accepts a code only once.
      expect(await resultOf(() => signIn.finish(rule, flow, new URL(callback).search))).toBe(
        'provider: invalid_grant',
      );
      expect(flow.to).toBe('/history');
    },
  );

  it('rejects a visitor who cancels', async () => {
    const provider = await TestProvider.start([REDIRECT]);
    stops.push(() => provider.stop());
    provider.isCancelling = true;
    const signIn = service();
    const rule = ruleOf(provider.issuer);
    const { url, flow } = await signIn.begin(rule, BINDING, '');
    const { search } = new URL(await provider.signIn(url));
    expect(await resultOf(() => signIn.finish(rule, flow, search))).toBe('cancelled: access_denied');
  });

  it('rejects a code of another sign-in', async () => {
    const provider = await TestProvider.start([REDIRECT]);
    stops.push(() => provider.stop());
    const signIn = service();
    const rule = ruleOf(provider.issuer);
    const mine = await signIn.begin(rule, BINDING, '');
    const stolen = await signIn.begin(rule, BINDING, '');
    const query = new URL(await provider.signIn(stolen.url)).searchParams;
    query.set('state', mine.flow.state);
    expect(await resultOf(() => signIn.finish(rule, mine.flow, `?${query}`))).toBe('provider: invalid_grant');
  });
});

describe('sign-in', () => {
  it('sends the verifier of PKCE (S256), and asks for the address only', async () => {
    const issuer = await hostile();
    expect(await attempt(issuer)).toBe('in');
    expect(issuer.isVerified).toBe(true);
    expect(issuer.tokenRequest.get('redirect_uri')).toBe(REDIRECT);
    const { url } = await service().begin(ruleOf(issuer.issuer), BINDING, '');
    const query = new URL(url).searchParams;
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('scope')).toBe('openid email');
  });

  it('rejects the response of another issuer, and one without an issuer', async () => {
    const issuer = await hostile();
    expect(await attempt(issuer, { iss: 'https://attacker.example' })).toBe('provider: invalid response');
    expect(await attempt(issuer, { iss: null })).toBe('provider: invalid response');
    expect(issuer.requests).not.toContain('/token');
  });

  it('rejects a wrong and a missing state without a request', async () => {
    const issuer = await hostile();
    expect(await attempt(issuer, { state: 'forged' })).toBe('expired: wrong state');
    expect(await attempt(issuer, { state: null })).toBe('expired: wrong state');
    expect(issuer.requests).toEqual([
      '/.well-known/openid-configuration',
      '/.well-known/openid-configuration',
    ]);
  });

  it.each([
    ['another client', { aud: 'another' }],
    ['several clients, with another one as the authorized party', { aud: [CLIENT.client_id, 'b'], azp: 'b' }],
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://attacker.example' }],
    ['the past', { iat: 1_000_000_000, exp: 1_000_000_060 }],
    ['no subject', { sub: undefined }],
  ])('rejects an ID token for %s', async (_name, claims) => {
    const issuer = await hostile();
    issuer.claims = claims;
    expect(await attempt(issuer)).toMatch(/^provider: /);
  });

  it('rejects an unsigned ID token, also if the issuer advertises it', async () => {
    const issuer = await hostile();
    issuer.header = { alg: 'none', kid: undefined };
    issuer.metadata = { id_token_signing_alg_values_supported: ['RS256', 'none'] };
    for (const forge of [(token: string) => token, (token: string) => token.replace(/[^.]*$/, '')]) {
      issuer.forge = forge;
      expect(await attempt(issuer)).toMatch(/^provider: /);
    }
  });

  it('rejects an ID token with another signature', async () => {
    const issuer = await hostile();
    issuer.forge = (token) => {
      const [header = '', , signature = ''] = token.split('.');
      const now = Math.floor(Date.now() / 1_000);
      const claims = { iss: issuer.issuer, sub: 'eve', aud: CLIENT.client_id, iat: now, exp: now + 60 };
      const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      const forged = { ...payload, ...claims, email: 'root@acme.com' };
      return `${header}.${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`;
    };
    expect(await attempt(issuer)).toMatch(/^provider: /);
  });

  it('rejects an ID token that is signed with the public key as a secret', async () => {
    const issuer = await hostile();
    issuer.header = { alg: 'HS256' };
    issuer.metadata = { id_token_signing_alg_values_supported: ['RS256', 'HS256'] };
    issuer.forge = (token) => {
      const text = token.slice(0, token.lastIndexOf('.'));
      return `${text}.${createHmac('sha256', issuer.publicKey()).update(text).digest('base64url')}`;
    };
    expect(await attempt(issuer)).toMatch(/^provider: /);
  });

  it('accepts a new key of the issuer, and reads unchanged keys once', async () => {
    const issuer = await hostile();
    const signIn = service();
    expect(await attempt(issuer, {}, { signIn })).toBe('in');
    expect(await attempt(issuer, {}, { signIn })).toBe('in');
    const reads = () => issuer.requests.filter((path) => path === '/jwks').length;
    expect(reads()).toBe(1);
    issuer.rotate('second');
    expect(await attempt(issuer, {}, { signIn })).toBe('in');
    expect(await attempt(issuer, {}, { signIn })).toBe('in');
    expect(reads()).toBe(2);
    expect(issuer.requests.filter((path) => path.startsWith('/.well-known/'))).toHaveLength(1);
  });

  it('rejects metadata that names another issuer', async () => {
    const issuer = await hostile();
    issuer.metadata = { issuer: 'https://attacker.example' };
    expect(await attempt(issuer)).toMatch(/^provider: /);
  });

  it('rejects the metadata of Microsoft for the accounts of all organizations', () => {
    const at = 'https://login.microsoftonline.com/organizations';
    const endpoints = { authorization_endpoint: at, token_endpoint: at, jwks_uri: at };
    const metadata = { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0', ...endpoints };
    expect(() => checkMetadata(metadata, `${at}/v2.0`)).toThrow('the issuer names another issuer');
    expect(checkMetadata({ ...metadata, issuer: `${at}/v2.0` }, `${at}/v2.0`).token_endpoint).toBe(at);
  });

  it('rejects an authorization endpoint that is not on the web', async () => {
    const issuer = await hostile();
    issuer.metadata = { authorization_endpoint: 'javascript:alert(1)' };
    expect(await attempt(issuer)).toMatch(/^provider: /);
  });
});

describe('requests to an issuer', () => {
  it('do not reach internal networks that are not allowed', async () => {
    const issuer = await hostile();
    expect(await attempt(issuer, {}, { signIn: service('192.0.2.0/24') })).toBe(
      'provider: http is not allowed for this address',
    );
    expect(issuer.requests).toEqual([]);
  });

  it('do not follow its metadata into internal networks, nor redirects', async () => {
    const issuer = await hostile();
    const inside = await hostile();
    issuer.metadata = { token_endpoint: inside.issuer.replace('127.0.0.1', '127.0.0.2') };
    expect(await attempt(issuer, {}, { signIn: service('127.0.0.1') })).toBe(
      'provider: http is not allowed for this address',
    );
    issuer.metadata = {};
    issuer.respond = (path, response) => {
      if (path !== '/token') return false;
      response.writeHead(302, { location: `${inside.issuer}/token` }).end();
      return true;
    };
    expect(await attempt(issuer)).toBe('provider: unexpected status');
    expect(inside.requests).toEqual([]);
  });

  it('end after a limited number of bytes', async () => {
    const issuer = await hostile();
    let written = 0;
    issuer.respond = (_path, response) => {
      response.setHeader('content-type', 'application/json');
      const write = () => {
        while (!response.destroyed && written < 64 * 1024 * 1024) {
          written += 16_384;
          if (!response.write(' '.repeat(16_384))) return void response.once('drain', write);
        }
        response.end();
      };
      write();
      return true;
    };
    expect(await attempt(issuer)).toMatch(/^provider: /);
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  it('run a few at a time, so that one slow issuer delays no others', async () => {
    const issuer = await hostile();
    const signIn = service();
    const waiting: ServerResponse[] = [];
    issuer.respond = (path, response) => path === '/token' && waiting.push(response) > 0;
    const attempts = Array.from({ length: MAX_CONCURRENT }, () => attempt(issuer, {}, { signIn }));
    await until(async () => waiting.length === MAX_CONCURRENT);
    expect(await attempt(issuer, {}, { signIn })).toBe('provider: too many sign-ins at a time');
    expect(await attempt(await hostile(), {}, { signIn })).toBe('in');
    for (const response of waiting) response.writeHead(500).end();
    expect(new Set(await Promise.all(attempts))).toEqual(new Set(['provider: unexpected status']));
    issuer.respond = undefined;
    expect(await attempt(issuer, {}, { signIn })).toBe('in');
  });

  it('fail with a reason if the issuer does not exist, and are not repeated for each visitor', async () => {
    const issuer = await hostile();
    const { requests } = issuer;
    issuer.respond = (_path, response) => {
      response.writeHead(500).end('secret of the issuer');
      return true;
    };
    const signIn = service();
    const results = await Promise.all([1, 2, 3].map(() => attempt(issuer, {}, { signIn })));
    expect(results).toEqual(Array.from({ length: 3 }, () => 'provider: unexpected status'));
    expect(requests).toHaveLength(1);
    await issuer.stop();
    expect(await attempt(issuer)).toBe('provider: connection refused');
  });
});
