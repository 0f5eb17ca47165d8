import { describe, expect, it } from 'vitest';
import { RESERVED_SLUGS } from '../../src/status-pages/slug.js';
import { expectProblem } from '../support/expectations.js';
import { type Answer, type Tenant, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

function create(fields: object, { key, project_id }: Tenant = tenant): Promise<Answer> {
  return server.ask('/v1/status-pages', { method: 'POST', key, json: { project_id, ...fields } });
}

async function expectRefused(fields: object, ...errors: { code: string; pointer: string }[]): Promise<void> {
  const before = await count();
  const body = expectProblem(await create(fields), 400, 'validation_failed');
  const byPointer = (a: { pointer?: string }, b: { pointer?: string }) =>
    String(a.pointer).localeCompare(String(b.pointer));
  const found = body.errors.map(({ code, pointer }) => ({ code, pointer }));
  expect(found.toSorted(byPointer)).toEqual(errors.toSorted(byPointer));
  expect(await count()).toBe(before);
}

async function count(): Promise<number> {
  const rows = await server.sql<{ count: number }[]>('SELECT count(*)::int FROM status_pages');
  return rows[0]?.count ?? 0;
}

describe('POST /v1/status-pages', () => {
  it('returns 201 with the defaults, Location and ETag for only a name', async () => {
    const { status, headers, body } = await create({ name: 'Acme Cloud' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Acme Cloud',
      slug: 'acme-cloud',
      is_public: true,
      description: '',
      accent_color: '#2563eb',
      show_powered_by: true,
      show_history: true,
      history_days: 90,
      rss_enabled: true,
      subscribe_enabled: false,
      custom_domain: null,
      sections: [],
      project_id: tenant.project_id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.data.created_at,
    });
    expect(headers.get('location')).toBe(`/v1/status-pages/${body.data.id}`);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    const read = await server.ask(String(headers.get('location')), { key: tenant.key });
    expect(read.body.data).toEqual(body.data);
    const { body: list } = await server.list(tenant, { limit: 1 });
    expect(list.data).toEqual([body.data]);
  });

  it('accepts every field', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const fields = {
      name: 'Everything',
      slug: 'every-thing-1',
      is_public: false,
      description: 'All of it. 🚀',
      accent_color: '#AbCdEf',
      show_powered_by: false,
      show_history: false,
      history_days: 365,
      rss_enabled: false,
      subscribe_enabled: true,
      custom_domain: 'status.everything.example',
      sections: [
        { id: 'a', title: 'A', monitor_ids: [monitor] },
        { id: 'b', title: 'A', monitor_ids: [] },
      ],
    };
    const { status, body } = await create(fields);
    expect(status).toBe(201);
    expect(body.data).toMatchObject(fields);
  });

  it('stores name and sections as sent, with fields in the order of the list', async () => {
    const [first = '', second = ''] = await server.monitors(tenant, 2);
    const name = '  kept as sent \t';
    const sections = [
      { id: 'z', title: ' Zulu ', monitor_ids: [second, first] },
      { id: 'a', title: 'Alpha', monitor_ids: [] },
    ];
    const { status, body } = await create({ name, sections });
    expect([status, body.data.name, body.data.sections]).toEqual([201, name, sections]);
    const { body: list } = await server.list(tenant, { limit: 1 });
    expect(Object.entries(body.data)).toEqual(Object.entries(list.data[0] ?? {}));
  });

  it('requires only status_pages:write', async () => {
    const { key } = await server.key(tenant.organization_id, { scopes: ['status_pages:write'] });
    expect((await create({ name: 'Written' }, { ...tenant, key })).status).toBe(201);
  });

  it('requires project_id and name, even without a body', async () => {
    for (const json of [{}, undefined]) {
      const { status, body } = await server.ask('/v1/status-pages', {
        method: 'POST',
        key: tenant.key,
        json,
      });
      expect([status, body.errors.map(({ code, pointer }) => [code, pointer])]).toEqual([
        400,
        [
          ['required', '#/project_id'],
          ['required', '#/name'],
        ],
      ]);
    }
  });

  it('lists every invalid field and creates nothing', async () => {
    await expectRefused(
      {
        name: ' ',
        slug: 'A',
        is_public: 'true',
        description: null,
        accent_color: 'red',
        show_powered_by: 1,
        show_history: null,
        history_days: 0,
        rss_enabled: [],
        subscribe_enabled: {},
        custom_domain: 'http://x',
        sections: [{}],
        id: 'x',
        created_at: '2020-01-01T00:00:00.000Z',
      },
      { code: 'invalid_type', pointer: '#/rss_enabled' },
      { code: 'invalid_type', pointer: '#/subscribe_enabled' },
      { code: 'unknown_field', pointer: '#/id' },
      { code: 'unknown_field', pointer: '#/created_at' },
      { code: 'blank', pointer: '#/name' },
      { code: 'invalid_format', pointer: '#/slug' },
      { code: 'invalid_type', pointer: '#/is_public' },
      { code: 'invalid_type', pointer: '#/description' },
      { code: 'invalid_format', pointer: '#/accent_color' },
      { code: 'invalid_type', pointer: '#/show_powered_by' },
      { code: 'invalid_type', pointer: '#/show_history' },
      { code: 'out_of_range', pointer: '#/history_days' },
      { code: 'invalid_format', pointer: '#/custom_domain' },
      { code: 'required', pointer: '#/sections/0/id' },
      { code: 'required', pointer: '#/sections/0/title' },
      { code: 'required', pointer: '#/sections/0/monitor_ids' },
    );
  });

  it('returns the same error for unknown and foreign monitors', async () => {
    const [foreign = ''] = await server.monitors(await server.tenant(), 1);
    const sibling = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const [ofSibling = ''] = await server.monitors(sibling, 1);
    for (const monitor of [foreign, ofSibling, '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01'])
      await expectRefused(
        { name: 'Page', sections: [{ id: 'a', title: 'A', monitor_ids: [monitor] }] },
        { code: 'unknown_monitor', pointer: '#/sections/0/monitor_ids/0' },
      );
  });

  it('returns 404 for an unknown project before it checks monitors', async () => {
    const project_id = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    const sections = [{ id: 'a', title: 'A', monitor_ids: [project_id] }];
    for (const fields of [{ name: 'Page' }, { name: 'Page', sections }])
      expect((await create(fields, { ...tenant, project_id })).status).toBe(404);
  });

  it('accepts application/merge-patch+json', async () => {
    const body = JSON.stringify({ project_id: tenant.project_id, name: 'Merged' });
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const { status } = await server.ask('/v1/status-pages', {
      method: 'POST',
      key: tenant.key,
      body,
      headers,
    });
    expect(status).toBe(201);
  });

  it('returns 415 for another content type', async () => {
    const body = JSON.stringify({ project_id: tenant.project_id, name: 'Page' });
    const ask = { method: 'POST', key: tenant.key, body, headers: { 'Content-Type': 'text/plain' } };
    const { status, headers } = await server.ask('/v1/status-pages', ask);
    expect([status, headers.get('accept-patch')]).toEqual([415, null]);
  });
});

describe('POST /v1/status-pages with slug', () => {
  it.each([
    ['Grüße aus Köln', 'gruesse-aus-koeln'],
    ['Ваш статус', 'vash-status'],
    ['HTTPServer & Co.', 'httpserver-and-co'],
    ['🚀', 'page'],
    ['Admin', 'admin-2'],
    ['x'.repeat(200), 'x'.repeat(63)],
  ])('derives the slug of %s: %s', async (name, slug) => {
    const { status, body } = await create({ name });
    expect([status, body.data.slug]).toEqual([201, slug]);
  });

  it('numbers a derived slug that is taken in any organization', async () => {
    const other = await server.tenant();
    const slugs = [];
    for (const by of [tenant, other, tenant])
      slugs.push((await create({ name: 'Numbered' }, by)).body.data.slug);
    expect(slugs).toEqual(['numbered', 'numbered-2', 'numbered-3']);
  });

  it.each(['a', '0', 'a-b-c', '1-2', 'y'.repeat(63)])('accepts %s', async (slug) => {
    const { status, body } = await create({ name: 'Page', slug });
    expect([status, body.data.slug]).toEqual([201, slug]);
  });

  it.each(['A', 'a_b', '-a', 'a-', 'a--b', 'a b', 'ä', '', 'a.b', 'a\n'])(
    'returns 400 for %j',
    async (slug) => {
      await expectRefused({ name: 'Page', slug }, { code: 'invalid_format', pointer: '#/slug' });
    },
  );

  it('accepts 63 characters', async () => {
    await expectRefused({ name: 'Page', slug: 'x'.repeat(64) }, { code: 'too_long', pointer: '#/slug' });
  });

  it.each([null, 1, [], {}])('returns 400 for the type of %j', async (slug) => {
    await expectRefused({ name: 'Page', slug }, { code: 'invalid_type', pointer: '#/slug' });
  });

  it('rejects reserved words, which the OpenAPI document lists', async () => {
    expect(RESERVED_SLUGS.size).toBeGreaterThan(20);
    const { text } = await server.ask('/openapi.json');
    expect(text).toContain([...RESERVED_SLUGS].join(', '));
    for (const slug of ['api', 'www', 'docs', 'health', 'status-pages'])
      await expectRefused({ name: 'Page', slug }, { code: 'reserved', pointer: '#/slug' });
  });
});

describe('POST /v1/status-pages with custom_domain', () => {
  it.each([
    ['Status.ACME.example', 'status.acme.example'],
    ['a', 'a'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['1.2.3.4.example', '1.2.3.4.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
    [`${'a.'.repeat(123)}example`, `${'a.'.repeat(123)}example`],
  ])('stores %s in lower case', async (custom_domain, stored) => {
    const { status, body } = await create({ name: 'Page', custom_domain });
    expect([status, body.data.custom_domain]).toEqual([201, stored]);
  });

  it('accepts null', async () => {
    for (let times = 0; times < 2; times++)
      expect((await create({ name: 'Page', custom_domain: null })).body.data.custom_domain).toBeNull();
  });

  it.each([
    'https://status.example',
    'status.example:443',
    'status.example/path',
    'status.example.',
    '.example',
    'a..example',
    '-a.example',
    'a-.example',
    'a_b.example',
    'a b.example',
    'user@status.example',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.0x1',
    '[::1]',
    '::1',
    'münchen.example',
    '\u212aing.example',
    '*.example',
    `${'a'.repeat(64)}.example`,
    '',
    'a\n',
  ])('returns 400 for %j', async (custom_domain) => {
    await expectRefused(
      { name: 'Page', custom_domain },
      { code: 'invalid_format', pointer: '#/custom_domain' },
    );
  });

  it('accepts 253 characters', async () => {
    const ofLength = (length: number) => `${'a.'.repeat(120)}${'b'.repeat(length - 240)}`;
    expect((await create({ name: 'Page', custom_domain: ofLength(253) })).status).toBe(201);
    const tooLong = { name: 'Page', custom_domain: ofLength(254) };
    expectProblem(await create(tooLong), 400, 'validation_failed', {
      code: 'too_long',
      detail: 'must have 1 to 253 characters',
      pointer: '#/custom_domain',
    });
  });

  it.each([1, [], {}, true])('returns 400 for the type of %j', async (custom_domain) => {
    await expectRefused(
      { name: 'Page', custom_domain },
      { code: 'invalid_type', pointer: '#/custom_domain' },
    );
  });
});

describe('POST /v1/status-pages with description', () => {
  it('accepts 0 to 2,000 code points', async () => {
    for (const description of ['', ' ', '🚀'.repeat(2_000)])
      expect((await create({ name: 'Page', description })).body.data.description).toBe(description);
    await expectRefused(
      { name: 'Page', description: 'x'.repeat(2_001) },
      { code: 'too_long', pointer: '#/description' },
    );
  });
});

describe('POST /v1/status-pages with history_days', () => {
  it.each([1, 90, 365])('accepts %i', async (history_days) => {
    expect((await create({ name: 'Page', history_days })).body.data.history_days).toBe(history_days);
  });

  it.each([0, 366, -1, 1.5, 1e300])('returns 400 for %d', async (history_days) => {
    await expectRefused({ name: 'Page', history_days }, { code: 'out_of_range', pointer: '#/history_days' });
  });

  it.each(['90', null, true, [90]])('returns 400 for the type of %j', async (history_days) => {
    await expectRefused({ name: 'Page', history_days }, { code: 'invalid_type', pointer: '#/history_days' });
  });
});

describe('POST /v1/status-pages with a slug or domain that is taken', () => {
  it('returns 409 with each conflicting field and creates nothing', async () => {
    await create({ name: 'Page', slug: 'mine', custom_domain: 'mine.example' });
    const before = await count();
    const expected: [object, string[]][] = [
      [{ slug: 'mine' }, ['#/slug']],
      [{ custom_domain: 'MINE.example' }, ['#/custom_domain']],
      [{ slug: 'free', custom_domain: 'mine.example' }, ['#/custom_domain']],
      [{ slug: 'mine', custom_domain: 'mine.example' }, ['#/slug', '#/custom_domain']],
    ];
    for (const [fields, pointers] of expected) {
      const body = expectProblem(await create({ name: 'Page', ...fields }), 409, 'conflict');
      expect(body.errors.map(({ code, pointer }) => [code, pointer])).toEqual(
        pointers.map((pointer) => ['taken', pointer]),
      );
    }
    expect(await count()).toBe(before);
  });

  it('reveals nothing about the page that uses the slug, not even whether it belongs to the organization', async () => {
    const other = await server.tenant();
    const project_id = await server.project(tenant.organization_id);
    const limited = await server.key(tenant.organization_id, { project_ids: [tenant.project_id] });
    const key = limited.key;
    const bodies: string[] = [];
    for (const [index, owner] of [tenant, { ...tenant, project_id }, other, other].entries()) {
      const slug = `occupied-${index}`;
      const hidden = { name: 'Secret project', slug, is_public: index < 3, description: 'Hidden text' };
      const { id } = await server.page(owner, hidden);
      const { id: own } = await server.page(tenant);
      for (const answer of [
        await create({ name: 'Page', slug }, { ...tenant, key }),
        await server.ask(`/v1/status-pages/${own}/settings`, { method: 'PATCH', key, json: { slug } }),
      ]) {
        const { request_id, ...body } = expectProblem(answer, 409, 'conflict', {
          code: 'taken',
          pointer: '#/slug',
        });
        expect(answer.text).not.toMatch(
          new RegExp(`${id}|Secret|Hidden|${owner.project_id}|${owner.organization_id}`),
        );
        expect(answer.headers.get('location')).toBeNull();
        bodies.push(JSON.stringify(body));
        expect(request_id).toBe(answer.headers.get('x-request-id'));
      }
    }
    expect(new Set(bodies.map((body) => body.replaceAll(/occupied-\d/g, 'occupied'))).size).toBe(1);
  });

  it('accepts one of many concurrent requests and rejects the others with 409', async () => {
    for (let round = 0; round < 20; round++) {
      const fields = { name: 'Race', slug: `race-${round}`, custom_domain: `race-${round}.example` };
      const answers = await Promise.all(Array.from({ length: 5 }, () => create(fields)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    }
  });

  it('derives different slugs for concurrent requests without conflicts', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => create({ name: 'Everyone' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.data.slug)).size).toBe(30);
  });
});
