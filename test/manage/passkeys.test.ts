import { describe, expect, it, vi } from 'vitest';
import { MemberLinks } from '../../src/members/member-links.js';
import { MemberSessions } from '../../src/members/member-sessions.js';
import { MAX_PASSKEYS } from '../../src/members/member-limits.js';
import { MAX_PASSKEYS_OF_MEMBER } from '../../src/members/passkeys/member-passkeys.js';
import { PasskeySignIn } from '../../src/members/passkeys/passkey-sign-in.js';
import type { Authenticator, Lie } from '../support/authenticator.js';
import { useTenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import { type Person, type Shown, useConsole } from './use-console.js';
import { ACCOUNT, CHALLENGE, cookiesOf, usePasskeys } from './use-passkeys.js';

const PASSWORD = 'a good long password';
const FIREFOX = 'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0';
const SENTENCE = 'This passkey did not sign you in. Try again, or choose another way.';
const FIVE_MINUTES_MS = 300_000;

const server = useTestServer({ TRUST_PROXY: '1' });
const tenant = useTenant(server);
const { ask, person } = useConsole(server);
const { add, begin, challenge, device, finish, newNetwork, respond, signIn } = usePasskeys(server);

const refOf = ({ id }: Person) => ({ id, organization_id: tenant.organization_id });
const noticeOf = ({ text }: Shown) => /<p class="notice" role="\w+">([^<]*)</.exec(text)?.[1];
const isSignedIn = async (cookie: string) => (await ask(ACCOUNT, { cookie })).status === 200;
const countOf = async ({ id }: Person) =>
  (await server.sql<unknown[]>('SELECT FROM member_passkeys WHERE member_id = $1', [id])).length;

/** Creates a member with a passkey. */
async function withPasskey(): Promise<{ one: Person; own: Authenticator }> {
  const [one, own] = [await person(tenant), device()];
  expect((await add(one, own)).headers.get('location')).toBe(`${ACCOUNT}?done=passkey`);
  return { one, own };
}

/** Sets the first password of a member. Returns the new session. */
async function withPassword(one: Person): Promise<Person> {
  const cookie = cookiesOf(await one.post(ACCOUNT, { new_password: PASSWORD }));
  const token = /name="token" value="([^"]*)"/.exec((await ask(ACCOUNT, { cookie })).text)?.[1] ?? '';
  return {
    ...one,
    cookie,
    get: (path) => ask(path, { cookie }),
    post: (path, fields = {}, headers = {}) => ask(path, { cookie, form: { token, ...fields }, headers }),
  };
}

/** Changes a member by the API. */
const patch = ({ id }: Person, json: object) =>
  server.ask(`/v1/members/${id}`, { method: 'PATCH', key: tenant.key, json });

async function passkeyIdOf({ id }: Person): Promise<string> {
  const [row] = await server.sql<{ id: string }[]>('SELECT id FROM member_passkeys WHERE member_id = $1', [
    id,
  ]);
  return row?.id ?? '';
}

describe('sign-in with a passkey', () => {
  it('needs no address, and leads to the screen that the member wanted', async () => {
    const { one, own } = await withPasskey();
    for (const _ of [1, 2]) {
      const entered = await signIn(own);
      expect([entered.status, entered.headers.get('location')]).toEqual([303, '/manage/pages']);
      const cookie = /manage=ms_\w+/.exec(cookiesOf(entered))?.[0] ?? '';
      expect((await ask(ACCOUNT, { cookie })).text).toContain(`<bdi>${one.email}</bdi>`);
    }
  });

  it('asks for a passkey of this host with verification of the member, and stores nothing for it', async () => {
    const asked = await ask(CHALLENGE, { form: {}, headers: newNetwork() });
    expect(JSON.parse(asked.text)).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: FIVE_MINUTES_MS,
      userVerification: 'required',
      allowCredentials: [],
    });
    expect(asked.headers.get('cache-control')).toBe('no-store');
    expect(asked.headers.getSetCookie().join()).toMatch(
      /^manage-passkey=[\w.-]+; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/,
    );
    const statements = await statementsOf(async () => {
      for (let count = 0; count < 100; count++) await challenge();
    });
    expect(statements).toEqual([]);
  });

  it.each<[string, Lie]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another host', { rp_id: 'evil.example' }],
    ['for another challenge', { challenge: 'x'.repeat(43) }],
    ['without verification of the member', { isVerified: false }],
    ['by the key of another device', { isForged: true }],
    ['that was made for a new passkey', { type: 'webauthn.create' }],
    ['for another member', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['of an unknown passkey', { credentialId: Buffer.from('unknown') }],
  ])('rejects a signature %s, with the same sentence', async (_, lie) => {
    const { own } = await withPasskey();
    const shown = await signIn(own, lie);
    expect([shown.status, noticeOf(shown), cookiesOf(shown)]).toEqual([403, SENTENCE, 'manage-passkey=']);
    expect((await signIn(own)).status).toBe(303);
  });

  it('works once for each challenge, also for an older one', async () => {
    const { own } = await withPasskey();
    const [older, latest] = [await challenge(), await challenge()];
    const credential = own.get(latest.options);
    expect((await respond(credential, latest.cookie)).status).toBe(303);
    own.counter = 10;
    for (const [sent, cookie] of [
      [credential, latest.cookie],
      [own.get(latest.options), latest.cookie],
      [own.get(older.options), older.cookie],
    ])
      expect((await respond(sent ?? '', cookie)).status).toBe(403);
  });

  it('signs in once of many concurrent requests with a challenge', async () => {
    const { own } = await withPasskey();
    const { options, cookie } = await challenge();
    const credential = own.get(options);
    const all = await Promise.all([1, 2, 3, 4].map(() => respond(credential, cookie)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([303, 403, 403, 403]);
  });

  it('works only in the browser that has asked, for five minutes', async () => {
    const { own } = await withPasskey();
    const [first, second] = [await challenge(), await challenge()];
    const forged = first.cookie.replace(/=[^.]*/, `=${(Date.now() - 1_000).toString(36)}`);
    for (const cookie of ['', second.cookie, forged, 'manage-passkey=x'])
      expect((await respond(own.get(first.options), cookie)).status).toBe(403);
    const late = Date.now() + FIVE_MINUTES_MS + 1_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(late);
    try {
      expect((await respond(own.get(first.options), first.cookie)).status).toBe(403);
    } finally {
      clock.mockRestore();
    }
    expect((await respond(own.get(first.options), first.cookie)).status).toBe(303);
  });

  it('rejects a device whose number of signatures has not grown, unless it does not count', async () => {
    const { own } = await withPasskey();
    expect((await signIn(own, { counter: 5 })).status).toBe(303);
    for (const counter of [5, 4, 0]) expect((await signIn(own, { counter })).status).toBe(403);
    expect((await signIn(own, { counter: 6 })).status).toBe(303);
    const { own: other } = await withPasskey();
    for (const counter of [0, 0]) expect((await signIn(other, { counter })).status).toBe(303);
  });

  it('ends with the member, and does not return with a disabled member', async () => {
    const { one, own } = await withPasskey();
    expect((await patch(one, { status: 'disabled' })).status).toBe(200);
    expect([(await signIn(own)).status, await countOf(one)]).toEqual([403, 0]);
    await patch(one, { status: 'active' });
    expect((await signIn(own)).status).toBe(403);
    const second = await withPasskey();
    await server.ask(`/v1/members/${second.one.id}`, { method: 'DELETE', key: tenant.key });
    expect([(await signIn(second.own)).status, await countOf(second.one)]).toEqual([403, 0]);
  });

  it('rejects a member who is disabled in the meantime', async () => {
    const { one, own } = await withPasskey();
    await server.sql("UPDATE members SET status = 'disabled', updated_at = now() WHERE id = $1", [one.id]);
    expect((await signIn(own)).status).toBe(403);
  });

  it('rejects input that is not the response of a device', async () => {
    const { own } = await withPasskey();
    const { options, cookie } = await challenge();
    const right = own.get(options);
    const broken = [
      '',
      'null',
      '[]',
      '{"id":1}',
      '{"response":{}}',
      '['.repeat(100_000),
      right.replace(/"signature":"[^"]*"/, '"signature":"AA"'),
      right.replace(/"signature":"[^"]*"/, '"signature":["AA"]'),
      right.replace(/"authenticatorData":"[^"]*"/, '"authenticatorData":"AAAA"'),
      right.replace(/"authenticatorData":"[^"]*"/, `"authenticatorData":"${'A'.repeat(30_000)}"`),
      right.replace(/"clientDataJSON":"[^"]*"/, '"clientDataJSON":"bnVsbA"'),
    ];
    for (const sent of broken) {
      const shown = await respond(sent, cookie);
      expect([sent.slice(0, 40), shown.status, noticeOf(shown)]).toEqual([sent.slice(0, 40), 403, SENTENCE]);
    }
    expect((await respond(right, cookie)).status).toBe(303);
  });

  it('stops after failed attempts of a client network, which keeps no other network out', async () => {
    const { own } = await withPasskey();
    const headers = newNetwork();
    for (let count = 0; count < MAX_PASSKEYS; count++)
      expect((await respond('', '', headers)).status).toBe(403);
    const shown = await signIn(own, {}, headers);
    expect([shown.status, noticeOf(shown)]).toEqual([429, expect.stringMatching(/^Too many attempts\./)]);
    expect(Number(shown.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn(own)).status).toBe(303);
  });

  it('reads nothing for ten thousand attempts of a client network but for the first ones', async () => {
    const { own } = await withPasskey();
    const { options, cookie } = await challenge();
    const sent = own.get(options, { credentialId: Buffer.from('unknown') });
    const client = { network: '192.0.2.77', user_agent: '', request_id: null };
    const value = cookie.split('=')[1];
    const kinds: string[] = [];
    const statements = await statementsOf(async () => {
      for (let count = 0; count < 10_000; count++)
        kinds.push((await server.app.get(PasskeySignIn).withPasskey(sent, value, client)).kind);
    });
    expect(statements.filter((text) => text.includes('member_passkeys')).length).toBe(MAX_PASSKEYS);
    expect(kinds.filter((kind) => kind === 'limited').length).toBe(10_000 - MAX_PASSKEYS);
  });

  it('keeps a form that was sent without a session', async () => {
    const { own } = await withPasskey();
    const { options, cookie } = await challenge();
    const form = { credential: own.get(options), kept: 'title=Written+before', kept_to: '/manage/incidents' };
    const shown = await ask('/manage/sign-in/passkey/response', { form, cookie });
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('Written before')]);
  });

  it('appears in the log of the organization, as failed attempts do, without a secret', async () => {
    const { one, own } = await withPasskey();
    await signIn(own, { isForged: true });
    await signIn(own);
    const rows = await server.sql<{ type: string; via: string; row: string }[]>(
      'SELECT type, via, to_jsonb(events)::text AS row FROM events WHERE resource_id = $1 ORDER BY created_at, id',
      [one.id],
    );
    expect(rows.slice(-3).map(({ type, via }) => [type, via])).toEqual([
      ['member.passkey_added', 'console'],
      ['session.failed', 'console'],
      ['session.started', 'console'],
    ]);
    for (const { row } of rows.slice(-3)) {
      expect(row).not.toContain(own.credentialId.toString('hex'));
      expect(row).not.toContain(own.credentialId.toString('base64url'));
    }
  });
});

describe('a new passkey', () => {
  it('appears with the browser that has added it, and its use', async () => {
    const [one, own] = [await person(tenant), device()];
    const options = JSON.parse((await begin(one)).text);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: one.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    await finish(one, own.create(options), { 'User-Agent': FIREFOX });
    const shown = await one.get(`${ACCOUNT}?done=passkey`);
    expect(noticeOf(shown)).toBe('Your passkey works now.');
    expect(shown.text).toMatch(
      /<bdi class="what">Firefox on Android<\/bdi><span class="quiet">Not used yet · since/,
    );
    await signIn(own);
    expect((await one.get(ACCOUNT)).text).toMatch(
      /Firefox on Android<\/bdi><span class="quiet">Last use now/,
    );
    const again = JSON.parse((await begin(one)).text);
    expect(again.excludeCredentials).toEqual([
      { id: own.credentialId.toString('base64url'), type: 'public-key', transports: ['hybrid', 'internal'] },
    ]);
  });

  it.each<[string, Lie]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another host', { rp_id: 'evil.example' }],
    ['for another challenge', { challenge: 'x'.repeat(43) }],
    ['without verification of the member', { isVerified: false }],
    ['that was made to sign in', { type: 'webauthn.get' }],
    [
      'with a certificate of a manufacturer, whose URLs nobody requests',
      {
        attestation: {
          fmt: 'packed',
          attStmt: new Map<string, string | Buffer[]>([['x5c', [Buffer.from('x')]]]),
        },
      },
    ],
    [
      'with an attestation of another form',
      { attestation: { fmt: 'android-safetynet', attStmt: new Map() } },
    ],
  ])('fails %s', async (_, lie) => {
    const [one, own] = [await person(tenant), device()];
    const shown = await add(one, own, lie);
    expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('The passkey was not added')]);
    expect([(await signIn(own)).status, await countOf(one)]).toEqual([403, 0]);
  });

  it('signs the challenge of its session, once and in five minutes', async () => {
    const [one, other, own] = [await person(tenant), await person(tenant), device()];
    const sent = own.create(JSON.parse((await begin(one)).text));
    expect((await finish(other, sent)).status).toBe(403);
    expect((await finish(one, sent)).status).toBe(303);
    await server.sql('DELETE FROM member_passkeys WHERE member_id = $1', [one.id]);
    expect((await finish(one, sent)).status).toBe(403);
    const late = own.create(JSON.parse((await begin(one)).text));
    await server.sql(
      "UPDATE member_sessions SET passkey_challenge_at = passkey_challenge_at - interval '5 minutes' WHERE member_id = $1",
      [one.id],
    );
    expect((await finish(one, late)).status).toBe(403);
    const former = own.create(JSON.parse((await begin(one)).text));
    await begin(one);
    expect((await finish(one, former)).status).toBe(403);
    expect(await countOf(one)).toBe(0);
  });

  it('requires the present password, if there is one, and stops after wrong ones', async () => {
    const one = await withPassword(await person(tenant));
    const ofPassword = async (passkey_password: string) => {
      const { status, text } = await begin(one, { passkey_password });
      return [status, JSON.parse(text).error];
    };
    expect(await ofPassword('')).toEqual([400, 'Current password is missing.']);
    const tooLong = `a${'\u0301'.repeat(5_000)}${'\u0316'.repeat(5_000)}`; // slow to normalize, so it is not compared
    expect(await ofPassword(tooLong)).toEqual([403, 'The current password is wrong.']);
    for (let count = 0; count < 10; count++)
      expect(await ofPassword('wrong')).toEqual([403, 'The current password is wrong.']);
    expect(await ofPassword(PASSWORD)).toEqual([429, expect.stringMatching(/^Too many attempts\./)]);
    const [row] = await server.sql<{ challenge: unknown }[]>(
      'SELECT passkey_challenge AS challenge FROM member_sessions WHERE member_id = $1',
      [one.id],
    );
    expect(row?.challenge).toBeNull();
    const other = await withPassword(await person(tenant));
    const asked = await begin(other, { passkey_password: PASSWORD });
    expect((await finish(other, device().create(JSON.parse(asked.text)))).status).toBe(303);
  });

  it('belongs to one member', async () => {
    const { one, own } = await withPasskey();
    const other = await person(tenant);
    const shown = await add(other, own);
    expect([shown.status, shown.text]).toEqual([409, expect.stringContaining('You have added the passkey')]);
    expect([await countOf(one), await countOf(other)]).toEqual([1, 0]);
  });

  it('fails above the number of passkeys of a member', async () => {
    const { one } = await withPasskey();
    await server.sql(
      `INSERT INTO member_passkeys (id, organization_id, member_id, credential, public_key, counter, transports, name)
       SELECT gen_random_uuid(), organization_id, member_id, uuid_send(gen_random_uuid()), public_key, 0, transports,
              repeat('<', 100)
         FROM member_passkeys, generate_series(1, $2) WHERE member_id = $1`,
      [one.id, MAX_PASSKEYS_OF_MEMBER - 1],
    );
    const shown = await add(one, device());
    expect([shown.status, shown.text]).toEqual([409, expect.stringContaining('You have 20 passkeys')]);
    const account = await one.get(ACCOUNT);
    expect(account.text).not.toContain('Add a passkey');
    expect(Buffer.byteLength(account.text)).toBeLessThanOrEqual(30_000);
  });

  it('leaves other sessions alone', async () => {
    const one = await person(tenant);
    const { token } = (await server.app
      .get(MemberSessions, { strict: false })
      .start(refOf(one), { user_agent: FIREFOX, request_id: null })) ?? { token: '' };
    await add(one, device());
    for (const cookie of [one.cookie, `manage=${token}`]) expect(await isSignedIn(cookie)).toBe(true);
  });

  it('requires the token of the session', async () => {
    const [one, other] = [await person(tenant), await person(tenant)];
    const token = /name="token" value="([^"]*)"/.exec((await other.get(ACCOUNT)).text)?.[1] ?? '';
    expect((await begin(one, { token })).status).toBe(403);
    const sent = device().create(JSON.parse((await begin(one)).text));
    expect((await one.post(`${ACCOUNT}/passkeys`, { credential: sent, token })).status).toBe(403);
    expect(await countOf(one)).toBe(0);
  });
});

describe('the removal of a passkey', () => {
  it('asks first, then ends all other sessions and links of the member', async () => {
    const { one, own } = await withPasskey();
    const entered = await signIn(own);
    const other = /manage=ms_\w+/.exec(cookiesOf(entered))?.[0] ?? '';
    const link = await server.app.get(MemberLinks, { strict: false }).create(refOf(one));
    const path = `${ACCOUNT}/passkeys/${await passkeyIdOf(one)}`;
    const asked = await one.post(path);
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('Remove the passkey of')]);
    expect([await isSignedIn(other), await countOf(one)]).toEqual([true, 1]);
    const removed = await one.post(path, { step: 'delete' });
    expect([removed.status, removed.headers.get('location')]).toEqual([
      303,
      `${ACCOUNT}?done=passkey_removed`,
    ]);
    expect([await isSignedIn(other), await isSignedIn(one.cookie)]).toEqual([false, true]);
    expect(await server.app.get(MemberLinks, { strict: false }).find(link)).toBeUndefined();
    expect((await signIn(own)).status).toBe(403);
    const [event] = await server.sql<{ type: string }[]>(
      'SELECT type FROM events WHERE resource_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [one.id],
    );
    expect(event?.type).toBe('member.passkey_removed');
  });

  it('returns 404 for the passkey of another member, also to an admin', async () => {
    const { one } = await withPasskey();
    const stranger = await person(tenant, 'admin');
    const path = `${ACCOUNT}/passkeys/${await passkeyIdOf(one)}`;
    for (const step of ['', 'delete']) expect((await stranger.post(path, { step })).status).toBe(404);
    expect((await stranger.post(`${ACCOUNT}/passkeys/x`, { step: 'delete' })).status).toBe(404);
    expect(await countOf(one)).toBe(1);
    expect(await server.app.get(MemberSessions, { strict: false }).list(refOf(one))).toHaveLength(1);
  });
});

describe('the script of passkeys', () => {
  const sourceIn = ({ text }: Shown) => /<script src="([^"]*)" defer><\/script>/.exec(text)?.[1] ?? '';

  it('runs only on the two screens that need it, and sends requests to the console only', async () => {
    const { get } = await person(tenant, 'admin');
    for (const shown of [await ask('/manage/sign-in'), await get(ACCOUNT)]) {
      expect(sourceIn(shown)).toMatch(/^\/manage\/passkeys-[0-9a-f]{12}\.js$/);
      const policy = shown.headers.get('content-security-policy') ?? '';
      expect(policy.split(';').slice(-2)).toEqual(["script-src 'self'", "connect-src 'self'"]);
      expect(policy).toContain("default-src 'none'");
    }
    for (const path of ['/manage', '/manage/pages', '/manage/members'])
      expect([path, (await get(path)).text.includes('/manage/passkeys-')]).toEqual([path, false]);
  });

  it('stays in caches under a path of its content', async () => {
    const { status, headers } = await ask(sourceIn(await ask('/manage/sign-in')));
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('shows the buttons, which are hidden without it', async () => {
    const signInScreen = await ask('/manage/sign-in');
    expect(signInScreen.text).toMatch(/<button[^>]* hidden>Sign in with a passkey</);
    const { get } = await person(tenant);
    const { text } = await get(ACCOUNT);
    expect(text).toMatch(/<form class="form" method="post" action="\/manage\/account\/passkeys" hidden>/);
    expect(text).toContain('allow JavaScript for this site');
  });
});
