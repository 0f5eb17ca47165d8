import { DataSource } from 'typeorm';
import { describe, expect, it, vi } from 'vitest';
import { MAX_WRONG, MemberPasswords } from '../../src/members/member-passwords.js';
import {
  MAX_PASSWORDS,
  MAX_PASSWORDS_OF_ADDRESS,
  MAX_PASSWORDS_OF_NETWORK,
  MemberLimits,
} from '../../src/members/member-limits.js';
import { SignIn } from '../../src/members/sign-in.js';
import type { SignedInMember } from '../../src/members/signed-in-member.js';
import { Passwords } from '../../src/platform/auth/passwords.js';
import { RequestCounts } from '../../src/platform/server/request-counts.js';
import { contentsOf } from '../support/catalogue.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { clientOfNewNetwork as client, CLIENT, newEmail, useMembers } from './use-members.js';

const server = useTestServer();
const tenant = useTenant(server);
const { find, links, member, patch, signIn } = useMembers(server, tenant);

const PASSWORD = 'a good long password';

const signInBy = () => server.app.get(SignIn);
const passwords = () => server.app.get(MemberPasswords);

/** Sets the first password of a member. */
async function withPassword(one: SignedInMember, next = PASSWORD): Promise<SignedInMember> {
  const { kind } = await passwords().change(one, { present: '', next }, CLIENT);
  if (kind !== 'changed') throw new Error(`the password was not set: ${kind}`);
  return one;
}

describe('password', () => {
  it('signs a member in', async () => {
    const ada = await withPassword(await member('editor'));
    const result = await signInBy().withPassword(ada.email.toUpperCase(), PASSWORD, client());
    expect(result).toEqual({ kind: 'signed_in', token: expect.any(String), member: ada });
    expect(result.kind === 'signed_in' && (await find(result.token))?.member).toEqual(ada);
  });

  it('fails if it is wrong, and for members who are unknown, disabled or invited, or lack a password', async () => {
    const [ada, disabled, invited, without] = [
      await withPassword(await member()),
      await withPassword(await member('viewer')),
      await withPassword(await member('viewer')),
      await member('viewer'),
    ];
    await patch(disabled.id, { status: 'disabled' });
    await server.sql(`UPDATE members SET status = 'invited' WHERE id = $1`, [invited.id]);
    for (const [email, password] of [
      [ada.email, 'another long password'],
      [ada.email, ''],
      [newEmail(), PASSWORD],
      [disabled.email, PASSWORD],
      [invited.email, PASSWORD],
      [without.email, ''],
    ] as const)
      expect(await signInBy().withPassword(email, password, client())).toEqual({ kind: 'rejected' });
  });

  it('takes one comparison for a known and an unknown address', async () => {
    const ada = await withPassword(await member());
    const compared = vi.spyOn(server.app.get(Passwords, { strict: false }), 'verify'); // still compares
    for (const email of [ada.email, newEmail()]) {
      compared.mockClear();
      await signInBy().withPassword(email, 'another long password', client());
      expect(compared).toHaveBeenCalledTimes(1);
    }
    compared.mockRestore();
  });

  it('signs in to the organization in which it is the password', async () => {
    const { organization_id } = await server.tenant();
    const email = newEmail();
    await withPassword(await member('viewer', { email }));
    const other = await withPassword(
      await member('admin', { email, organization_id }),
      'the other long password',
    );
    const result = await signInBy().withPassword(email, 'the other long password', client());
    expect(result).toMatchObject({ kind: 'signed_in', member: { id: other.id } });
  });

  it('stops after wrong attempts for an address from a client network, also if it is right, which slows no other network', async () => {
    const [ada, bob] = [await withPassword(await member()), await withPassword(await member())];
    const from = client();
    const enter = (email: string, password: string) => signInBy().withPassword(email, password, from);
    for (let count = 0; count < MAX_PASSWORDS; count++)
      expect((await enter(ada.email, 'wrong')).kind).toBe('rejected');
    expect(await enter(ada.email, PASSWORD)).toEqual({ kind: 'limited', seconds: expect.any(Number) });
    expect((await enter(bob.email, PASSWORD)).kind).toBe('signed_in');
    // A stranger who knows the address does not keep the member out.
    expect((await signInBy().withPassword(ada.email, PASSWORD, client())).kind).toBe('signed_in');
  });

  it('stops after many wrong attempts for an address from all client networks, but not for a link', async () => {
    const ada = await withPassword(await member());
    const [, , ofAddress] = server.app.get(MemberLimits).passwords(ada.email, client().network);
    if (!ofAddress) throw new Error('no limit');
    for (let count = 1; count < MAX_PASSWORDS_OF_ADDRESS; count++)
      await server.app.get(RequestCounts).add(ofAddress);
    const enter = (password: string) => signInBy().withPassword(ada.email, password, client());
    expect((await enter('wrong')).kind).toBe('rejected');
    expect((await enter(PASSWORD)).kind).toBe('limited');
    expect((await signInBy().withLink(await links().create(ada), client())).kind).toBe('signed_in');
  });

  it('works although organizations have invited the address before, whose logs contain nothing about it', async () => {
    const email = newEmail();
    const { organization_id } = await server.tenant();
    const invited = await member('viewer', { email, organization_id });
    await server.sql(
      `INSERT INTO members (id, organization_id, email, name, role, status, created_at)
       SELECT gen_random_uuid(), id, $1, 'Ada', 'viewer', 'invited', '2020-01-01' FROM unnest($2::uuid[]) AS id`,
      [
        email,
        await Promise.all(Array.from({ length: 5 }, async () => (await server.tenant()).organization_id)),
      ],
    );
    await server.sql(`UPDATE members SET status = 'invited' WHERE id = $1`, [invited.id]);
    const ada = await withPassword(await member('viewer', { email }));
    expect(await signInBy().withPassword(email, 'wrong', client())).toEqual({ kind: 'rejected' });
    const failures = await until(async () => {
      const rows = await server.sql<{ resource_id: string }[]>(
        `SELECT resource_id FROM events WHERE type = 'session.failed' AND actor_id IN (SELECT id FROM members WHERE email = $1)`,
        [email],
      );
      return rows.length > 0 && rows;
    });
    expect(failures).toEqual([{ resource_id: ada.id }]);
    expect((await signInBy().withPassword(email, PASSWORD, client())).kind).toBe('signed_in');
  });

  it('delays no other password while the database is slow', async () => {
    const ada = await withPassword(await member());
    const queue = server.app.get(Passwords);
    let begin = () => {};
    const others = queue.inTurn({ owner: 'other' }, () => new Promise<void>((resolve) => (begin = resolve)));
    const attempt = signInBy().withPassword(ada.email, PASSWORD, client());
    for (let count = 0; count < 5; count++) await server.sql('SELECT'); // the attempt has read the member
    const holder = server.app.get(DataSource).createQueryRunner();
    try {
      await holder.startTransaction();
      await holder.query('SELECT FROM members WHERE id = $1 FOR UPDATE', [ada.id]);
      begin();
      await others;
      expect(await queue.inTurn({ owner: 'another' }, async () => 'done')).toBe('done');
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
    expect((await attempt).kind).toBe('signed_in');
  });

  it('stops after wrong attempts of a client network, also if many wait, which slows no other network', async () => {
    const ada = await withPassword(await member());
    const from = client();
    const [ofNetwork] = server.app.get(MemberLimits).passwords(ada.email, from.network);
    if (!ofNetwork) throw new Error('no limit');
    for (let count = 0; count < MAX_PASSWORDS_OF_NETWORK - 6; count++)
      await server.app.get(RequestCounts).add(ofNetwork);
    let ended = 0;
    const flood = Array.from({ length: 12 }, async () => {
      const { kind } = await signInBy().withPassword(newEmail(), 'wrong', from);
      ended += 1;
      return kind;
    });
    expect((await signInBy().withPassword(ada.email, PASSWORD, client())).kind).toBe('signed_in');
    expect(ended).toBeLessThan(12);
    const kinds = await Promise.all(flood);
    expect(kinds.filter((kind) => kind === 'rejected')).toHaveLength(6);
    expect(kinds.filter((kind) => kind === 'limited')).toHaveLength(6);
    expect((await signInBy().withPassword(ada.email, PASSWORD, from)).kind).toBe('limited');
  });

  it('appears in the database only as Argon2id', async () => {
    const ada = await withPassword(await member());
    const [row] = await server.sql<{ password_hash: string }[]>(
      'SELECT password_hash FROM members WHERE id = $1',
      [ada.id],
    );
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(await contentsOf(server))).not.toContain(PASSWORD);
  });
});

describe('change of a password', () => {
  const change = (one: SignedInMember, present: string, next: string) =>
    passwords().change(one, { present, next }, CLIENT);

  it('ends all sessions and links of the member, and starts another session', async () => {
    const ada = await withPassword(await member());
    const [token, link] = [await signIn(ada), await links().create(ada)];
    const changed = await change(ada, PASSWORD, 'another good password');
    if (changed.kind !== 'changed') throw new Error(changed.kind);
    expect(await find(token)).toBeUndefined();
    expect(await links().use(link)).toBeUndefined();
    expect((await find(changed.token))?.member).toEqual(ada);
    expect((await signInBy().withPassword(ada.email, PASSWORD, client())).kind).toBe('rejected');
  });

  it('requires the present password, which is limited by member', async () => {
    const ada = await withPassword(await member());
    expect(await passwords().has(ada)).toBe(true);
    for (let count = 0; count < 10; count++)
      expect(await change(ada, 'wrong', 'another good password')).toEqual({ kind: 'wrong' });
    expect((await change(ada, PASSWORD, 'another good password')).kind).toBe('limited');
  });

  it('requires the present password, also if many attempts wait', async () => {
    const ada = await withPassword(await member());
    for (let count = 0; count < MAX_WRONG - 2; count++)
      await server.app
        .get(RequestCounts)
        .add({ name: `member-change:${ada.id}`, limit: MAX_WRONG, seconds: 900 });
    const flood = Array.from({ length: 6 }, () => change(ada, 'wrong', 'another good password'));
    const kinds = (await Promise.all(flood)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['limited', 'limited', 'limited', 'limited', 'wrong', 'wrong']);
  });

  it.each([
    ['too short', 'too_short'],
    ['a b c d'.padEnd(201, 'xyz'), 'too_long'],
    ['P@ssword 123', 'too_common'],
    ['Password123', 'too_common'],
    ['aaaaaaaaaaaaa', 'too_common'],
    ['1234567890', 'too_common'],
    ['qwertyuiop', 'too_common'],
  ])('rejects %j, with the reason', async (next, reason) => {
    expect(await change(await member('viewer'), '', next)).toEqual({ kind: 'weak', reason });
  });

  it('rejects the address of the member', async () => {
    const ada = await member('viewer', { email: `ada.lovelace-${newEmail()}` });
    expect(await change(ada, '', ada.email)).toEqual({ kind: 'weak', reason: 'too_common' });
  });

  it('accepts 10 to 200 characters', async () => {
    for (const next of ['ten chars!', '🚀 a b c d'.padEnd(200, 'xyz')])
      expect((await change(await member('viewer'), '', next)).kind).toBe('changed');
  });

  it('happens once if two are concurrent', async () => {
    const ada = await withPassword(await member());
    const results = await Promise.all([
      change(ada, PASSWORD, 'another good password'),
      change(ada, PASSWORD, 'a third good password'),
    ]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'wrong']);
  });
});

describe('the log', () => {
  it('contains started and failed sessions, without the address, a token or the password', async () => {
    const ada = await withPassword(await member());
    const result = await signInBy().withPassword(ada.email, PASSWORD, client());
    await signInBy().withPassword(ada.email, 'a wrong password', client());
    const events = await until(async () => {
      const rows = await server.sql<{ type: string; via: string; actor_id: string; row: string }[]>(
        'SELECT type, via, actor_id, to_jsonb(events)::text AS row FROM events WHERE resource_id = $1 ORDER BY created_at, id',
        [ada.id],
      );
      return rows.some(({ type }) => type === 'session.failed') && rows;
    });
    expect(events.map(({ type }) => type)).toEqual([
      'member.created',
      'member.updated',
      'member.password_changed',
      'session.started',
      'session.started',
      'session.failed',
    ]);
    for (const { row } of events) {
      expect(row).not.toContain(ada.email);
      expect(row).not.toMatch(/m[ls]_\w{40}|password_hash|argon|a wrong password/);
    }
    for (const { via, actor_id } of events.slice(1)) expect([via, actor_id]).toEqual(['console', ada.id]);
    expect(result.kind).toBe('signed_in');
  });
});
