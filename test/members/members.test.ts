import { describe, expect, it } from 'vitest';
import { MAX_MEMBERS, MembersService } from '../../src/members/members.service.js';
import { type Role, scopesOf } from '../../src/members/roles.js';
import { expectProblem } from '../support/expectations.js';
import { type ListPage, useTenant, useTestServer } from '../support/server.js';
import { newEmail, useMembers, type WireMember } from './use-members.js';

const server = useTestServer();
const tenant = useTenant(server);
const { get, member, patch, post, remove, sessions, signIn } = useMembers(server, tenant);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const eventsOf = (id: string) =>
  server.sql<{ type: string; row: string; changes: Record<string, unknown> | null }[]>(
    `SELECT type, changes, to_jsonb(events)::text AS row FROM events WHERE resource_id = $1 ORDER BY id`,
    [id],
  );

describe('POST /v1/members', () => {
  it('returns 201 with an invited member, whose address is in lower case', async () => {
    const email = newEmail();
    const { status, headers, body } = await post({
      email: email.toUpperCase(),
      name: 'Ada Lovelace',
      role: 'responder',
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      email,
      name: 'Ada Lovelace',
      role: 'responder',
      project_ids: null,
      status: 'invited',
      last_seen_at: null,
      created_at: expect.stringMatching(TIME),
      updated_at: body.data.created_at,
    });
    expect(headers.get('location')).toBe(`/v1/members/${body.data.id}`);
  });

  it('returns 409 for an address of the organization in any case, also if two requests are concurrent', async () => {
    const email = newEmail();
    const fields = { email, name: 'Ada', role: 'viewer' };
    const both = await Promise.all([post(fields), post({ ...fields, email: email.toUpperCase() })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const conflict = await post(fields);
    expectProblem(conflict, 409, 'conflict');
    expect(conflict.body.errors).toEqual([{ code: 'taken', detail: 'is already taken', pointer: '#/email' }]);
    const stranger = await server.tenant();
    expect((await post(fields, stranger.key)).status).toBe(201);
  });

  it('returns 403 for a role with scopes that the key lacks', async () => {
    const { key } = await server.key(tenant.organization_id, {
      scopes: [...scopesOf('responder'), 'members:write'],
    });
    const fields = { email: newEmail(), name: 'Ada' };
    const refused = await post({ ...fields, role: 'editor' }, key);
    expectProblem(refused, 403, 'insufficient_scope');
    expect(refused.body.detail).toMatch(
      /^The role editor has scopes that you lack: status_pages:write, monitors:write, subscribers:write/,
    );
    expect(refused.body.errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['#/role', 'not_granted'],
    ]);
    expect((await post({ ...fields, role: 'responder' }, key)).status).toBe(201);
  });

  it('gives only projects of the key, and by default all of them', async () => {
    const other = await server.project(tenant.organization_id);
    const { key } = await server.key(tenant.organization_id, { project_ids: [tenant.project_id] });
    const fields = () => ({ email: newEmail(), name: 'Ada', role: 'viewer' });
    const pointersOf = async (project_ids: unknown) =>
      (await post({ ...fields(), project_ids }, key)).body.errors?.map(({ pointer }) => pointer);
    expect(await pointersOf(null)).toEqual(['#/project_ids']);
    expect(await pointersOf([tenant.project_id, other])).toEqual(['#/project_ids/1']);
    expect((await post(fields(), key)).body.data.project_ids).toEqual([tenant.project_id]);
    const stranger = await server.tenant();
    const foreign = await post({ ...fields(), project_ids: [stranger.project_id] });
    expect(foreign.body.errors).toMatchObject([{ code: 'unknown_project', pointer: '#/project_ids/0' }]);
  });

  it('returns 409 for the member after the thousandth', async () => {
    const { key, organization_id } = await server.tenant();
    await server.sql(
      `INSERT INTO members (id, organization_id, email, name, role)
       SELECT gen_random_uuid(), $1, number || '@example.com', 'Ada', 'viewer' FROM generate_series(1, $2) AS number`,
      [organization_id, MAX_MEMBERS],
    );
    expectProblem(await post({ email: newEmail(), name: 'Ada', role: 'viewer' }, key), 409, 'conflict');
  });

  it('records an event without the address', async () => {
    const email = newEmail();
    const { body } = await post({ email, name: 'Ada', role: 'viewer' });
    await patch(body.data.id, { role: 'editor' });
    await remove(body.data.id);
    const events = await eventsOf(body.data.id);
    expect(events.map(({ type }) => type)).toEqual(['member.created', 'member.updated', 'member.deleted']);
    expect(events[0]?.changes).toMatchObject({
      email: { from: null, to: null, is_omitted: true },
      role: { from: null, to: 'viewer' },
    });
    expect(events[1]?.changes).toEqual({ role: { from: 'viewer', to: 'editor' } });
    for (const { row } of events) expect(row).not.toContain(email);
  });
});

describe('GET /v1/members', () => {
  it('lists to a restricted key only members who are restricted to its projects', async () => {
    const { key } = await server.key(tenant.organization_id, { project_ids: [tenant.project_id] });
    const all = await member('viewer');
    const own = await member('viewer', { project_ids: [tenant.project_id] });
    const { body } = await server.ask<ListPage<WireMember>>('/v1/members?limit=100', { key });
    const ids = body.data.map(({ id }) => id);
    expect(ids).toContain(own.id);
    expect(ids).not.toContain(all.id);
    expect((await get(own.id, key)).status).toBe(200);
    for (const answer of [
      await get(all.id, key),
      await patch(all.id, { name: 'x' }, key),
      await remove(all.id, key),
    ])
      expectProblem(answer, 404, 'not_found');
  });

  it('never returns the hash of a password', async () => {
    const ada = await member();
    await server.sql(`UPDATE members SET password_hash = 'a-stored-hash' WHERE id = $1`, [ada.id]);
    for (const path of [`/v1/members/${ada.id}`, '/v1/members'])
      expect((await server.ask(path, { key: tenant.key })).text).not.toContain('hash');
  });
});

describe('PATCH /v1/members/{id}', () => {
  it('rejects the address and the status invited', async () => {
    const ada = await member('viewer');
    const { status, body } = await patch(ada.id, { email: newEmail(), status: 'invited' });
    expect(status).toBe(400);
    expect(body.errors?.map(({ pointer, detail }) => [pointer, detail]).toSorted()).toEqual([
      ['#/email', 'is read-only; invite the new address instead'],
      ['#/status', 'must be one of active, disabled'],
    ]);
  });

  it.each<[json: object, role: Role]>([
    [{ role: 'editor' }, 'viewer'],
    [{ role: 'admin' }, 'viewer'],
    [{ status: 'active' }, 'editor'],
    [{ project_ids: null }, 'editor'],
  ])('returns 403 for %j if the result has scopes that the key lacks', async (json, role) => {
    const { key } = await server.key(tenant.organization_id, {
      scopes: [...scopesOf('responder'), 'members:write'],
    });
    const ada = await member(role, { project_ids: [tenant.project_id] });
    await server.sql(`UPDATE members SET status = 'disabled' WHERE id = $1`, [ada.id]);
    expectProblem(await patch(ada.id, json, key), 403, 'insufficient_scope');
    const other = await member('responder', { project_ids: [tenant.project_id] });
    expect((await patch(other.id, { name: 'Ada', status: 'disabled' }, key)).status).toBe(200);
  });

  it('gives only projects of the key', async () => {
    const other = await server.project(tenant.organization_id);
    const { key } = await server.key(tenant.organization_id, { project_ids: [tenant.project_id] });
    const ada = await member('viewer', { project_ids: [tenant.project_id] });
    for (const project_ids of [null, [other]])
      expectProblem(await patch(ada.id, { project_ids }, key), 400, 'validation_failed');
  });

  it('keeps the version of a member who uses the console', async () => {
    const ada = await member('viewer');
    const { body } = await get(ada.id);
    const token = await signIn(ada);
    await server.sql(
      `UPDATE member_sessions SET last_used_at = now() - interval '1 hour' WHERE member_id = $1`,
      [ada.id],
    );
    await sessions().find(token);
    const seen = (await get(ada.id)).body.data;
    expect(seen.last_seen_at).toMatch(TIME);
    expect(seen.updated_at).toBe(body.data.updated_at);
  });
});

describe('a key that expires', () => {
  it('gives no rights to members, who have no end, but takes rights away', async () => {
    const { key } = await server.key(tenant.organization_id, { expires_in: 3600 });
    const ada = await member('viewer');
    for (const refused of [
      await post({ email: newEmail(), name: 'Bob', role: 'viewer' }, key),
      await patch(ada.id, { role: 'admin' }, key),
      await patch(ada.id, { status: 'active' }, key),
      await patch(ada.id, { project_ids: null }, key),
    ])
      expectProblem(refused, 403, 'forbidden');
    expect((await patch(ada.id, { name: 'Ada', status: 'disabled' }, key)).status).toBe(200);
    expect((await remove(ada.id, key)).status).toBe(204);
  });
});

describe('the last active admin', () => {
  const organization = async () => {
    const { organization_id, key, project_id } = await server.tenant();
    const admin = (fields = {}) => member('admin', { organization_id, ...fields });
    return { key, project_id, organization_id, admin };
  };

  it.each([
    ['role', () => ({ role: 'editor' })],
    ['status', () => ({ status: 'disabled' })],
    ['projects', (project_id: string) => ({ project_ids: [project_id] })],
  ])('keeps the %s with 409, until there is another one', async (_what, change) => {
    const { admin, key, project_id } = await organization();
    const ada = await admin();
    const invited = await post({ email: newEmail(), name: 'Invited', role: 'admin' }, key);
    await admin({ project_ids: [project_id] });
    expect(invited.status).toBe(201);
    expectProblem(await patch(ada.id, change(project_id), key), 409, 'conflict');
    expect((await patch(ada.id, { name: 'Ada', role: 'admin', status: 'active' }, key)).status).toBe(200);
    await admin();
    expect((await patch(ada.id, change(project_id), key)).status).toBe(200);
  });

  it('rejects its deletion with 409, until there is another one', async () => {
    const { admin, key } = await organization();
    const ada = await admin();
    expectProblem(await remove(ada.id, key), 409, 'conflict');
    await admin();
    expect((await remove(ada.id, key)).status).toBe(204);
  });

  it('remains if two admins remove each other concurrently', async () => {
    const { admin, key, organization_id } = await organization();
    for (let round = 0; round < 5; round++) {
      await server.sql('DELETE FROM members WHERE organization_id = $1', [organization_id]);
      const [ada, bob] = [await admin(), await admin()];
      const answers = await Promise.all([
        round % 2 ? remove(ada.id, key) : patch(ada.id, { role: 'viewer' }, key),
        remove(bob.id, key),
      ]);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
    }
  });

  it('remains if two admins, as actors, delete each other concurrently', async () => {
    const { admin } = await organization();
    const [ada, bob] = [await admin(), await admin()];
    const service = server.app.get(MembersService);
    const actorOf = async (one: typeof ada) => (await sessions().find(await signIn(one)))?.actor;
    const [first, second] = [await actorOf(ada), await actorOf(bob)];
    if (!first || !second) throw new Error('no session');
    const results = await Promise.allSettled([
      service.delete(first, bob.id, undefined),
      service.delete(second, ada.id, undefined),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a member as an actor', () => {
  it('gives only what the member has now', async () => {
    const service = server.app.get(MembersService);
    const ada = await member('admin');
    const session = await sessions().find(await signIn(ada));
    if (!session) throw new Error('no session');
    const fields = { name: 'Bob', role: 'admin' as const };
    await service.create(session.actor, { ...fields, email: newEmail() });
    await member('admin');
    await patch(ada.id, { role: 'editor' });
    await expect(service.create(session.actor, { ...fields, email: newEmail() })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
  });

  it('appears in the log with the console', async () => {
    const ada = await member('admin');
    const session = await sessions().find(await signIn(ada));
    if (!session) throw new Error('no session');
    const bob = await server.app
      .get(MembersService)
      .create(session.actor, { email: newEmail(), name: 'Bob', role: 'viewer' });
    const { body } = await server.ask<ListPage<{ actor: unknown; via: string }>>(
      `/v1/events?resource_id=${bob.id}`,
      { key: tenant.key },
    );
    expect(body.data[0]).toMatchObject({
      type: 'member.created',
      actor: { type: 'member', id: ada.id, name: 'A admin' },
      via: 'console',
    });
  });
});
