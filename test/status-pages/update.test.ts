import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MonitorsService } from '../../src/monitors/monitors.service.js';
import { type Answer, type Tenant, TestServer, type WirePage } from '../support/server.js';
import { requestStatementsOf } from '../support/statements.js';

let server: TestServer;
let tenant: Tenant;
let monitors: string[];

beforeAll(async () => {
  server = await TestServer.start();
  tenant = await server.tenant();
  monitors = await server.monitors(tenant, 3);
});
afterAll(() => server.stop());

/** A new page of the tenant, as the list shows it. */
async function aPage(name = 'Page'): Promise<WirePage> {
  const [monitor = ''] = monitors;
  const sections = [{ id: 'first', title: 'First', monitor_ids: [monitor] }];
  const { id } = await server.page(tenant, { name, sections });
  return stored(id);
}

/** The page as it is now: an empty patch changes nothing. */
async function stored(id: string): Promise<WirePage> {
  const { status, body } = await server.patch(tenant, id, {});
  expect(status).toBe(200);
  return body.data;
}

/** Expects one bad field, and that the page was left as it is. */
async function expectRefused(
  page: WirePage,
  patch: unknown,
  ...errors: { code: string; pointer: string }[]
): Promise<void> {
  const { status, body } = await server.patch(tenant, page.id, patch);
  expect([patch, status, body.code]).toEqual([patch, 400, 'validation_failed']);
  expect(body.errors.map(({ code, pointer }) => ({ code, pointer }))).toEqual(errors);
  for (const { detail } of body.errors) expect(detail).toMatch(/\w+/);
  expect(await stored(page.id)).toEqual(page);
}

describe('a patch', () => {
  it('answers 200 with the full page under data, and nothing besides', async () => {
    const page = await aPage();
    const { status, body, headers } = await server.patch(tenant, page.id, { name: 'New name' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual(['data']);
    const { body: list } = await server.list(tenant);
    expect(Object.keys(body.data)).toEqual(Object.keys(list.data[0] ?? {}));
    expect(body.data).toEqual({ ...page, name: 'New name', updated_at: body.data.updated_at });
  });

  it.each([
    ['name', 'Another name'],
    ['is_public', false],
    ['accent_color', '#ABCdef'],
    ['sections', [{ id: 'other', title: 'Other', monitor_ids: [] }]],
  ])('of %s changes that field, updated_at and no other', async (field, value) => {
    const page = await aPage();
    const { body } = await server.patch(tenant, page.id, { [field]: value });
    expect(body.data).toEqual({ ...page, [field]: value, updated_at: body.data.updated_at });
    expect(Date.parse(body.data.updated_at)).toBeGreaterThan(Date.parse(page.updated_at));
    expect(await stored(page.id)).toEqual(body.data);
  });

  it('of all four fields changes all four', async () => {
    const page = await aPage();
    const patch = { name: 'All', is_public: false, accent_color: '#000000', sections: [] };
    const { body } = await server.patch(tenant, page.id, patch);
    expect(body.data).toEqual({ ...page, ...patch, updated_at: body.data.updated_at });
  });

  it('of nothing changes nothing, updated_at included', async () => {
    const page = await aPage();
    const { status, body } = await server.patch(tenant, page.id, {});
    expect([status, body.data]).toEqual([200, page]);
  });

  it.each(['name', 'is_public', 'accent_color', 'sections'] as const)(
    'of %s to the value that it has changes nothing, updated_at included',
    async (field) => {
      const page = await aPage();
      const { status, body } = await server.patch(tenant, page.id, { [field]: page[field] });
      expect([status, body.data]).toEqual([200, page]);
    },
  );

  it('may be sent as application/merge-patch+json', async () => {
    const page = await aPage();
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const { status, body } = await server.patch(tenant, page.id, { name: 'Merged' }, headers);
    expect([status, body.data.name]).toEqual([200, 'Merged']);
  });

  it('shows in the list', async () => {
    const page = await aPage();
    const { body } = await server.patch(tenant, page.id, { name: 'Listed' });
    const { body: list } = await server.list(tenant, { limit: 100 });
    expect(list.data.find(({ id }) => id === page.id)).toEqual(body.data);
  });

  it('takes the id in upper case', async () => {
    const page = await aPage();
    const { status, body } = await server.patch(tenant, page.id.toUpperCase(), {});
    expect([status, body.data.id]).toEqual([200, page.id]);
  });

  it('of a page that does not exist is 404', async () => {
    const { status, body } = await server.patch(tenant, '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01', {
      name: 'x',
    });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it.each(['x', '1', 'null', '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a0', '%00', '%E0%A4%A', '%', '..%2f..', '🚀'])(
    'of an id that is no UUID is 400: %s',
    async (id) => {
      const { status, body } = await server.patch(tenant, id, { name: 'x' });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.errors).toEqual([{ code: 'invalid_format', detail: 'must be a UUID', parameter: 'id' }]);
    },
  );

  it('needs only status_pages:write to be answered with the page', async () => {
    const page = await aPage();
    const { key } = await server.key(tenant.organization_id, { scopes: ['status_pages:write'] });
    const { status, body } = await server.patch({ key }, page.id, { name: 'Written' });
    expect([status, body.data.name]).toEqual([200, 'Written']);
  });

  it('without sections is one statement', async () => {
    const page = await aPage();
    const statements = await requestStatementsOf(() =>
      server.patch(tenant, page.id, { name: 'One', is_public: false }),
    );
    expect(statements).toHaveLength(1);
    expect(statements[0]).toMatch(/^UPDATE status_pages/);
    expect(statements[0]).toContain('SET (name, is_public) = ROW');
  });
});

describe('all or nothing: a bad field is named, and nothing is changed', () => {
  it('names every bad field at once', async () => {
    await expectRefused(
      await aPage(),
      { name: '', is_public: 'yes', accent_color: 'red', sections: {}, nmae: 'typo' },
      { code: 'invalid_type', pointer: '#/sections' },
      { code: 'unknown_field', pointer: '#/nmae' },
      { code: 'too_short', pointer: '#/name' },
      { code: 'invalid_type', pointer: '#/is_public' },
      { code: 'invalid_format', pointer: '#/accent_color' },
    );
  });

  it('changes nothing of the good fields beside a bad one', async () => {
    await expectRefused(
      await aPage(),
      { name: 'Good', is_public: 1 },
      { code: 'invalid_type', pointer: '#/is_public' },
    );
  });

  it.each([
    'id slug description show_powered_by show_history history_days rss_enabled subscribe_enabled custom_domain project_id created_at updated_at',
    'organization_id nmae Name constructor __proto__ prototype toString hasOwnProperty valueOf then toJSON',
  ])('refuses read-only and unknown fields: %s', async (names) => {
    const page = await aPage();
    for (const name of names.split(' ')) {
      const patch: unknown = JSON.parse(`{"${name}": "x", "name": "Good"}`);
      await expectRefused(page, patch, { code: 'unknown_field', pointer: `#/${name}` });
    }
  });

  it.each([
    ['id project_id created_at updated_at', 'is read-only'],
    [
      'slug description show_powered_by show_history history_days rss_enabled subscribe_enabled custom_domain',
      'is changed by PATCH /v1/status-pages/{id}/settings',
    ],
    ['organization_id nmae constructor', 'is not a field that can be sent here'],
  ])('says why it refuses %s', async (names, detail) => {
    const page = await aPage();
    for (const name of names.split(' ')) {
      const { body } = await server.patch(tenant, page.id, { [name]: 'x' });
      expect(body.errors).toEqual([{ code: 'unknown_field', detail, pointer: `#/${name}` }]);
    }
  });

  it('says of every field of a page why it refuses it, or takes it', async () => {
    const page = await aPage();
    const { body } = await server.patch(tenant, page.id, page);
    expect(body.errors.map(({ detail }) => detail)).not.toContain('is not a field that can be sent here');
    expect(body.errors).toHaveLength(Object.keys(page).length - 4);
  });

  it('points to fields with odd names as RFC 6901 wants it', async () => {
    await expectRefused(
      await aPage(),
      { 'a/b~c d': 1, '': 2, 'ü"%': 3 },
      { code: 'unknown_field', pointer: '#/a~1b~0c%20d' },
      { code: 'unknown_field', pointer: '#/' },
      { code: 'unknown_field', pointer: '#/%C3%BC%22%25' },
    );
  });

  it.each(['name', 'is_public', 'accent_color', 'sections'])('refuses null for %s', async (field) => {
    await expectRefused(await aPage(), { [field]: null }, { code: 'invalid_type', pointer: `#/${field}` });
  });
});

describe('name', () => {
  it.each([
    'a',
    'a'.repeat(200),
    '🚀'.repeat(200),
    '👨‍👩‍👧'.repeat(40),
    '  kept as sent \t',
    `<script>alert(1)</script> ' " ; DROP TABLE`,
    '\u200b',
    '\ufeffx',
    'line\nbreak',
  ])('may have 1 to 200 code points, and is kept as sent: %j', async (name) => {
    const page = await aPage();
    const { status, body } = await server.patch(tenant, page.id, { name });
    expect([status, body.data.name]).toEqual([200, name]);
    expect((await stored(page.id)).name).toBe(name);
  });

  it.each([
    ['', 'too_short'],
    ['a'.repeat(201), 'too_long'],
    ['🚀'.repeat(201), 'too_long'],
    [' ', 'blank'],
    ['\t\n\u00a0\u2003\u0085\ufeff', 'blank'],
    ['a\u0000b', 'invalid_format'],
    ['\ud800', 'invalid_format'],
    ['x\udc00y', 'invalid_format'],
    [1, 'invalid_type'],
    [true, 'invalid_type'],
    [['a'], 'invalid_type'],
    [{ a: 1 }, 'invalid_type'],
    [{}, 'invalid_type'],
  ])('is refused otherwise: %j', async (name, code) => {
    await expectRefused(await aPage(), { name }, { code, pointer: '#/name' });
  });
});

describe('is_public', () => {
  it.each(['true', 'false', 1, 0, '', [], {}, [true]])(
    'is true or false, and nothing is converted: %j',
    async (value) => {
      await expectRefused(
        await aPage(),
        { is_public: value },
        { code: 'invalid_type', pointer: '#/is_public' },
      );
    },
  );
});

describe('accent_color', () => {
  it.each(['#000000', '#FFFFFF', '#aBcDeF', '#123456'])('is kept as sent: %s', async (accent_color) => {
    const page = await aPage();
    const { body } = await server.patch(tenant, page.id, { accent_color });
    expect(body.data.accent_color).toBe(accent_color);
  });

  it.each([
    '',
    '#fff',
    '#12345',
    '#1234567',
    '#12345g',
    '123456',
    'red',
    ' #123456',
    '#123456\n',
    '#123456 ',
    '＃123456',
  ])('is refused in another form: %j', async (accent_color) => {
    await expectRefused(
      await aPage(),
      { accent_color },
      { code: 'invalid_format', pointer: '#/accent_color' },
    );
  });

  it.each([123456, 0x123456, [], {}, true])('is refused in another type: %j', async (accent_color) => {
    await expectRefused(await aPage(), { accent_color }, { code: 'invalid_type', pointer: '#/accent_color' });
  });
});

describe('sections', () => {
  const section = (change: object = {}) => ({ id: 'a', title: 'A', monitor_ids: [], ...change });

  it('are replaced as a whole, and kept in the order sent', async () => {
    const page = await aPage();
    const [first = '', second = '', third = ''] = monitors;
    const sections = [
      { id: 'z', title: 'Zulu', monitor_ids: [third, first] },
      { id: 'a', title: 'Alpha', monitor_ids: [first, second, third] },
      { id: 'm', title: 'Alpha', monitor_ids: [] },
    ];
    const { status, body } = await server.patch(tenant, page.id, { sections });
    expect([status, body.data.sections]).toEqual([200, sections]);
    const reordered = sections.toReversed();
    expect((await server.patch(tenant, page.id, { sections: reordered })).body.data.sections).toEqual(
      reordered,
    );
    expect((await server.patch(tenant, page.id, { sections: [] })).body.data.sections).toEqual([]);
  });

  it('take monitor ids in upper case, and show them in lower case', async () => {
    const page = await aPage();
    const [first = ''] = monitors;
    const { body } = await server.patch(tenant, page.id, {
      sections: [section({ monitor_ids: [first.toUpperCase()] })],
    });
    expect(body.data.sections[0]?.monitor_ids).toEqual([first]);
  });

  it('may have titles of 200 code points', async () => {
    const page = await aPage();
    const sections = [section({ title: '🚀'.repeat(200) })];
    expect((await server.patch(tenant, page.id, { sections })).body.data.sections).toEqual(sections);
  });

  it('may show one monitor in two sections', async () => {
    const page = await aPage();
    const [first = ''] = monitors;
    const sections = [section({ monitor_ids: [first] }), section({ id: 'b', monitor_ids: [first] })];
    expect((await server.patch(tenant, page.id, { sections })).body.data.sections).toEqual(sections);
  });

  it.each(['a', 'A-z_0', '_', '-', 'x'.repeat(64), '0'])('may have the id %s', async (id) => {
    const page = await aPage();
    expect((await server.patch(tenant, page.id, { sections: [section({ id })] })).status).toBe(200);
  });

  it.each([
    [{ id: '' }, 'invalid_format', 'id'],
    [{ id: 'x'.repeat(65) }, 'invalid_format', 'id'],
    [{ id: 'a b' }, 'invalid_format', 'id'],
    [{ id: 'ä' }, 'invalid_format', 'id'],
    [{ id: 'a\n' }, 'invalid_format', 'id'],
    [{ id: 1 }, 'invalid_type', 'id'],
    [{ id: null }, 'invalid_type', 'id'],
    [{ id: undefined }, 'required', 'id'],
    [{ title: '' }, 'too_short', 'title'],
    [{ title: ' \n' }, 'blank', 'title'],
    [{ title: 'x'.repeat(201) }, 'too_long', 'title'],
    [{ title: '🚀'.repeat(201) }, 'too_long', 'title'],
    [{ title: '\ud800' }, 'invalid_format', 'title'],
    [{ title: 'a\u0000' }, 'invalid_format', 'title'],
    [{ title: 5 }, 'invalid_type', 'title'],
    [{ title: null }, 'invalid_type', 'title'],
    [{ title: undefined }, 'required', 'title'],
    [{ monitor_ids: undefined }, 'required', 'monitor_ids'],
    [{ monitor_ids: null }, 'invalid_type', 'monitor_ids'],
    [{ monitor_ids: 'x' }, 'invalid_type', 'monitor_ids'],
    [{ monitor_ids: {} }, 'invalid_type', 'monitor_ids'],
    [{ monitor_ids: { length: 1, 0: 'x' } }, 'invalid_type', 'monitor_ids'],
    [{ monitor_ids: ['x'] }, 'invalid_format', 'monitor_ids/0'],
    [{ monitor_ids: [1] }, 'invalid_type', 'monitor_ids/0'],
    [{ monitor_ids: [null] }, 'invalid_type', 'monitor_ids/0'],
    [{ monitor_ids: [[]] }, 'invalid_type', 'monitor_ids/0'],
    [{ monitor_ids: [{}] }, 'invalid_type', 'monitor_ids/0'],
    [{ colour: 'red' }, 'unknown_field', 'colour'],
    [{ monitors: [] }, 'unknown_field', 'monitors'],
  ])('are refused with a section that has %j', async (change, code, place) => {
    await expectRefused(
      await aPage(),
      { sections: [section({ id: 'ok' }), section(change)] },
      { code, pointer: `#/sections/1/${place}` },
    );
  });

  it.each([null, [], [[]], 'x', 1, true])('are refused with something that is no object: %j', async (odd) => {
    await expectRefused(
      await aPage(),
      { sections: [section(), odd] },
      { code: 'invalid_type', pointer: '#/sections/1' },
    );
  });

  it.each(['x', 1, true, {}, { 0: { id: 'a', title: 'A', monitor_ids: [] }, length: 1 }])(
    'are refused where they are no array: %j',
    async (sections) => {
      await expectRefused(await aPage(), { sections }, { code: 'invalid_type', pointer: '#/sections' });
    },
  );

  it('have ids that are unique in the page', async () => {
    const sections = [section(), section({ id: 'b' }), section({ title: 'Again' })];
    await expectRefused(await aPage(), { sections }, { code: 'duplicate', pointer: '#/sections/2/id' });
  });

  it('repeat no monitor within a section, in whatever case', async () => {
    const [first = '', second = ''] = monitors;
    const sections = [section({ monitor_ids: [first, second, first.toUpperCase()] })];
    await expectRefused(
      await aPage(),
      { sections },
      { code: 'duplicate', pointer: '#/sections/0/monitor_ids/2' },
    );
  });

  it('show only monitors of the own project: nonexistent and foreign ones are told alike', async () => {
    const sibling = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const [ofSibling = ''] = await server.monitors(sibling, 1);
    const [ofStranger = ''] = await server.monitors(await server.tenant(), 1);
    const [own = ''] = monitors;
    const unknown = ['0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a10', ofSibling, ofStranger];
    const page = await aPage();
    const { status, body } = await server.patch(tenant, page.id, {
      name: 'Not changed either',
      sections: [section(), section({ id: 'b', monitor_ids: [own, ...unknown] })],
    });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual(
      [1, 2, 3].map((index) => ({
        code: 'unknown_monitor',
        detail: "is not a monitor of the page's project",
        pointer: `#/sections/1/monitor_ids/${index}`,
      })),
    );
    expect(await stored(page.id)).toEqual(page);
  });

  it('of a page that does not exist are 404, whatever monitors they show', async () => {
    const sections = [section({ monitor_ids: ['0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a10'] })];
    expect((await server.patch(tenant, '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01', { sections })).status).toBe(
      404,
    );
  });

  it('may be 200, and no more', async () => {
    const page = await aPage();
    const many = (count: number) => Array.from({ length: count }, (_, index) => section({ id: `s${index}` }));
    const { status, body } = await server.patch(tenant, page.id, { sections: many(200) });
    expect([status, body.data.sections.length]).toEqual([200, 200]);
    await expectRefused(body.data, { sections: many(201) }, { code: 'too_long', pointer: '#/sections' });
  });

  it('may show 500 monitors in one and 1,000 in all, and no more', async () => {
    const own = await server.tenant();
    const all = await server.monitors(own, 501);
    const { id } = await server.page(own);
    const patch = (...counts: number[]) =>
      server.patch(own, id, {
        sections: counts.map((count, index) =>
          section({ id: `s${index}`, monitor_ids: all.slice(0, count) }),
        ),
      });
    const full = await patch(500, 500);
    expect([full.status, full.body.data.sections[1]?.monitor_ids.length]).toEqual([200, 500]);
    expect((await patch(501)).body.errors).toMatchObject([
      { code: 'too_long', pointer: '#/sections/0/monitor_ids' },
    ]);
    expect((await patch(500, 500, 1)).body.errors).toMatchObject([
      { code: 'too_long', pointer: '#/sections' },
    ]);
  });
});

describe('at the same time', () => {
  it('200 patches of different fields lose nothing', async () => {
    const page = await aPage();
    const [first = ''] = monitors;
    const values = {
      name: (round: number) => `Round ${round}`,
      is_public: (round: number) => round % 2 === 0,
      accent_color: (round: number) => `#${String(round).padStart(6, '0')}`,
      sections: (round: number) => [{ id: `round-${round}`, title: 'Round', monitor_ids: [first] }],
    };
    for (let round = 1; round <= 50; round++) {
      const patches = Object.entries(values).map(([field, of]) => ({ [field]: of(round) }));
      const answers = await Promise.all(patches.map((patch) => server.patch(tenant, page.id, patch)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await stored(page.id)).toMatchObject(Object.assign({}, ...patches));
    }
  });

  it('200 patches sent at once all stick: each field ends with a value that was sent for it', async () => {
    const page = await aPage();
    const patches = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? { name: `Name ${index}` } : { accent_color: `#${String(index).padStart(6, '0')}` },
    );
    const answers = await Promise.all(patches.map((patch) => server.patch(tenant, page.id, patch)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const versions = answers.map(({ body }) => body.data.updated_at);
    expect(new Set(versions).size).toBe(200);
    const last = answers
      .toSorted((a, b) => a.body.data.updated_at.localeCompare(b.body.data.updated_at))
      .at(-1);
    expect(await stored(page.id)).toEqual(last?.body.data);
    expect(last?.body.data.name).toMatch(/^Name \d+$/);
    expect(last?.body.data.accent_color).toMatch(/^#000\d+$/);
  });

  it('a monitor is never shown once it is deleted, whichever comes first', async () => {
    const page = await aPage();
    for (let round = 0; round < 20; round++) {
      const [doomed = ''] = await server.monitors(tenant, 1);
      const sections = [{ id: 'a', title: 'A', monitor_ids: [doomed] }];
      const [answer] = await Promise.all([
        server.patch(tenant, page.id, { sections }),
        deleteMonitor(doomed),
      ]);
      expect([200, 400]).toContain(answer.status);
      expect(JSON.stringify((await stored(page.id)).sections)).not.toContain(doomed);
    }
  });

  it('a patch waits for the deletion of a monitor that it shows, and is then refused', async () => {
    const page = await aPage();
    const [doomed = ''] = await server.monitors(tenant, 1);
    const runner = server.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query('DELETE FROM monitors WHERE id = $1', [doomed]);
    const sections = [{ id: 'a', title: 'A', monitor_ids: [doomed] }];
    const patch = server.patch(tenant, page.id, { sections });
    const first = await Promise.race([patch, delay(300, 'still waiting')]);
    await runner.commitTransaction();
    await runner.release();
    expect(first).toBe('still waiting');
    expect((await patch).body.errors).toMatchObject([
      { code: 'unknown_monitor', pointer: '#/sections/0/monitor_ids/0' },
    ]);
    expect(await stored(page.id)).toEqual(page);
  });

  it('the deletion of a monitor waits for a patch that shows it', async () => {
    const page = await aPage();
    const [doomed = ''] = await server.monitors(tenant, 1);
    const holder = server.app.get(DataSource).createQueryRunner();
    await holder.startTransaction();
    await server.app
      .get(MonitorsService)
      .lock(tenant, [{ path: ['monitor_ids'], monitor_ids: [doomed] }], holder.manager);
    const deletion = deleteMonitor(doomed);
    const first = await Promise.race([deletion, delay(300, 'still waiting')]);
    await holder.query('UPDATE status_pages SET sections = $1 WHERE id = $2', [
      JSON.stringify([{ id: 'a', title: 'A', monitor_ids: [doomed] }]),
      page.id,
    ]);
    await holder.commitTransaction();
    await holder.release();
    expect(first).toBe('still waiting');
    await deletion;
    expect((await stored(page.id)).sections).toEqual([{ id: 'a', title: 'A', monitor_ids: [] }]);
  });

  async function deleteMonitor(id: string): Promise<void> {
    const { status } = await server.ask(`/v1/monitors/${id}`, { method: 'DELETE', key: tenant.key });
    expect(status).toBe(204);
  }
});

describe('If-Match', () => {
  const UNQUOTED = {
    code: 'invalid_format',
    detail: 'must be * or a list of ETags, each in double quotes',
    parameter: 'If-Match',
  };
  const ifMatch = (tag: string) => ({ 'If-Match': tag });
  const etagOf = ({ headers }: Answer) => String(headers.get('etag'));

  it('with the ETag of the last answer lets the patch through, which answers the next ETag', async () => {
    const page = await aPage();
    const first = await server.patch(tenant, page.id, { name: 'One' });
    expect(etagOf(first)).toBe(`"${first.body.data.updated_at}"`);
    const second = await server.patch(tenant, page.id, { name: 'Two' }, ifMatch(etagOf(first)));
    expect([second.status, second.body.data.name]).toEqual([200, 'Two']);
    expect(etagOf(second)).not.toBe(etagOf(first));
  });

  it.each([{ name: 'Late' }, { sections: [] }, {}])(
    'with the ETag of an older version is 412, and nothing is changed: %j',
    async (patch) => {
      const page = await aPage();
      const old = `"${page.updated_at}"`;
      const current = await server.patch(tenant, page.id, { name: 'Meanwhile' });
      const { status, body } = await server.patch(tenant, page.id, patch, ifMatch(old));
      expect([status, body.code]).toEqual([412, 'precondition_failed']);
      expect(await stored(page.id)).toEqual(current.body.data);
    },
  );

  it('of one version lets one of many through', async () => {
    const page = await aPage();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.patch(tenant, page.id, { name: `Writer ${index}` }, ifMatch(`"${page.updated_at}"`)),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(412)]);
  });

  it.each(['*', ' * '])('of %j lets any version through', async (tag) => {
    const page = await aPage();
    expect((await server.patch(tenant, page.id, { name: 'Any' }, ifMatch(tag))).status).toBe(200);
  });

  it('may list several tags', async () => {
    const page = await aPage();
    const tags = `"2020-01-01T00:00:00.000Z", "${page.updated_at}"`;
    expect((await server.patch(tenant, page.id, { name: 'Listed' }, ifMatch(tags))).status).toBe(200);
  });

  it.each([
    '"x"',
    '"a,b"',
    '""',
    '"9999-99-99T99:99:99.999Z"',
    '"2026-02-30T00:00:00.000Z"',
    '"2026-02-20T00:00:00.000Z-gzip-x"',
    'W/"2026-02-20T00:00:00.000Z--gzip"',
  ])('with a tag that no version has is 412: %s', async (tag) => {
    const page = await aPage();
    expect((await server.patch(tenant, page.id, { name: 'Never' }, ifMatch(tag))).status).toBe(412);
  });

  it.each(['W/"…"', '"…-gzip"', 'W/"…-gzip"', '"…-br"', '"…-zstd"', '"…--gzip"', ', "x",, W/"…" ,'])(
    'matches as proxies that compress change the tag: %s',
    async (form) => {
      const page = await aPage();
      const tag = form.replace('…', page.updated_at);
      const patched = await server.patch(tenant, page.id, { name: 'Compressed' }, ifMatch(tag));
      expect([patched.status, patched.body.data.name]).toEqual([200, 'Compressed']);
      const late = await server.patch(tenant, page.id, { name: 'Late' }, ifMatch(tag));
      expect(late.status).toBe(412);
    },
  );

  it.each([
    '…',
    'x',
    'W/…',
    'w/"…"',
    '"…',
    '…"',
    '"…"-gzip',
    "'…'",
    '"…" "x"',
    '"…", x',
    '*, "…"',
    '**',
    '',
    ' ',
    ',',
  ])('that is not a list of tags in double quotes is 400, and nothing is changed: %j', async (form) => {
    const page = await aPage();
    const tag = form.replace('…', page.updated_at);
    const { status, body } = await server.patch(tenant, page.id, { name: 'Never' }, ifMatch(tag));
    expect([status, body.code, body.errors]).toEqual([400, 'validation_failed', [UNQUOTED]]);
    expect(await stored(page.id)).toEqual(page);
  });

  it('that is malformed is 400 at any length', async () => {
    const page = await aPage();
    for (const tag of [`${','.repeat(15_000)}x`, `${' '.repeat(15_000)}x`, '"'.repeat(15_001)])
      expect((await server.patch(tenant, page.id, {}, ifMatch(`x${tag}`))).body.errors).toEqual([UNQUOTED]);
  });

  it('that is malformed is named with every other fault, before 404', async () => {
    const nowhere = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    const { status, body } = await server.patch(tenant, nowhere, { name: 1 }, ifMatch('x'));
    expect([status, body.errors.map(({ parameter, pointer }) => parameter ?? pointer)]).toEqual([
      400,
      ['If-Match', '#/name'],
    ]);
  });

  it('comes after the other checks: 400 for a bad field, 404 for a page that does not exist', async () => {
    const page = await aPage();
    expect((await server.patch(tenant, page.id, { name: 1 }, ifMatch('"x"'))).status).toBe(400);
    const unknown = [{ id: 'a', title: 'A', monitor_ids: ['0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a10'] }];
    expect((await server.patch(tenant, page.id, { sections: unknown }, ifMatch('"x"'))).status).toBe(400);
    const nowhere = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    expect((await server.patch(tenant, nowhere, { name: 'x' }, ifMatch('"x"'))).status).toBe(404);
  });
});
