import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostileIssuer } from './oidc/hostile-issuer.js';
import { CLIENT } from './oidc/provider.js';
import { useEntry } from './use-entry.js';
import { PASSWORD } from './use-gate.js';

const ALLOWED = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

let issuer: HostileIssuer;
beforeAll(async () => void (issuer = await HostileIssuer.start()));
afterAll(() => issuer.stop());

/** Enters a page in each way. Returns the cookies that are set, without their values. */
async function cookiesOf(
  { browser, page, linkTo }: ReturnType<typeof useEntry>,
  headers: Record<string, string>,
): Promise<{ id: string; set: string[] }> {
  const email = `${crypto.randomUUID()}@acme.example`;
  const oidc = { issuer: issuer.issuer, ...CLIENT, email_domains: [] };
  const { id, slug } = await page({ password: PASSWORD, emails: [email], oidc });
  const path = `/status/${slug}/access`;
  const visitor = browser();
  Object.assign(visitor.headers, headers);
  await visitor.send(`${path}/email`, { email });
  const link = await linkTo(email);
  const begun = await visitor.send(`${path}/oidc`);
  const [, url = ''] = /content="0;url=([^"]+)"/.exec(begun.text) ?? [];
  const answers = [
    await visitor.send(`${path}/password`, { password: PASSWORD }),
    await visitor.send(link),
    begun,
    await visitor.visit(`${path}/oidc/callback${issuer.callback(url.replaceAll('&amp;', '&'))}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 200, 303]);
  const set = answers.flatMap((answer) => answer.headers.getSetCookie());
  return { id, set: set.map((cookie) => cookie.replace(/=[^;]*/, '=')) };
}

describe('cookies of private pages on localhost without TLS', () => {
  const entry = useEntry(ALLOWED);

  it.each(['http', 'https'])(
    'omit Secure and __Host-, with which browsers would reject them (X-Forwarded-Proto: %s)',
    async (proto) => {
      const { id, set } = await cookiesOf(entry, { 'x-forwarded-proto': proto });
      const session = `access-${id}=; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax`;
      const signIn = `sign-in-${id}=; Path=/; Max-Age=600; HttpOnly; SameSite=Lax`;
      expect(set).toEqual([session, session, signIn, signIn.replace('Age=600', 'Age=0'), session]);
    },
  );
});

describe('cookies of private pages behind a proxy with TLS', () => {
  const entry = useEntry({ ...ALLOWED, PUBLIC_URL: 'https://status.example.com' });

  it.each(['http', 'https'])(
    'belong to this host only, with all headers that a client can send (X-Forwarded-Proto: %s)',
    async (proto) => {
      const headers = { 'x-forwarded-proto': proto, 'x-forwarded-host': 'localhost', origin: 'null' };
      const { id, set } = await cookiesOf(entry, headers);
      const session = `__Host-access-${id}=; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax`;
      const signIn = `__Host-sign-in-${id}=; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax`;
      expect(set).toEqual([session, session, signIn, signIn.replace('Age=600', 'Age=0'), session]);
    },
  );
});
