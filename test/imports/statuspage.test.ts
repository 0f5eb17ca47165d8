import { beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '../../src/problems/problem.js';
import { ImportsService } from '../../src/imports/imports.service.js';
import { importOnce } from '../support/imports.js';
import { type Tenant, useTestServer, type WirePage } from '../support/server.js';

const server = useTestServer();
let tenant: Tenant;
let imports: ImportsService;

beforeAll(async () => {
  imports = server.app.get(ImportsService);
});

interface Component {
  id: string;
  name: string;
  position: number;
  group: boolean;
  group_id: string | null;
  description?: string | null;
  [further: string]: unknown;
}

const group = (id: string, position: number, further: Partial<Component> = {}): Component => ({
  id,
  name: `Group ${id}`,
  position,
  group: true,
  group_id: null,
  ...further,
});

const component = (
  id: string,
  position: number,
  group_id: string | null,
  further: Partial<Component> = {},
): Component => ({
  id,
  name: `Component ${id}`,
  position,
  group: false,
  group_id,
  ...further,
});

const file = (components: unknown, name: unknown = 'Example') => ({ page: { id: 'p1', name }, components });

/** Imports into a new project, and reads the page as a client would. */
async function imported(input: object) {
  const result = await importOnce(server, (one) =>
    imports.importIn('statuspage', one, structuredClone(input)),
  );
  tenant = result.tenant;
  return result;
}

/** The sections as titles with the names of their monitors. */
const shown = (page: WirePage, names: Map<string, string>) =>
  page.sections.map(({ title, monitor_ids }) => [title, monitor_ids.map((id) => names.get(id))]);

/** Expects a file to be refused, and that nothing of it is left. */
async function expectRefused(input: object, ...errors: { pointer: string; code?: string }[]): Promise<void> {
  tenant = await server.tenant();
  const refused = imports.importIn('statuspage', tenant, structuredClone(input));
  await expect(refused).rejects.toBeInstanceOf(Problem);
  await expect(refused).rejects.toMatchObject({ code: 'validation_failed', errors });
  const [left] = await server.sql<object[]>(
    `SELECT (SELECT count(*)::int FROM monitors WHERE project_id = $1) AS monitors,
            (SELECT count(*)::int FROM status_pages WHERE project_id = $1) AS pages`,
    [tenant.project_id],
  );
  expect(left).toEqual({ monitors: 0, pages: 0 });
}

describe('a components.json', () => {
  it('becomes a page: groups are sections, their components monitors, both in the order of their positions', async () => {
    const { report, page, names } = await imported(
      file([
        component('c3', 2, 'g2'),
        group('g2', 2),
        component('c1', 2, 'g1'),
        group('g1', 1),
        component('c2', 1, 'g1'),
        component('c4', 1, 'g2'),
        group('g3', 3),
      ]),
    );
    expect(page.name).toBe('Example');
    expect(page.sections.map(({ id }) => id)).toEqual(['g1', 'g2', 'g3']);
    expect(shown(page, names)).toEqual([
      ['Group g1', ['Component c2', 'Component c1']],
      ['Group g2', ['Component c4', 'Component c3']],
      ['Group g3', []],
    ]);
    expect(report).toMatchObject({
      sections: 3,
      monitors: 4,
      name: 'Example',
      slug: page.slug,
      project_id: tenant.project_id,
    });
  });

  it('has its components without a group in a section of their own, the last', async () => {
    const { page, names } = await imported(
      file([component('c1', 1, null), group('g1', 2), component('c2', 1, 'g1'), component('c3', 3, null)]),
    );
    expect(shown(page, names)).toEqual([
      ['Group g1', ['Component c2']],
      ['Other components', ['Component c1', 'Component c3']],
    ]);
  });

  it('without groups has one section', async () => {
    const { page, names } = await imported(file([component('c2', 2, null), component('c1', 1, null)]));
    expect(shown(page, names)).toEqual([['Components', ['Component c1', 'Component c2']]]);
  });

  it('keeps the file order of components of the same position', async () => {
    const { page, names } = await imported(file(['d', 'b', 'c', 'a'].map((id) => component(id, 1, null))));
    expect(shown(page, names)[0]?.[1]).toEqual(['d', 'b', 'c', 'a'].map((id) => `Component ${id}`));
  });

  it('may have many components of one name, each a monitor of its own', async () => {
    const many = Array.from({ length: 460 }, (_, index) => component(`c${index}`, 1, 'g', { name: 'API' }));
    const { report, page } = await imported(file([group('g', 1), ...many]));
    expect(report.monitors).toBe(460);
    expect(new Set(page.sections[0]?.monitor_ids).size).toBe(460);
  });

  it('may be a page with 470 components in 69 groups, one of them with 113, and round-trips', async () => {
    const groups = Array.from({ length: 69 }, (_, index) =>
      group(`g${index}`, index, { name: 'x'.repeat(61) }),
    );
    const members = Array.from({ length: 470 }, (_, index) =>
      component(`c${index}`, index, index < 113 ? 'g0' : `g${1 + (index % 68)}`, { name: 'Same' }),
    );
    const { page } = await imported(file([...members, ...groups]));
    expect(page.sections).toHaveLength(69);
    expect(page.sections[0]?.monitor_ids).toHaveLength(113);
    const same = await server.patch(tenant, page.id, { sections: page.sections });
    expect([same.status, same.body.data]).toEqual([200, page]);
  });

  it('keeps descriptions of components, and a section even where its id is "ungrouped"', async () => {
    const { page } = await imported(
      file([group('ungrouped', 1), component('c1', 1, null, { description: 'What it does' })]),
    );
    expect(page.sections.map(({ id }) => id)).toEqual(['ungrouped', 'ungrouped-2']);
    const rows = await server.sql<object[]>('SELECT description FROM monitors WHERE project_id = $1', [
      tenant.project_id,
    ]);
    expect(rows).toEqual([{ description: 'What it does' }]);
  });

  it('says what of it has no place here, so that nothing is dropped in silence', async () => {
    const { report } = await imported({
      page: { id: 'p', name: 'Example', url: 'https://status.example', time_zone: null },
      components: [
        group('g', 1, { description: 'Of a group' }),
        component('c', 1, 'g', { status: 'operational', showcase: false }),
      ],
      status: 'All systems operational',
    });
    expect(report.not_imported).toEqual([
      'components.showcase',
      'page.id',
      'page.url',
      'status',
      'components.description (of groups)',
    ]);
  });

  it('imported twice makes a second page with a slug of its own', async () => {
    tenant = await server.tenant();
    const input = file([component('c', 1, null)], 'Twice Imported');
    const first = await imports.importIn('statuspage', tenant, structuredClone(input));
    const second = await imports.importIn('statuspage', tenant, structuredClone(input));
    expect([first.slug, second.slug]).toEqual(['twice-imported', 'twice-imported-2']);
    expect(second.status_page_id).not.toBe(first.status_page_id);
  });

  it('in a dry run says what would be made, and leaves nothing behind', async () => {
    tenant = await server.tenant();
    const input = file([group('g', 1), component('c', 1, 'g'), component('d', 1, null)], 'Tried Dry');
    const foretold = await imports.importIn('statuspage', tenant, structuredClone(input), { dry_run: true });
    expect(foretold).toMatchObject({
      dry_run: true,
      status_page_id: null,
      slug: 'tried-dry',
      custom_domain: null,
      sections: 2,
      monitors: 2,
    });
    expect((await server.list(tenant)).body.data).toEqual([]);
    const made = await imports.importIn('statuspage', tenant, structuredClone(input));
    expect({ ...made, dry_run: true, status_page_id: null }).toEqual(foretold);
  });

  it('imported many times at once makes as many pages, each with a slug of its own', async () => {
    tenant = await server.tenant();
    const reports = await Promise.all(
      Array.from({ length: 20 }, () =>
        imports.importIn('statuspage', tenant, file([component('c', 1, null)], 'At Once')),
      ),
    );
    const slugs = reports.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(20);
    for (const slug of slugs) expect(slug).toMatch(/^at-once(-\d+)?$/);
  });

  it.each([
    ['Crème Brûlée & Söhne', /^creme-brulee-and-soehne$/],
    ['Статус Сервиса', /^status-servisa$/],
    ['API', /^api-2$/], // reserved
    ['!!!', /^page(-\d+)?$/],
    ['漢字', /^page(-\d+)?$/],
    ['x'.repeat(200), /^x{63}$/],
  ])('named %j gets a slug of letters, digits and single hyphens', async (name, slug) => {
    const { report } = await imported(file([], name));
    expect(report.slug).toMatch(slug);
    expect(report.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('can have its sections sent back unchanged, and reordered', async () => {
    const { page } = await imported(
      file([
        group('g1', 1),
        group('g2', 2),
        component('c1', 1, 'g1'),
        component('c2', 1, 'g2'),
        component('c3', 3, null),
      ]),
    );
    const same = await server.patch(tenant, page.id, { sections: page.sections });
    expect([same.status, same.body.data]).toEqual([200, page]);
    const reordered = page.sections.toReversed();
    const other = await server.patch(tenant, page.id, { sections: reordered });
    expect([other.status, other.body.data.sections]).toEqual([200, reordered]);
  });
});

describe('what is not such a file is refused with the reason, and nothing is made', () => {
  it.each<[object, ...{ pointer: string; code?: string }[]]>([
    [{}, { pointer: '#/page', code: 'required' }, { pointer: '#/components', code: 'required' }],
    [{ page: 'x', components: 'x' }, { pointer: '#/page' }, { pointer: '#/components' }],
    [
      { page: { name: 'x' }, components: {} },
      { pointer: '#/components', code: 'invalid_type' },
    ],
    [file([], ''), { pointer: '#/page/name', code: 'too_short' }],
    [file([], 'x'.repeat(201)), { pointer: '#/page/name', code: 'too_long' }],
    [
      file([null, 'x', [], 5]),
      ...[0, 1, 2, 3].map((index) => ({ pointer: `#/components/${index}`, code: 'invalid_type' })),
    ],
    [
      file([{}]),
      { pointer: '#/components/0/id' },
      { pointer: '#/components/0/name' },
      { pointer: '#/components/0/position' },
    ],
    [file([component('c', 1, null, { name: ' ' })]), { pointer: '#/components/0/name', code: 'blank' }],
    [
      file([component('c', 1, null, { name: 'a\u0000b' })]),
      { pointer: '#/components/0/name', code: 'invalid_format' },
    ],
    [
      file([component('c', 1, null, { name: 'x'.repeat(201) })]),
      { pointer: '#/components/0/name', code: 'too_long' },
    ],
    [
      file([component('c', 1, null, { description: 'x'.repeat(2001) })]),
      { pointer: '#/components/0/description' },
    ],
    [file([component('c d', 1, null)]), { pointer: '#/components/0/id', code: 'invalid_format' }],
    [
      file([{ ...component('c', 1, null), position: '1' }]),
      { pointer: '#/components/0/position', code: 'invalid_type' },
    ],
    [
      file([{ ...component('c', 1, null), group: 'yes' }]),
      { pointer: '#/components/0/group', code: 'invalid_type' },
    ],
    [file([component('c', 1, 'nowhere')]), { pointer: '#/components/0/group_id', code: 'invalid_format' }],
    [file([component('c', 1, null), component('d', 1, 'c')]), { pointer: '#/components/1/group_id' }],
    [file([group('g', 1), group('h', 1, { group_id: 'g' })]), { pointer: '#/components/1/group_id' }],
    [
      file([component('c', 1, null), component('c', 2, null)]),
      { pointer: '#/components/1/id', code: 'duplicate' },
    ],
  ])('%j', async (input, ...errors) => {
    await expectRefused(input, ...errors);
  });

  it('nor is one over a limit of a page', async () => {
    const groups = (count: number) => Array.from({ length: count }, (_, index) => group(`g${index}`, index));
    const members = (count: number, of: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => component(`c${index}`, index, of(index)));
    await expectRefused(file(groups(201)), { pointer: '#', code: 'too_long' });
    await expectRefused(file([...groups(1), ...members(501, () => 'g0')]), {
      pointer: '#',
      code: 'too_long',
    });
    await expectRefused(file([...groups(3), ...members(1001, (index) => `g${index % 3}`)]), {
      pointer: '#',
      code: 'too_long',
    });
    await expectRefused(file(Array(5001).fill(component('c', 1, null))), {
      pointer: '#/components',
      code: 'too_long',
    });
  });

  it('names that every object has are no danger', async () => {
    const input: object = JSON.parse(
      '{"__proto__":{"x":1},"constructor":1,"page":{"name":"x","toString":1},"components":[{"constructor":{"a":1},"id":"c","name":"c","position":1,"hasOwnProperty":2}]}',
    );
    const { report } = await imported(input);
    expect(report.monitors).toBe(1);
  });
});
