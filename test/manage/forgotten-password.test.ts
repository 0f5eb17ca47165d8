import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemberLinks } from '../../src/members/member-links.js';
import { MemberPasswords } from '../../src/members/member-passwords.js';
import { useTenant, useTestServer } from '../support/server.js';
import { hiddenIn, type Shown, useConsole } from './use-console.js';

const PATH = '/manage/account';
const FORMER = 'a good long password';
const NEXT = 'another good password';

/** Returns the cookies that a response sets, as the browser sends them. */
const cookiesOf = ({ headers }: Shown) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');

describe('a forgotten password', () => {
  const mails = mkdtempSync(join(tmpdir(), 'mail-'));
  const server = useTestServer({ MAIL_DIR: mails });
  const tenant = useTenant(server);
  const { ask, member } = useConsole(server);

  /** Creates a member with a password, who signs in by a link. Returns the response to the link. */
  async function byLink(fields: Record<string, string> = {}) {
    const found = await member(tenant, 'viewer');
    const passwords = server.app.get(MemberPasswords, { strict: false });
    const client = { user_agent: 'Test', request_id: null };
    expect((await passwords.change(found, { present: '', next: FORMER }, client)).kind).toBe('changed');
    const token = await server.app.get(MemberLinks, { strict: false }).create(found);
    return { ...found, entered: await ask(`/manage/sign-in/${token}`, { form: fields }) };
  }

  const signIn = (email: string, password: string) =>
    ask('/manage/sign-in', { form: { email, password, way: 'password' } });

  /** Sends the form for a new password without the present one. */
  async function setPassword(cookie: string): Promise<Shown> {
    const { token = '' } = hiddenIn(await ask(PATH, { cookie }));
    return ask(PATH, { cookie, form: { token, new_password: NEXT } });
  }

  it('gets a new one after a link, without the former one, which ends the other sessions', async () => {
    const { email, entered } = await byLink({ next: 'password' });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, PATH]);
    const other = cookiesOf(await signIn(email, FORMER));
    const cookie = cookiesOf(entered);
    const form = (await ask(PATH, { cookie })).text;
    expect(form).toContain('You have just signed in by a link');
    expect(form).not.toContain('name="present_password"');
    const changed = await setPassword(cookie);
    expect([changed.status, changed.headers.get('location')]).toEqual([303, `${PATH}?done=password`]);
    expect([(await signIn(email, FORMER)).status, (await signIn(email, NEXT)).status]).toEqual([403, 303]);
    for (const ended of [other, cookie]) expect((await ask(PATH, { cookie: ended })).status).toBe(303);
    const mark = cookie.split('; ')[1] ?? '';
    const next = `${cookiesOf(changed)}; ${mark}`;
    expect((await ask(PATH, { cookie: next })).text).toContain('name="present_password"');
  });

  it('needs the former one 15 minutes after the link', async () => {
    const { id, entered } = await byLink();
    const cookie = cookiesOf(entered);
    await server.sql(
      "UPDATE member_sessions SET created_at = created_at - interval '15 minutes' WHERE member_id = $1",
      [id],
    );
    expect((await setPassword(cookie)).status).toBe(400);
  });

  it('needs the former one in a session by password, also with the mark of another session', async () => {
    const { email, entered } = await byLink();
    const [own = '', mark = ''] = [cookiesOf(await signIn(email, FORMER)), cookiesOf(entered).split('; ')[1]];
    expect(mark).toMatch(/^manage-link=[\w-]{43}$/);
    for (const cookie of [own, `${own}; ${mark}`, `${own}; manage-link=`, `${own}; manage-link=x`])
      expect((await setPassword(cookie)).status).toBe(400);
  });

  it('finds an explanation after a wrong password, the same for known and unknown addresses', async () => {
    const { email } = await byLink();
    const pages = [];
    for (const address of [email, 'unknown@example.com'])
      pages.push((await signIn(address, 'a wrong password')).text.replaceAll(address, ''));
    expect(pages[0]).toContain('press “Send me a link”');
    expect(pages[0]).toBe(pages[1]);
  });

  it('leads to the directory of the mail, the same for known and unknown addresses', async () => {
    const { email } = await byLink();
    const pages = [];
    for (const address of [email, 'nobody@example.com'])
      pages.push((await ask('/manage/sign-in', { form: { email: address, way: 'link' } })).text);
    expect(pages[0]).toContain(`They are in ${mails}.`);
    expect(pages[0]).toBe(pages[1]);
  });
});

describe('a server without mail', () => {
  const server = useTestServer();
  const { ask } = useConsole(server);

  it('offers no link by mail, and names who makes one', async () => {
    const { text } = await ask('/manage/sign-in');
    expect(text).not.toContain('Send me a link');
    expect(text).toContain('ask an administrator for a link. This server cannot send mail.');
    const used = await ask('/manage/sign-in/ml_unknown', { form: {} });
    expect(used.text).toContain('Ask an administrator for another one.');
    expect(used.text).not.toContain('Ask for a new link');
    const form = { email: 'unknown@example.com', password: 'a wrong password', way: 'password' };
    expect((await ask('/manage/sign-in', { form })).text).toContain('“cli member link”');
  });
});
