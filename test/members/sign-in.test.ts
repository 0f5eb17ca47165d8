import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import {
  MAX_LINKS,
  MAX_LINKS_OF_ADDRESS,
  MAX_LINKS_OF_NETWORK,
  MAX_UNKNOWN_LINKS,
  MemberLimits,
} from '../../src/members/member-limits.js';
import { SignIn } from '../../src/members/sign-in.js';
import { RequestCounts } from '../../src/platform/server/request-counts.js';
import { AddressMails, MAX_MAILS } from '../../src/subscribers/address-mails.js';
import { useEntry } from '../access/use-entry.js';
import { until } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import { clientOfNewNetwork as client, newEmail, useMembers } from './use-members.js';

const { server, tenant, mailTo } = useEntry();
const { find, links, member, patch, post, remove } = useMembers(server, tenant);

const signInBy = () => server.app.get(SignIn);

const LINK = '[Status Pages] Your link to sign in';
const INVITATION = '[Status Pages] You are invited';

/** The messages with a subject. A new member gets an invitation, unless a link has made the member active before. */
const mailsAbout = async (subject: string, address: string) =>
  (await mailTo(address)).filter((mail) => mail.subject === subject);

/** Waits for a message with a subject. Returns its tokens. */
async function tokensIn(subject: string, address: string): Promise<string[]> {
  const found = await until(async () => (await mailsAbout(subject, address)).at(-1));
  return [...(found.text ?? '').matchAll(/\/manage\/sign-in\/(ml_\w+)/g)].map(([, token = '']) => token);
}

const requestsLeft = async (): Promise<number> =>
  (await server.sql<unknown[]>('SELECT FROM member_link_requests')).length;

const handled = () => until(async () => (await requestsLeft()) === 0);

describe('link by mail', () => {
  it('signs a member in once', async () => {
    const ada = await member('editor');
    expect(await signInBy().requestLink(ada.email.toUpperCase(), client().network)).toEqual({
      kind: 'requested',
    });
    const [token = ''] = await tokensIn(LINK, ada.email);
    const [mail] = await mailsAbout(LINK, ada.email);
    expect(mail?.html).toContain(`/manage/sign-in/${token}`);
    const result = await signInBy().withLink(token, client());
    expect(result).toEqual({ kind: 'signed_in', token: expect.any(String), member: ada });
    expect((await find(result.kind === 'signed_in' ? result.token : ''))?.member).toEqual(ada);
    expect(await signInBy().withLink(token, client())).toEqual({ kind: 'rejected' });
  });

  it('returns the same result for an unknown address and a disabled member, who get no mail', async () => {
    const disabled = await member('editor');
    await patch(disabled.id, { status: 'disabled' });
    const unknown = newEmail();
    for (const email of [disabled.email, unknown])
      expect(await signInBy().requestLink(email, client().network)).toEqual({ kind: 'requested' });
    await handled();
    expect([await mailsAbout(LINK, disabled.email), await mailTo(unknown)]).toEqual([[], []]);
  });

  it('runs the same statements for an unknown address', async () => {
    const ada = await member('editor');
    const statementsFor = (email: string) =>
      statementsOf(() => signInBy().requestLink(email, client().network));
    const [known, unknown] = [await statementsFor(ada.email), await statementsFor(newEmail())];
    expect(known.length).toBeGreaterThan(1);
    expect(unknown).toEqual(known);
    await handled();
  });

  it('contains a link for each organization of the person', async () => {
    const { organization_id } = await server.tenant();
    const email = newEmail();
    await member('viewer', { email });
    await member('admin', { email, organization_id });
    await signInBy().requestLink(email, client().network);
    const tokens = await tokensIn(LINK, email);
    const members = await Promise.all(tokens.map((token) => links().find(token)));
    expect(members.map((one) => [one?.organization_id, one?.role])).toEqual([
      [tenant.organization_id, 'viewer'],
      [organization_id, 'admin'],
    ]);
  });

  it('stops after many requests for an address from a client network, which slows no other network', async () => {
    const [ada, bob] = [await member(), await member()];
    const from = client();
    const request = (email: string) => signInBy().requestLink(email, from.network);
    for (let count = 0; count < MAX_LINKS; count++) expect((await request(ada.email)).kind).toBe('requested');
    expect(await request(ada.email.toUpperCase())).toEqual({
      kind: 'limited',
      seconds: expect.any(Number),
    });
    expect((await request(bob.email)).kind).toBe('requested');
    // A stranger who knows the address does not keep the member out.
    expect((await signInBy().requestLink(ada.email, client().network)).kind).toBe('requested');
    await handled();
  });

  it('stops after many requests for an address from all client networks', async () => {
    const email = newEmail();
    const [, , ofAddress] = server.app.get(MemberLimits).links(email, client().network);
    if (!ofAddress) throw new Error('no limit');
    for (let count = 1; count < MAX_LINKS_OF_ADDRESS; count++)
      await server.app.get(RequestCounts).add(ofAddress);
    const request = () => signInBy().requestLink(email, client().network);
    expect([(await request()).kind, (await request()).kind]).toEqual(['requested', 'limited']);
    await handled();
  });

  it('arrives although forms of pages have sent the address too many mails', async () => {
    const { email } = await member();
    const mails = server.app.get(AddressMails);
    await server.app.get(DataSource).transaction(async (manager) => {
      for (let count = 0; count < MAX_MAILS; count++) await mails.addLink(email, manager);
      expect(await mails.addLink(email, manager)).toEqual(expect.any(Number));
    });
    expect(await signInBy().requestLink(email, client().network)).toEqual({ kind: 'requested' });
    expect(await tokensIn(LINK, email)).toHaveLength(1);
  });

  it('works again if its session could not be started', async () => {
    const token = await links().create(await member());
    const from = { ...client(), user_agent: 'A browser that fails' };
    await server.sql(
      `ALTER TABLE member_sessions ADD CONSTRAINT fails CHECK (user_agent <> '${from.user_agent}') NOT VALID`,
    );
    try {
      await expect(signInBy().withLink(token, from)).rejects.toThrow('fails');
    } finally {
      await server.sql('ALTER TABLE member_sessions DROP CONSTRAINT fails');
    }
    expect((await signInBy().withLink(token, from)).kind).toBe('signed_in');
  });

  it('stops after many requests of a client network, which slows no other network', async () => {
    const { network } = client();
    const results: string[] = [];
    for (let count = 0; count <= MAX_LINKS_OF_NETWORK; count++)
      results.push((await signInBy().requestLink(newEmail(), network)).kind);
    expect(results.indexOf('limited')).toBe(MAX_LINKS_OF_NETWORK);
    expect((await signInBy().requestLink(newEmail(), client().network)).kind).toBe('requested');
    await handled();
  });

  it('stops without a lookup after many unknown links of a client network', async () => {
    const from = client();
    const token = await links().create(await member());
    for (let count = 0; count < MAX_UNKNOWN_LINKS; count++)
      expect(await signInBy().withLink('ml_unknown', from)).toEqual({ kind: 'rejected' });
    expect((await signInBy().withLink(token, from)).kind).toBe('limited');
    expect((await signInBy().withLink(token, client())).kind).toBe('signed_in');
  });
});

describe('invitation', () => {
  it('arrives as a mail with a link, which no response contains', async () => {
    const email = newEmail();
    const created = await post({ email, name: 'Grace Hopper', role: 'responder' });
    expect(created.status).toBe(201);
    const [token = ''] = await tokensIn(INVITATION, email);
    expect(created.text).not.toContain('ml_');
    const [mail] = await mailsAbout(INVITATION, email);
    expect(mail?.text).not.toContain('has invited you'); // an API key is no person
    expect(mail?.text).toMatch(
      /Has the link expired\? Ask for a new link here:\nhttp:\/\/\S+\/manage\/sign-in\n/,
    );
    const result = await signInBy().withLink(token, client());
    expect(result).toMatchObject({ kind: 'signed_in', member: { status: 'active', role: 'responder' } });
  });

  it('reaches an address a few times in an hour, also if it is invited more often, which slows no other address', async () => {
    const email = newEmail();
    const invite = async (address: string) => {
      const { status, body } = await post({ email: address, name: 'Grace', role: 'viewer' });
      expect(status).toBe(201);
      const { id } = body.data;
      const deliveries = await until(async () => {
        const rows = await server.sql<{ finished_at: unknown }[]>(
          'SELECT finished_at FROM deliveries WHERE recipient_id = $1',
          [id],
        );
        return rows.every(({ finished_at }) => finished_at !== null) && rows;
      });
      await remove(id);
      return deliveries.length;
    };
    const json = { email, name: 'Grace', role: 'viewer' };
    for (let count = 0; count < MAX_MAILS; count++)
      await server.ask('/v1/members?dry_run=true', { method: 'POST', key: tenant.key, json });
    for (let count = 0; count < MAX_MAILS; count++) expect(await invite(email)).toBe(1);
    expect([await invite(email), await invite(newEmail())]).toEqual([0, 1]);
    expect(await signInBy().requestLink(email, client().network)).toEqual({ kind: 'requested' });
    await handled();
  });

  it('reaches neither an active nor a deleted member again', async () => {
    const [one, other] = [newEmail(), newEmail()];
    const invite = async (email: string) =>
      (await post({ email, name: 'Grace', role: 'viewer' })).body.data.id;
    const active = await invite(one);
    await tokensIn(INVITATION, one);
    await server.sql(`UPDATE members SET status = 'active' WHERE id = $1`, [active]);
    const deleted = await invite(other);
    await tokensIn(INVITATION, other);
    await remove(deleted);
    for (const id of [active, deleted])
      await server.sql(
        `UPDATE deliveries SET status = 'pending', due_at = now() - make_interval(secs => 0.001), finished_at = NULL WHERE recipient_id = $1`,
        [id],
      );
    await until(async () => {
      const rows = await server.sql<{ status: string }[]>(
        'SELECT status FROM deliveries WHERE recipient_id IN ($1, $2)',
        [active, deleted],
      );
      return rows.every(({ status }) => status === 'cancelled');
    });
    expect([(await mailTo(one)).length, (await mailTo(other)).length]).toEqual([1, 1]);
  });
});
