import { describe, expect, it } from 'vitest';
import type { WirePage } from '../support/server.js';
import { component, file, group, useComponents } from './use-components.js';

const { server, importIn, imported } = useComponents();

/** Returns the titles of sections with the names of their monitors. */
const shown = (page: WirePage, names: Map<string, string>) =>
  page.sections.map(({ title, monitor_ids }) => [title, monitor_ids.map((id) => names.get(id))]);

describe('POST /v1/imports/statuspage', () => {
  it('creates a page with groups as sections and components as monitors, by position', async () => {
    const { tenant, report, page, names } = await imported(
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

  it('adds components without a group to a last section', async () => {
    const { page, names } = await imported(
      file([component('c1', 1, null), group('g1', 2), component('c2', 1, 'g1'), component('c3', 3, null)]),
    );
    expect(shown(page, names)).toEqual([
      ['Group g1', ['Component c2']],
      ['Other components', ['Component c1', 'Component c3']],
    ]);
  });

  it('creates one section for a file without groups', async () => {
    const { page, names } = await imported(file([component('c2', 2, null), component('c1', 1, null)]));
    expect(shown(page, names)).toEqual([['Components', ['Component c1', 'Component c2']]]);
  });

  it('keeps the file order of components with equal positions', async () => {
    const { page, names } = await imported(file(['d', 'b', 'c', 'a'].map((id) => component(id, 1, null))));
    expect(shown(page, names)[0]?.[1]).toEqual(['d', 'b', 'c', 'a'].map((id) => `Component ${id}`));
  });

  it('creates a monitor for each component of the same name', async () => {
    const many = Array.from({ length: 460 }, (_, index) => component(`c${index}`, 1, 'g', { name: 'API' }));
    const { report, page } = await imported(file([group('g', 1), ...many]));
    expect(report.monitors).toBe(460);
    expect(new Set(page.sections[0]?.monitor_ids).size).toBe(460);
  });

  it('imports 470 components in 69 groups into a page that round-trips', async () => {
    const groups = Array.from({ length: 69 }, (_, index) =>
      group(`g${index}`, index, { name: 'x'.repeat(61) }),
    );
    const members = Array.from({ length: 470 }, (_, index) =>
      component(`c${index}`, index, index < 113 ? 'g0' : `g${1 + (index % 68)}`, { name: 'Same' }),
    );
    const { tenant, page } = await imported(file([...members, ...groups]));
    expect(page.sections).toHaveLength(69);
    expect(page.sections[0]?.monitor_ids).toHaveLength(113);
    const same = await server.patch(tenant, page.id, { sections: page.sections });
    expect([same.status, same.body.data]).toEqual([200, page]);
  });

  it('imports component descriptions, and a section with the ID "ungrouped"', async () => {
    const { tenant, page } = await imported(
      file([group('ungrouped', 1), component('c1', 1, null, { description: 'What it does' })]),
    );
    expect(page.sections.map(({ id }) => id)).toEqual(['ungrouped', 'ungrouped-2']);
    const rows = await server.sql<object[]>('SELECT description FROM monitors WHERE project_id = $1', [
      tenant.project_id,
    ]);
    expect(rows).toEqual([{ description: 'What it does' }]);
  });

  it('lists fields that are not imported', async () => {
    const { report } = await imported({
      page: { id: 'p', name: 'Example', url: 'https://status.example', time_zone: null },
      components: [
        group('g', 1, { description: 'Of a group' }),
        component('c', 1, 'g', { status: 'operational', showcase: false }),
      ],
      status: 'All systems operational',
    });
    expect(report.not_imported).toEqual(['components.showcase', 'components.description (of groups)']);
  });

  it('creates a second page with another slug for a repeated import', async () => {
    const tenant = await server.tenant();
    const input = file([component('c', 1, null)], 'Twice Imported');
    const first = await importIn(tenant, input);
    const second = await importIn(tenant, input);
    expect([first.slug, second.slug]).toEqual(['twice-imported', 'twice-imported-2']);
    expect(second.status_page_id).not.toBe(first.status_page_id);
  });

  it('returns the summary of a dry run and creates nothing', async () => {
    const tenant = await server.tenant();
    const input = file([group('g', 1), component('c', 1, 'g'), component('d', 1, null)], 'Tried Dry');
    const foretold = await importIn(tenant, input, { dry_run: true });
    expect(foretold).toMatchObject({
      dry_run: true,
      status_page_id: null,
      slug: 'tried-dry',
      custom_domain: null,
      sections: 2,
      monitors: 2,
    });
    expect((await server.list(tenant)).body.data).toEqual([]);
    const made = await importIn(tenant, input);
    expect({ ...made, dry_run: true, status_page_id: null }).toEqual(foretold);
  });

  it('creates one page with a unique slug per concurrent import', async () => {
    const tenant = await server.tenant();
    const reports = await Promise.all(
      Array.from({ length: 20 }, () => importIn(tenant, file([component('c', 1, null)], 'At Once'))),
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
  ])('gives a page named %j a slug of letters, digits and single hyphens', async (name, slug) => {
    const { report } = await imported(file([], name));
    expect(report.slug).toMatch(slug);
    expect(report.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('creates sections that can be sent back unchanged or reordered', async () => {
    const { tenant, page } = await imported(
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
