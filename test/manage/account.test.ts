import { describe, expect, it } from 'vitest';
import { MAX_WRONG, MemberPasswords } from '../../src/members/member-passwords.js';
import { MemberSessions } from '../../src/members/member-sessions.js';
import { ROLES } from '../../src/members/roles.js';
import { RequestCounts } from '../../src/platform/server/request-counts.js';
import { useTenant, useTestServer } from '../support/server.js';
import { hiddenIn, type Person, type Shown, useConsole, valueIn } from './use-console.js';

const PATH = '/manage/account';
const PASSWORD = 'a good long password';
const NEXT = 'another good password';
const FIREFOX = 'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0';

const server = useTestServer();
const tenant = useTenant(server);
const { ask, person } = useConsole(server);

const sessions = () => server.app.get(MemberSessions, { strict: false });
const refOf = ({ id }: Person) => ({ id, organization_id: tenant.organization_id });

/** Starts another session of a member. Returns its cookie. */
async function signInElsewhere(one: Person, user_agent = FIREFOX): Promise<string> {
  const started = await sessions().start(refOf(one), { user_agent, request_id: null });
  return `manage=${started?.token}`;
}

const isSignedIn = async (cookie: string) => (await ask(PATH, { cookie })).status === 200;

/** Returns the cookie that a response sets. */
const cookieOf = ({ headers }: Shown) => headers.getSetCookie()[0] ?? '';

const setPassword = (one: Person, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  one.post(PATH, fields, headers);

/** Creates a member with a password, in a browser. */
async function withPassword(): Promise<Person> {
  const one = await person(tenant);
  const cookie = cookieOf(await setPassword(one, { new_password: PASSWORD })).split(';')[0] ?? '';
  const token = valueIn(await ask(PATH, { cookie }), 'token');
  return {
    ...one,
    cookie,
    get: (path) => ask(path, { cookie }),
    post: (path, fields = {}, headers = {}) => ask(path, { cookie, form: { token, ...fields }, headers }),
  };
}

const errorOf = ({ text }: Shown, field: string) =>
  new RegExp(`<p class="error" id="${field}-error">([^<]*)</p>`).exec(text)?.[1];

describe('GET /manage/account', () => {
  it.each(ROLES)('shows name, address and role of a %s, in at most 30 kB', async (role) => {
    const one = await person(tenant, role);
    for (let count = 0; count < 20; count++) await signInElsewhere(one, '<'.repeat(200));
    const { status, text } = await ask(PATH, { cookie: await signInElsewhere(one) });
    expect(status).toBe(200);
    expect(text).toContain(`<bdi>Pat &lt;${role}></bdi>`);
    expect(text).toContain(`<bdi>${one.email}</bdi>`);
    expect(text).toMatch(new RegExp(`<dd>${role}<small`, 'i'));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30_000);
  });

  it('states that a member sees some projects only', async () => {
    const { get } = await person(tenant, 'viewer', [tenant.project_id]);
    expect((await get(PATH)).text).toContain('Only in some projects.');
  });

  it('appears in the menu of every screen', async () => {
    const { get } = await person(tenant, 'viewer');
    for (const path of ['/manage', '/manage/pages', PATH])
      expect((await get(path)).text).toContain('href="/manage/account"');
  });

  it('changes nothing by a query', async () => {
    const one = await withPassword();
    const other = await signInElsewhere(one);
    const query = new URLSearchParams({ present_password: PASSWORD, new_password: NEXT });
    for (const path of [`${PATH}?${query}`, `${PATH}/other-sessions`, `${PATH}/sessions/x`])
      await one.get(path);
    expect(await isSignedIn(other)).toBe(true);
    expect((await setPassword(one, { present_password: PASSWORD, new_password: NEXT })).status).toBe(303);
  });

  it('shows a confirmation only for what has happened, never text of the query', async () => {
    const { get } = await person(tenant);
    for (const done of ['<b>', 'constructor', '__proto__'])
      expect((await get(`${PATH}?${new URLSearchParams({ done })}`)).text).not.toContain('role="status"');
  });
});

describe('the password form', () => {
  it('gives password managers the address, and distinguishes the two passwords', async () => {
    const without = await (await person(tenant)).get(PATH);
    expect(without.text).not.toContain('autocomplete="current-password"');
    const one = await withPassword();
    const { text } = await one.get(PATH);
    const input = (name: string) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text)?.[0];
    expect(input('username')).toMatch(
      new RegExp(`value="${one.email}" autocomplete="username" readonly hidden`),
    );
    expect(input('present_password')).toMatch(/type="password".*autocomplete="current-password"/);
    expect(input('new_password')).toMatch(/type="password".*autocomplete="new-password"/);
  });

  it('sets the first password, with which the member signs in', async () => {
    const one = await person(tenant);
    expect((await setPassword(one, { new_password: PASSWORD })).status).toBe(303);
    const form = { email: one.email, password: PASSWORD, way: 'password' };
    expect((await ask('/manage/sign-in', { form })).status).toBe(303);
  });

  it('ends all other sessions, and continues in this browser by a new one', async () => {
    const one = await withPassword();
    const other = await signInElsewhere(one);
    const headers = { 'User-Agent': FIREFOX };
    const sent = { present_password: PASSWORD, new_password: NEXT };
    const changed = await setPassword(one, sent, headers);
    expect([changed.status, changed.headers.get('location')]).toEqual([303, `${PATH}?done=password`]);
    const cookie = cookieOf(changed);
    expect(cookie).toMatch(/^manage=ms_\w+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    for (const ended of [one.cookie, other]) expect(await isSignedIn(ended)).toBe(false);
    const { status, text } = await ask(`${PATH}?done=password`, { cookie: cookie.split(';')[0] ?? '' });
    expect([status, text]).toEqual([200, expect.stringContaining('Your new password works now')]);
    expect(text).toContain('Firefox on Android');
  });

  it.each([
    ['nine char', 'The new password is too short. Use at least 10 characters.'],
    ['a b c d'.padEnd(201, 'xyz'), 'The new password is too long. Use at most 200 characters.'],
    ['Password 123', expect.stringContaining('easy to guess')],
    ['', 'New password is missing.'],
  ])('shows what is wrong with the new password %j at its field', async (next, error) => {
    const one = await withPassword();
    const shown = await setPassword(one, { present_password: PASSWORD, new_password: next });
    expect([shown.status, errorOf(shown, 'new_password')]).toEqual([400, error]);
    expect(shown.text).toMatch(/aria-describedby="new_password-hint new_password-error" aria-invalid="true"/);
    expect(await isSignedIn(one.cookie)).toBe(true);
  });

  it('requires the present password, if there is one', async () => {
    const one = await withPassword();
    const missing = await setPassword(one, { new_password: NEXT });
    expect([missing.status, errorOf(missing, 'present_password')]).toEqual([
      400,
      'Current password is missing.',
    ]);
    for (const wrong of ['wrong', 'x'.repeat(500_000)]) {
      const shown = await setPassword(one, { present_password: wrong, new_password: NEXT });
      expect([shown.status, errorOf(shown, 'present_password')]).toEqual([
        403,
        'The current password is wrong.',
      ]);
      expect(shown.headers.getSetCookie()).toEqual([]);
    }
  });

  it('stops after too many wrong passwords, and shows when to try again', async () => {
    const one = await withPassword();
    const subject = { name: `member-change:${one.id}`, limit: MAX_WRONG, seconds: 900 };
    for (let count = 0; count < MAX_WRONG; count++) await server.app.get(RequestCounts).add(subject);
    const shown = await setPassword(one, { present_password: PASSWORD, new_password: NEXT });
    expect([shown.status, errorOf(shown, 'present_password')]).toEqual([
      429,
      expect.stringMatching(/^Too many attempts. Try again in \d+ minutes?\.$/),
    ]);
    expect(Number(shown.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('never repeats a password, also if the session has ended', async () => {
    const one = await withPassword();
    const fields = { present_password: 'a wrong secret', new_password: 'a secret of somebody' };
    const wrong = await setPassword(one, fields);
    const refused = await one.post(PATH, { ...fields, token: 'x' });
    const signedOut = await ask(PATH, { form: fields });
    expect([wrong.status, refused.status, signedOut.status]).toEqual([403, 403, 403]);
    for (const { text } of [wrong, refused, signedOut]) {
      expect(text).not.toMatch(/wrong\W+secret|secret\W+of/);
    }
  });

  it('requires the token of the session', async () => {
    const one = await person(tenant);
    const other = await person(tenant);
    const { token = '' } = hiddenIn(await other.get('/manage'));
    expect((await setPassword(one, { new_password: PASSWORD, token: String(token) })).status).toBe(403);
    const passwords = server.app.get(MemberPasswords, { strict: false });
    expect(await passwords.has(refOf(one))).toBe(false);
  });

  it('records the change and the new session, by the member and without a password', async () => {
    const one = await withPassword();
    const rows = await server.sql<{ type: string; via: string; actor_id: string; row: string }[]>(
      'SELECT type, via, actor_id, to_jsonb(events)::text AS row FROM events WHERE resource_id = $1 ORDER BY created_at, id',
      [one.id],
    );
    const types = rows.map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['member.password_changed', 'session.started']);
    for (const { via, actor_id, row } of rows.slice(-2)) {
      expect([via, actor_id]).toEqual(['console', one.id]);
      expect(row).not.toContain(PASSWORD);
    }
  });
});

describe('the sessions', () => {
  it('appear with browser, last use and start, and which one is this device', async () => {
    const one = await person(tenant);
    await signInElsewhere(one);
    const { text } = await one.get(PATH);
    const rows = text.split('<li class="row plain entry">').slice(1);
    expect(rows.length).toBe(2);
    const [own, other] = [
      rows.find((row) => row.includes('This device')),
      rows.find((row) => row.includes('Firefox')),
    ];
    expect(own).toMatch(/>Test<.*Last use now · since \d+ \w+, \d\d:\d\d UTC/);
    expect(own).not.toContain('<form method="post" action="/manage/account/sessions');
    expect(other).toMatch(
      /Firefox on Android<.*Last use now · since .*aria-label="End the session of Firefox on Android"/,
    );
  });

  it('show hostile browsers as text', async () => {
    const one = await person(tenant);
    await signInElsewhere(one, '"><img src=x onerror=alert(1)>');
    await signInElsewhere(one, '');
    const { text } = await one.get(PATH);
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;img');
    expect(text).toContain('Unknown browser');
  });

  it('end one by one, also if the form is sent twice', async () => {
    const one = await person(tenant);
    const [ended, kept] = [await signInElsewhere(one), await signInElsewhere(one, 'curl/8.5.0')];
    const { text } = await one.get(PATH);
    const row = text.split('<li ').find((part) => part.includes('Firefox')) ?? '';
    const path = /action="([^"]*)"/.exec(row)?.[1] ?? '';
    for (const _ of [1, 2]) {
      const { status, headers } = await one.post(path);
      expect([status, headers.get('location')]).toEqual([303, `${PATH}?done=session`]);
    }
    expect([await isSignedIn(ended), await isSignedIn(kept), await isSignedIn(one.cookie)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('end for all other devices by one button', async () => {
    const one = await person(tenant);
    const others = [await signInElsewhere(one), await signInElsewhere(one)];
    const stranger = await person(tenant);
    const { status, headers } = await one.post(`${PATH}/other-sessions`);
    expect([status, headers.get('location')]).toEqual([303, `${PATH}?done=others`]);
    for (const cookie of others) expect(await isSignedIn(cookie)).toBe(false);
    for (const { cookie } of [one, stranger]) expect(await isSignedIn(cookie)).toBe(true);
    expect((await one.get(PATH)).text).not.toContain('End all other sessions');
  });

  it('end only by their member', async () => {
    const [one, stranger] = [await person(tenant), await person(tenant, 'admin')];
    const [session] = await sessions().list(refOf(one));
    await stranger.post(`${PATH}/sessions/${session?.id}`);
    await stranger.post(`${PATH}/other-sessions`);
    expect(await isSignedIn(one.cookie)).toBe(true);
    expect((await stranger.post(`${PATH}/sessions/x`)).status).toBe(404);
  });
});
