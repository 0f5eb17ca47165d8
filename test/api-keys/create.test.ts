import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWellFormedKey } from '../../src/auth/key-format.js';
import { type Scope, SCOPES } from '../../src/auth/scopes.js';
import type { NewApiKeyDto } from '../../src/api-keys/dto/api-key.dto.js';
import { type Answer, type Tenant, TestServer, until, type Wire } from '../support/server.js';
import { requestStatementsOf } from '../support/statements.js';

const NEVER = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let server: TestServer;
let tenant: Tenant;

beforeAll(async () => {
  server = await TestServer.start();
  tenant = await server.tenant();
});
afterAll(() => server.stop());

type Key = Wire<NewApiKeyDto>;

const ask = (method: string, path: string, json?: unknown, key = tenant.key): Promise<Answer<Key>> =>
  server.ask<Key>(`/v1/api-keys${path}`, { method, key, json });

const make = async (fields: object = {}, key = tenant.key) => {
  const { status, body } = await ask('POST', '', { name: 'Key', scopes: ['projects:read'], ...fields }, key);
  expect(status).toBe(201);
  return body.data;
};

const me = (key: string): Promise<Answer<Key>> => server.ask('/v1/me', { key });

/** A request whose body is sent but for its end; it is answered once that is sent, too. */
async function begin(id: string, key: string, path: string, json: object): Promise<() => Promise<string>> {
  const body = JSON.stringify(json);
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let answer = '';
  socket.on('data', (text: string) => (answer += text));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  // The key has been looked at once its use is written.
  await until(async () => (await ask('GET', `/${id}`)).body.data.last_used_at);
  return async () => {
    socket.write(body.slice(5));
    await until(async () => answer.includes('\r\n\r\n'));
    socket.destroy();
    return answer;
  };
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

describe('an API key', () => {
  it('that is made is shown this once, with Location, and can be used', async () => {
    const { status, headers, body } = await ask('POST', '', {
      name: 'Deployment',
      scopes: ['status_pages:read', 'projects:read'],
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Deployment',
      prefix: body.data.key.slice(0, 8),
      scopes: ['status_pages:read', 'projects:read'],
      project_ids: null,
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      created_at: expect.stringMatching(TIME),
      key: expect.any(String),
    });
    expect(isWellFormedKey(body.data.key)).toBe(true);
    expect(headers.get('location')).toBe(`/v1/api-keys/${body.data.id}`);
    expect((await server.list(tenant, {}, body.data.key)).status).toBe(200);
    expect((await server.ask('/v1/monitors', { key: body.data.key })).status).toBe(403);
  });

  it('cannot be read back: neither it nor its hash is in any other answer', async () => {
    const { key, ...shown } = await make();
    const answers = [await ask('GET', `/${shown.id}`), await ask('GET', '?limit=1')];
    expect(answers[0]?.body.data).toEqual(shown);
    expect(answers[1]?.body.data).toEqual([shown]);
    for (const { text } of answers) expect(text).not.toMatch(new RegExp(`hash|${key.slice(9)}`));
  });

  it('shows when it was last used, soon after', async () => {
    const { id, key } = await make();
    await me(key);
    const used = await until(async () => (await ask('GET', `/${id}`)).body.data.last_used_at);
    expect(used).toMatch(TIME);
  });

  it.each([
    [{ name: undefined }, 'required', '#/name'],
    [{ name: ' ' }, 'blank', '#/name'],
    [{ scopes: undefined }, 'required', '#/scopes'],
    [{ scopes: [] }, 'too_short', '#/scopes'],
    [{ scopes: 'projects:read' }, 'invalid_type', '#/scopes'],
    [{ scopes: ['projects:read', 'projects:delete'] }, 'invalid_format', '#/scopes/1'],
    [{ scopes: ['projects:read', 'projects:read'] }, 'duplicate', '#/scopes/1'],
    [{ scopes: [1] }, 'invalid_type', '#/scopes/0'],
    [{ project_ids: ['x'] }, 'invalid_format', '#/project_ids/0'],
    [{ project_ids: [] }, 'too_short', '#/project_ids'],
    [{ project_ids: [NEVER] }, 'unknown_project', '#/project_ids/0'],
    [{ expires_at: 'tomorrow' }, 'invalid_format', '#/expires_at'],
    [{ expires_at: '2999-02-30T00:00:00Z' }, 'invalid_format', '#/expires_at'],
    [{ expires_at: '2999-01-01T00:00:00+01:00' }, 'invalid_format', '#/expires_at'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'out_of_range', '#/expires_at'],
    [{ expires_at: 4_102_444_800 }, 'invalid_type', '#/expires_at'],
    [{ key: 'sp_mine' }, 'unknown_field', '#/key'],
    [{ organization_id: NEVER }, 'unknown_field', '#/organization_id'],
  ])('is not made of %j', async (fields, code, pointer) => {
    const { status, body } = await ask('POST', '', { name: 'Key', scopes: ['projects:read'], ...fields });
    expect([status, body.errors]).toMatchObject([400, [{ code, pointer }]]);
  });

  it('holds until it expires', async () => {
    const expires_at = inSeconds(1);
    const { key, ...shown } = await make({ expires_at });
    expect(shown.expires_at).toBe(expires_at);
    expect((await me(key)).status).toBe(200);
    await until(async () => (await me(key)).status === 401);
    expect(Date.now()).toBeGreaterThanOrEqual(new Date(expires_at).getTime());
  });
});

describe('a key gives no more than it has', () => {
  it('of scopes: others are 403 insufficient_scope, which names them, and no key is made', async () => {
    const { key } = await make({ scopes: ['api_keys:write', 'api_keys:read', 'projects:read'] });
    const before = (await ask('GET', '?limit=100')).body.data.length;
    const wanted = { name: 'More', scopes: ['projects:read', 'projects:write', 'monitors:read'] };
    const { status, headers, body } = await ask('POST', '', wanted, key);
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="status-pages", error="insufficient_scope", scope="projects:write monitors:read"',
    );
    expect(body.errors.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['not_granted', '#/scopes/1'],
      ['not_granted', '#/scopes/2'],
    ]);
    expect((await ask('GET', '?limit=100')).body.data.length).toBe(before);
    expect((await make({ scopes: ['projects:read', 'api_keys:write'] }, key)).scopes).toHaveLength(2);
  });

  it('of projects: those that it does not cover are told as those that never existed', async () => {
    const inside = await server.project(tenant.organization_id);
    const outside = await server.project(tenant.organization_id);
    const foreign = (await server.tenant()).project_id;
    const { key } = await make({ scopes: [...SCOPES], project_ids: [inside] });
    for (const id of [outside, foreign, NEVER]) {
      const wanted = { name: 'More', scopes: ['projects:read'], project_ids: [inside, id] };
      const { status, body } = await ask('POST', '', wanted, key);
      expect([status, body.errors]).toEqual([
        400,
        [
          {
            code: 'unknown_project',
            detail: 'is not a project that the key in use can access',
            pointer: '#/project_ids/1',
          },
        ],
      ]);
    }
    const all = await ask('POST', '', { name: 'All', scopes: ['projects:read'], project_ids: null }, key);
    expect([all.status, all.body.errors]).toMatchObject([
      400,
      [{ code: 'not_granted', pointer: '#/project_ids' }],
    ]);
    expect((await make({}, key)).project_ids).toEqual([inside]);
  });

  it('takes project ids in upper case, and shows them in lower case', async () => {
    const { project_ids } = await make({ project_ids: [tenant.project_id.toUpperCase()] });
    expect(project_ids).toEqual([tenant.project_id]);
  });

  it('of time: none that it makes holds longer than itself', async () => {
    const expires_at = inSeconds(3600);
    const { key } = await make({ scopes: ['api_keys:write', 'projects:read'], expires_at });
    for (const longer of [null, inSeconds(3700)]) {
      const wanted = { name: 'Longer', scopes: ['projects:read'], expires_at: longer };
      const { status, body } = await ask('POST', '', wanted, key);
      expect([status, body.errors]).toMatchObject([400, [{ code: 'out_of_range', pointer: '#/expires_at' }]]);
    }
    expect((await make({}, key)).expires_at).toBe(expires_at);
    const sooner = inSeconds(1800);
    expect((await make({ expires_at: sooner }, key)).expires_at).toBe(sooner);
  });

  it('of time: while it is being rotated, none that holds longer than its overlap', async () => {
    const old = await make({ scopes: ['api_keys:write', 'projects:read'] });
    await ask('POST', `/${old.id}/rotate`, { overlap_seconds: 60 });
    const wanted = { name: 'Longer', scopes: ['projects:read'], expires_at: null };
    expect((await ask('POST', '', wanted, old.key)).body.errors).toMatchObject([{ pointer: '#/expires_at' }]);
    expect((await make({}, old.key)).expires_at).toBe((await ask('GET', `/${old.id}`)).body.data.revoked_at);
  });

  it('of time: nor by a request that began before it was rotated', async () => {
    const old = await make({ scopes: ['api_keys:write', 'projects:read'] });
    const other = await make();
    const wanted = { name: 'Late', scopes: ['projects:read'] };
    const late = [
      await begin(old.id, old.key, '/v1/api-keys', wanted),
      await begin(old.id, old.key, '/v1/api-keys', { ...wanted, expires_at: null }),
      await begin(old.id, old.key, `/v1/api-keys/${other.id}/rotate`, { overlap_seconds: 60 }),
    ];
    await ask('POST', `/${old.id}/rotate`, { overlap_seconds: 60 });
    const [byDefault, never, rotated] = await Promise.all(late.map((finish) => finish()));
    const { revoked_at } = (await ask('GET', `/${old.id}`)).body.data;
    expect(byDefault).toMatch(/^HTTP\/1.1 201 /);
    expect(byDefault).toContain(`"expires_at":"${revoked_at}"`);
    expect(never).toMatch(/^HTTP\/1.1 400 /);
    expect(rotated).toMatch(/^HTTP\/1.1 403 /);
  });

  it('of projects: those that were deleted since are no hindrance', async () => {
    const [kept, gone] = [
      await server.project(tenant.organization_id),
      await server.project(tenant.organization_id),
    ];
    const { key } = await make({ scopes: [...SCOPES], project_ids: [kept, gone] });
    await server.ask(`/v1/projects/${gone}`, { method: 'DELETE', key: tenant.key });
    expect((await make({}, key)).project_ids).toEqual([kept, gone]);
    expect((await make({ project_ids: [kept] }, key)).project_ids).toEqual([kept]);
  });

  it('names all that is wrong with projects and time at once', async () => {
    const { key } = await make({ scopes: ['api_keys:write', 'projects:read'], expires_at: inSeconds(3600) });
    const wanted = { name: 'x', scopes: ['projects:read'], project_ids: [NEVER], expires_at: null };
    const { body } = await ask('POST', '', wanted, key);
    expect(body.errors.map(({ pointer }) => pointer)).toEqual(['#/expires_at', '#/project_ids/0']);
  });
});

describe('a key that is narrowed to some projects', () => {
  it('sees, revokes and rotates only keys that are narrowed to these', async () => {
    const [a, b] = [
      await server.project(tenant.organization_id),
      await server.project(tenant.organization_id),
    ];
    const narrowed = await make({ scopes: [...SCOPES], project_ids: [a] });
    const same = await make({ project_ids: [a] });
    const hidden = [await make({ project_ids: [b] }), await make({ project_ids: [a, b] }), await make()];
    const { body } = await ask('GET', '', undefined, narrowed.key);
    const seen = body.data.map(({ id }) => id);
    expect(seen.slice(0, 2)).toEqual([same.id, narrowed.id]);
    for (const { id, key } of hidden) {
      expect(seen).not.toContain(id);
      for (const [method, path, json] of [
        ['GET', `/${id}`],
        ['DELETE', `/${id}`],
        ['POST', `/${id}/rotate`, {}],
      ] as const)
        expect((await ask(method, path, json, narrowed.key)).status).toBe(404);
      expect((await me(key)).status).toBe(200);
    }
    expect((await ask('DELETE', `/${same.id}`, undefined, narrowed.key)).status).toBe(204);
  });
});

describe('a key that is revoked', () => {
  it('is 204 without a body, holds no more from then on, and stays to be read', async () => {
    const { id, key } = await make();
    const { status, text } = await ask('DELETE', `/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await me(key)).body.code).toBe('invalid_api_key');
    const { body } = await ask('GET', `/${id}`);
    expect(body.data.revoked_at).toMatch(TIME);
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    expect((await ask('GET', `/${id}`)).body).toEqual(body);
  });

  it('may be the one in use', async () => {
    const { id, key } = await make({ scopes: ['api_keys:write'] });
    expect((await ask('DELETE', `/${id}`, undefined, key)).status).toBe(204);
    expect((await ask('DELETE', `/${id}`, undefined, key)).status).toBe(401);
  });

  it('makes no key any more by a request that it left open', async () => {
    const { id, key } = await make({ scopes: ['api_keys:write', 'projects:read'] });
    const late = await begin(id, key, '/v1/api-keys', { name: 'Late', scopes: ['projects:read'] });
    await ask('DELETE', `/${id}`);
    const answer = await late();
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(answer).toContain('invalid_api_key');
    const { body: list } = await ask('GET', '?limit=1');
    expect(list.data[0]?.name).not.toBe('Late');
  });

  it('that does not exist is 404', async () => {
    expect((await ask('DELETE', `/${NEVER}`)).status).toBe(404);
    expect((await ask('GET', `/${NEVER}`)).status).toBe(404);
  });
});

describe('a key that is rotated', () => {
  it('gets a new one that is as it was; the old one holds no more', async () => {
    const project_ids = [await server.project(tenant.organization_id)];
    const old = await make({ name: 'Old', project_ids, expires_at: inSeconds(3600) });
    const { status, headers, body } = await ask('POST', `/${old.id}/rotate`, {});
    expect(status).toBe(201);
    const { id, key, prefix, created_at, ...same } = body.data;
    expect(same).toEqual({
      name: 'Old',
      scopes: old.scopes,
      project_ids,
      expires_at: old.expires_at,
      revoked_at: null,
      last_used_at: null,
    });
    expect([id === old.id, key === old.key, created_at < old.created_at]).toEqual([false, false, false]);
    expect(key.startsWith(prefix)).toBe(true);
    expect(headers.get('location')).toBe(`/v1/api-keys/${id}`);
    expect((await me(key)).status).toBe(200);
    expect((await me(old.key)).status).toBe(401);
  });

  it('needs no body', async () => {
    const { id } = await make();
    expect((await ask('POST', `/${id}/rotate`)).status).toBe(201);
  });

  it('holds for overlap_seconds yet', async () => {
    const { id, key } = await make();
    const before = Date.now();
    expect((await ask('POST', `/${id}/rotate`, { overlap_seconds: 2 })).status).toBe(201);
    expect((await me(key)).status).toBe(200);
    const { revoked_at } = (await ask('GET', `/${id}`)).body.data;
    const overlap = new Date(String(revoked_at)).getTime() - before;
    expect([overlap >= 1_900, overlap < 12_000]).toEqual([true, true]);
    await until(async () => (await me(key)).status === 401);
    expect(Date.now()).toBeGreaterThanOrEqual(new Date(String(revoked_at)).getTime() - 100);
  });

  it.each([0, 86_400])('may overlap for %i seconds', async (overlap_seconds) => {
    const { id } = await make();
    expect((await ask('POST', `/${id}/rotate`, { overlap_seconds })).status).toBe(201);
  });

  it.each([
    [-1, 'out_of_range'],
    [86_401, 'out_of_range'],
    [1.5, 'out_of_range'],
    ['1', 'invalid_type'],
    [null, 'invalid_type'],
  ])('may not overlap for %j', async (overlap_seconds, code) => {
    const { id, key } = await make();
    const { status, body } = await ask('POST', `/${id}/rotate`, { overlap_seconds });
    expect([status, body.errors]).toMatchObject([400, [{ code, pointer: '#/overlap_seconds' }]]);
    expect((await me(key)).status).toBe(200);
  });

  it('may be the one in use', async () => {
    const { id, key } = await make({ scopes: ['api_keys:write'] });
    const { body } = await ask('POST', `/${id}/rotate`, {}, key);
    expect((await me(key)).status).toBe(401);
    expect((await me(body.data.key)).status).toBe(200);
  });

  it('is rotated once by many at the same time; the others get 409, and so does one that is revoked or expired', async () => {
    const { id } = await make();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('POST', `/${id}/rotate`, { overlap_seconds: 60 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
    const revoked = await make();
    await ask('DELETE', `/${revoked.id}`);
    const expired = await make({ expires_at: inSeconds(0.5) });
    await until(async () => (await me(expired.key)).status === 401);
    for (const old of [revoked.id, expired.id]) {
      const { status, body } = await ask('POST', `/${old}/rotate`, {});
      expect([status, body.code]).toEqual([409, 'conflict']);
    }
  });

  it('by a key that it rotates at the same time is no deadlock', async () => {
    for (let round = 0; round < 20; round++) {
      const [a, b] = [await make({ scopes: [...SCOPES] }), await make({ scopes: [...SCOPES] })];
      await Promise.all([me(a.key), me(b.key)]);
      const rotate = (id: string, key: string) => ask('POST', `/${id}/rotate`, { overlap_seconds: 60 }, key);
      const answers = await Promise.all([rotate(a.id, b.key), rotate(b.id, a.key)]);
      // Whichever comes second is rotated by then, and so ends before the other.
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403]);
    }
  });

  it('can still be revoked at once while it overlaps', async () => {
    const { id, key } = await make();
    await ask('POST', `/${id}/rotate`, { overlap_seconds: 86_400 });
    expect((await me(key)).status).toBe(200);
    await ask('DELETE', `/${id}`);
    expect((await me(key)).status).toBe(401);
  });

  it('may no more than the key in use: otherwise 403, and it stays', async () => {
    const strong = await make({ scopes: ['projects:read', 'projects:write'] });
    const weak = await make({ scopes: ['api_keys:write', 'projects:read'] });
    const { status, body } = await ask('POST', `/${strong.id}/rotate`, {}, weak.key);
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    const brief = await make({ scopes: [...SCOPES], expires_at: inSeconds(3600) });
    const longer = await ask('POST', `/${strong.id}/rotate`, {}, brief.key);
    expect([longer.status, longer.body.code]).toEqual([403, 'forbidden']);
    expect((await me(strong.key)).status).toBe(200);
  });

  it('that does not exist is 404', async () => {
    expect((await ask('POST', `/${NEVER}/rotate`, {})).status).toBe(404);
  });
});

describe('the list of API keys', () => {
  it('is newest first, in pages that neither skip nor repeat, and has revoked ones, too', async () => {
    const own = await server.tenant();
    const made = [own.key_id];
    for (let count = 0; count < 6; count++) made.unshift((await make({}, own.key)).id);
    await ask('DELETE', `/${made[2]}`, undefined, own.key);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: Answer<Key> = await ask(
        'GET',
        `?limit=3${cursor && `&cursor=${cursor}`}`,
        undefined,
        own.key,
      );
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor;
      if (cursor)
        expect((await server.ask(`/v1/projects?cursor=${cursor}`, { key: own.key })).body.code).toBe(
          'invalid_cursor',
        );
    }
    expect(seen).toEqual(made);
  });
});

describe('the list of API keys that a key narrowed to projects sees', () => {
  const projects = (count: number) =>
    Promise.all(Array.from({ length: count }, () => server.project(tenant.organization_id)));

  it('is newest first over all of its projects, in pages that neither skip nor repeat, without keys that reach further', async () => {
    const [a = '', b = '', c = ''] = await projects(3);
    const { key, id } = await make({ scopes: ['api_keys:read'], project_ids: [a, b] });
    const visible = [id];
    const kinds: (string[] | null)[] = [[a], [b, a], [c], null, [a, c], [b], [c, a], [a, b]];
    for (let round = 0; round < 3; round++)
      for (const project_ids of kinds) {
        const made = await make({ project_ids });
        if (project_ids && !project_ids.includes(c)) visible.unshift(made.id);
      }
    for (const limit of [1, 4, 5, 13, 100]) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const path: string = `?limit=${limit}${cursor && `&cursor=${cursor}`}`;
        const { body } = await ask('GET', path, undefined, key);
        seen.push(...body.data.map((one) => one.id));
        cursor = body.pagination.next_cursor;
      }
      expect(seen).toEqual(visible);
    }
  });

  it('costs no more for many keys that it does not see, nor for many that it does', async () => {
    const [seen = '', other = ''] = await projects(2);
    const { key } = await make({ scopes: ['api_keys:read'], project_ids: [seen] });
    const [statement = ''] = await requestStatementsOf(() => ask('GET', '', undefined, key));
    const costs: number[] = [];
    for (const count of [2_000, 20_000]) {
      for (const project_ids of [null, [other], [seen]])
        await server.sql(
          `INSERT INTO api_keys (id, organization_id, name, prefix, key_hash, scopes, project_ids)
           SELECT gen_random_uuid(), $1, 'Many', 'sp_12345', sha256(gen_random_uuid()::text::bytea), '{}', $2
             FROM generate_series(1, $3)`,
          [tenant.organization_id, project_ids, count],
        );
      await server.sql('ANALYZE api_keys');
      const rows = await server.sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }[]>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
        [tenant.organization_id, [seen], 26],
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      costs.push((plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN));
    }
    const [few = NaN, many = NaN] = costs;
    expect(many).toBeLessThan(few + 20);
    expect(few).toBeLessThan(200);
  });
});

describe('GET /v1/me', () => {
  it.each<{ scopes: Scope[] }>([
    { scopes: ['status_pages:read'] },
    { scopes: ['api_keys:write', 'monitors:read'] },
  ])('tells any key that holds what it is, whatever its scopes: %j', async ({ scopes }) => {
    const project_ids = [await server.project(tenant.organization_id)];
    const expires_at = inSeconds(3600);
    const { key, id, prefix } = await make({ name: 'Mine', scopes, project_ids, expires_at });
    const { status, body } = await me(key);
    expect([status, body.data]).toEqual([
      200,
      {
        id,
        name: 'Mine',
        prefix,
        scopes,
        project_ids,
        expires_at,
        organization_id: tenant.organization_id,
      },
    ]);
  });

  it('needs a key', async () => {
    expect((await server.ask('/v1/me')).body.code).toBe('missing_api_key');
  });
});
