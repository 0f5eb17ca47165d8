import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { usePages } from './use-pages.js';

const { server, tenant, monitors, aPage, stored, expectRefused } = usePages();

describe('PATCH /v1/status-pages/{id} with name', () => {
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
  ])('accepts 1 to 200 code points and stores the name as sent: %j', async (name) => {
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
  ])('rejects an invalid name: %j', async (name, code) => {
    await expectRefused(await aPage(), { name }, { code, pointer: '#/name' });
  });
});

describe('PATCH /v1/status-pages/{id} with is_public', () => {
  it.each(['true', 'false', 1, 0, '', [], {}, [true]])(
    'accepts only true and false, without conversion: %j',
    async (value) => {
      await expectRefused(
        await aPage(),
        { is_public: value },
        { code: 'invalid_type', pointer: '#/is_public' },
      );
    },
  );
});

describe('PATCH /v1/status-pages/{id} with accent_color', () => {
  it.each(['#000000', '#FFFFFF', '#aBcDeF', '#123456'])(
    'stores the color as sent: %s',
    async (accent_color) => {
      const page = await aPage();
      const { body } = await server.patch(tenant, page.id, { accent_color });
      expect(body.data.accent_color).toBe(accent_color);
    },
  );

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
  ])('rejects another format: %j', async (accent_color) => {
    await expectRefused(
      await aPage(),
      { accent_color },
      { code: 'invalid_format', pointer: '#/accent_color' },
    );
  });

  it.each([123456, 0x123456, [], {}, true])('rejects another type: %j', async (accent_color) => {
    await expectRefused(await aPage(), { accent_color }, { code: 'invalid_type', pointer: '#/accent_color' });
  });
});

describe('PATCH /v1/status-pages/{id} with sections', () => {
  const section = (change: object = {}) => ({ id: 'a', title: 'A', monitor_ids: [], ...change });

  it('replaces all sections and keeps the order sent', async () => {
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

  it('accepts monitor IDs in upper case and returns them in lower case', async () => {
    const page = await aPage();
    const [first = ''] = monitors;
    const { body } = await server.patch(tenant, page.id, {
      sections: [section({ monitor_ids: [first.toUpperCase()] })],
    });
    expect(body.data.sections[0]?.monitor_ids).toEqual([first]);
  });

  it.each([
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'c232ab00-9414-11ec-b3c8-9f6bdeced846',
    '2489E9AD-2EE2-8E00-8EC9-32D5F69181C0',
  ])('accepts a monitor UUID of any version and variant: %s', async (id) => {
    await expectRefused(
      await aPage(),
      { sections: [section({ monitor_ids: [id] })] },
      { code: 'unknown_monitor', pointer: '#/sections/0/monitor_ids/0' },
    );
  });

  it('accepts titles of 200 code points', async () => {
    const page = await aPage();
    const sections = [section({ title: '🚀'.repeat(200) })];
    expect((await server.patch(tenant, page.id, { sections })).body.data.sections).toEqual(sections);
  });

  it('accepts one monitor in two sections', async () => {
    const page = await aPage();
    const [first = ''] = monitors;
    const sections = [section({ monitor_ids: [first] }), section({ id: 'b', monitor_ids: [first] })];
    expect((await server.patch(tenant, page.id, { sections })).body.data.sections).toEqual(sections);
  });

  it.each(['a', 'A-z_0', '_', '-', 'x'.repeat(64), '0'])('accepts the section ID %s', async (id) => {
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
  ])('rejects a section with %j', async (change, code, place) => {
    await expectRefused(
      await aPage(),
      { sections: [section({ id: 'ok' }), section(change)] },
      { code, pointer: `#/sections/1/${place}` },
    );
  });

  it.each([null, [], [[]], 'x', 1, true])('rejects a section that is not an object: %j', async (odd) => {
    await expectRefused(
      await aPage(),
      { sections: [section(), odd] },
      { code: 'invalid_type', pointer: '#/sections/1' },
    );
  });

  it.each(['x', 1, true, {}, { 0: { id: 'a', title: 'A', monitor_ids: [] }, length: 1 }])(
    'rejects a value that is not an array: %j',
    async (sections) => {
      await expectRefused(await aPage(), { sections }, { code: 'invalid_type', pointer: '#/sections' });
    },
  );

  it('rejects duplicate section IDs', async () => {
    const sections = [section(), section({ id: 'b' }), section({ title: 'Again' })];
    await expectRefused(await aPage(), { sections }, { code: 'duplicate', pointer: '#/sections/2/id' });
  });

  it('rejects a repeated monitor in a section in any case', async () => {
    const [first = '', second = ''] = monitors;
    const sections = [section({ monitor_ids: [first, second, first.toUpperCase()] })];
    await expectRefused(
      await aPage(),
      { sections },
      { code: 'duplicate', pointer: '#/sections/0/monitor_ids/2' },
    );
  });

  it('returns the same error for unknown monitors and monitors of other projects', async () => {
    const sibling = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const [ofSibling = ''] = await server.monitors(sibling, 1);
    const [ofStranger = ''] = await server.monitors(await server.tenant(), 1);
    const [own = ''] = monitors;
    const unknown = ['0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a10', ofSibling, ofStranger];
    const page = await aPage();
    const body = expectProblem(
      await server.patch(tenant, page.id, {
        name: 'Not changed either',
        sections: [section(), section({ id: 'b', monitor_ids: [own, ...unknown] })],
      }),
      400,
      'validation_failed',
    );
    expect(body.errors).toEqual(
      [1, 2, 3].map((index) => ({
        code: 'unknown_monitor',
        detail: 'is not a monitor of the project',
        pointer: `#/sections/1/monitor_ids/${index}`,
      })),
    );
    expect(await stored(page.id)).toEqual(page);
  });

  it('returns 404 for an unknown page before it checks monitors', async () => {
    const sections = [section({ monitor_ids: ['0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a10'] })];
    expect((await server.patch(tenant, '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01', { sections })).status).toBe(
      404,
    );
  });

  it('accepts 200 sections and rejects 201', async () => {
    const page = await aPage();
    const many = (count: number) => Array.from({ length: count }, (_, index) => section({ id: `s${index}` }));
    const { status, body } = await server.patch(tenant, page.id, { sections: many(200) });
    expect([status, body.data.sections.length]).toEqual([200, 200]);
    await expectRefused(body.data, { sections: many(201) }, { code: 'too_long', pointer: '#/sections' });
  });

  it('accepts 500 monitors per section and 1,000 in total', async () => {
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
    expectProblem(await patch(501), 400, 'validation_failed', {
      code: 'too_long',
      pointer: '#/sections/0/monitor_ids',
    });
    expectProblem(await patch(500, 500, 1), 400, 'validation_failed', {
      code: 'too_long',
      pointer: '#/sections',
    });
  });
});
