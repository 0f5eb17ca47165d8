import { describe, expect, it } from 'vitest';
import { MAX_SESSIONS } from '../../src/members/member-sessions.js';
import { SCOPES } from '../../src/platform/auth/scopes.js';
import { contentsOf } from '../support/catalogue.js';
import { useTenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import { CLIENT, useMembers } from './use-members.js';

const server = useTestServer();
const tenant = useTenant(server);
const { find, links, member, patch, remove, sessions, signIn } = useMembers(server, tenant);

const setBack = (column: string, interval: string, id: string) =>
  server.sql(`UPDATE member_sessions SET ${column} = now() - interval '${interval}' WHERE member_id = $1`, [
    id,
  ]);

describe('session of a member', () => {
  it('returns an actor of the console with the scopes of the role', async () => {
    const ada = await member('admin');
    const session = await sessions().find(await signIn(ada), '018cc251-f400-7000-8000-000000000099');
    expect(session).toEqual({
      session_id: expect.any(String),
      member: ada,
      actor: {
        type: 'member',
        id: ada.id,
        name: 'A admin',
        organization_id: tenant.organization_id,
        project_ids: null,
        scopes: [...SCOPES],
        via: 'console',
        request_id: '018cc251-f400-7000-8000-000000000099',
      },
    });
  });

  it('takes one statement for each request', async () => {
    const token = await signIn(await member());
    await find(token);
    expect(await statementsOf(() => find(token))).toHaveLength(1);
  });

  it('stores neither its token nor the token of a link', async () => {
    const ada = await member();
    const token = await signIn(ada);
    const link = await links().create(ada);
    const contents = JSON.stringify(await contentsOf(server));
    expect(contents).not.toContain(token);
    expect(contents).not.toContain(link);
  });

  it('returns nothing for an unknown or malformed token', async () => {
    const token = await signIn(await member());
    for (const wrong of ['', 'ms_', token.slice(0, -1), `${token}a`, `ml_${token.slice(3)}`])
      expect(await find(wrong)).toBeUndefined();
  });

  it('ends after 30 days', async () => {
    const ada = await member();
    const token = await signIn(ada);
    const [row] = await server.sql<{ days: number }[]>(
      `SELECT extract(epoch FROM expires_at - created_at)::integer / 86400 AS days FROM member_sessions WHERE member_id = $1`,
      [ada.id],
    );
    expect(row?.days).toBe(30);
    await setBack('expires_at', '0', ada.id);
    expect(await find(token)).toBeUndefined();
  });

  it('ends after 12 hours without a request', async () => {
    const ada = await member();
    const token = await signIn(ada);
    await setBack('last_used_at', '11 hours 59 minutes', ada.id);
    expect(await find(token)).toBeDefined(); // which notes the use
    const [row] = await sessions().list(ada);
    expect(Date.now() - Number(row?.last_used_at)).toBeLessThan(60_000);
    await setBack('last_used_at', '12 hours 1 second', ada.id); // the column has milliseconds
    expect(await find(token)).toBeUndefined();
  });

  it('notes when the member was last seen, without a new version of the member', async () => {
    const ada = await member();
    const token = await signIn(ada);
    await setBack('last_used_at', '2 minutes', ada.id);
    await find(token);
    const [row] = await server.sql<{ is_seen: boolean; is_changed: boolean }[]>(
      `SELECT last_seen_at > now() - interval '1 minute' AS is_seen, updated_at > last_seen_at AS is_changed
         FROM members WHERE id = $1`,
      [ada.id],
    );
    expect(row).toEqual({ is_seen: true, is_changed: false });
  });

  it('ends if a twenty-first one starts, the oldest first', async () => {
    const ada = await member();
    const tokens: string[] = [];
    for (let count = 0; count <= MAX_SESSIONS; count++) tokens.push(await signIn(ada));
    expect(await find(tokens[0] ?? '')).toBeUndefined();
    expect(await find(tokens[1] ?? '')).toBeDefined();
    expect(await sessions().list(ada)).toHaveLength(20);
  });

  it('ends at sign-out, and no other session of the member', async () => {
    const ada = await member();
    const [one, other] = [await signIn(ada), await signIn(ada)];
    await sessions().end(one);
    expect(await find(one)).toBeUndefined();
    expect(await find(other)).toBeDefined();
  });

  it('appears in the list of its member only, with the browser', async () => {
    const [ada, bob] = [await member(), await member()];
    const token = await signIn(ada);
    await signIn(bob);
    const listed = await sessions().list(ada);
    expect(listed.map(({ id, user_agent }) => [id, user_agent])).toEqual([
      [(await find(token))?.session_id, 'Firefox'],
    ]);
  });

  it('stores the first 200 characters of the browser', async () => {
    const ada = await member();
    await sessions().start(ada, { ...CLIENT, user_agent: `\0${'🚀'.repeat(300)}` });
    expect((await sessions().list(ada))[0]?.user_agent).toBe(` ${'🚀'.repeat(199)}`);
  });

  it('can end all others of the member, or one', async () => {
    const [ada, bob] = [await member(), await member()];
    const [one, other, third, foreign] = [
      await signIn(ada),
      await signIn(ada),
      await signIn(ada),
      await signIn(bob),
    ];
    const idOf = async (token: string) => (await find(token))?.session_id ?? '';
    expect(await sessions().endOne(bob, await idOf(other))).toBe(false);
    expect(await sessions().endOne(ada, await idOf(other))).toBe(true);
    expect(await find(other)).toBeUndefined();
    await sessions().endOthers(ada, await idOf(one));
    expect(await find(third)).toBeUndefined();
    expect([await find(one), await find(foreign)]).not.toContain(undefined);
  });

  it.each([
    ['role', { role: 'viewer' }],
    ['status', { status: 'disabled' }],
    ['projects', (project_id: string) => ({ project_ids: [project_id] })],
  ])('ends with a change of the %s', async (_what, change) => {
    await member(); // remains an admin
    const ada = await member('editor');
    const [token, link] = [await signIn(ada), await links().create(ada)];
    const json = typeof change === 'function' ? change(tenant.project_id) : change;
    expect((await patch(ada.id, json)).status).toBe(200);
    expect(await find(token)).toBeUndefined();
    expect(await links().use(link)).toBeUndefined();
  });

  it('continues with a change of the name, which its actor has immediately', async () => {
    const ada = await member('editor');
    const token = await signIn(ada);
    await patch(ada.id, { name: 'Ada Lovelace', role: 'editor', status: 'active' });
    expect((await find(token))?.actor.name).toBe('Ada Lovelace');
  });

  it('ends with the deletion of the member', async () => {
    const ada = await member('editor');
    const token = await signIn(ada);
    expect((await remove(ada.id)).status).toBe(204);
    expect(await find(token)).toBeUndefined();
  });

  it('requires an active member, neither disabled nor invited', async () => {
    const ada = await member('editor');
    for (const status of ['disabled', 'invited']) {
      await server.sql('UPDATE members SET status = $2 WHERE id = $1', [ada.id, status]);
      expect(await sessions().start(ada, CLIENT)).toBeUndefined();
    }
  });
});

describe('link of a member', () => {
  it('makes an invited member active, and works once', async () => {
    const ada = await member();
    await server.sql(`UPDATE members SET status = 'invited' WHERE id = $1`, [ada.id]);
    const token = await links().create(ada);
    expect((await links().find(token))?.status).toBe('invited');
    expect(await links().use(token)).toEqual(ada);
    expect(await links().find(token)).toBeUndefined();
    expect(await links().use(token)).toBeUndefined();
  });

  it('works once, also if it is used several times at the same time', async () => {
    const token = await links().create(await member());
    const used = await Promise.all([0, 1, 2].map(() => links().use(token)));
    expect(used.filter(Boolean)).toHaveLength(1);
  });

  it('works for 15 minutes', async () => {
    const ada = await member();
    const token = await links().create(ada);
    const [row] = await server.sql<{ minutes: number }[]>(
      `SELECT extract(epoch FROM expires_at - created_at)::integer / 60 AS minutes FROM member_links WHERE member_id = $1`,
      [ada.id],
    );
    expect(row?.minutes).toBe(15);
    await server.sql(`UPDATE member_links SET expires_at = now() - interval '1 ms' WHERE member_id = $1`, [
      ada.id,
    ]);
    expect(await links().find(token)).toBeUndefined();
    expect(await links().use(token)).toBeUndefined();
  });

  it('leads to the console at the public URL', () => {
    expect(new URL(links().urlOf('ml_token')).pathname).toBe('/manage/sign-in/ml_token');
  });
});
