import { describe, expect, it } from 'vitest';
import { expectNothingIn, expectRefused, useYamlImports } from '../support/imports.js';

const { importing, imported, server } = useYamlImports('gatus');

const FULL = `metrics: true
storage:
  type: postgres
  path: "postgres://gatus:hunter2@db.acme.example:5432/gatus"
alerting:
  slack:
    webhook-url: "https://hooks.slack.com/services/hunter2"
ui:
  title: Acme Health
  header: Acme
  description: How Acme is doing.
  logo: https://www.acme.example/logo.svg

default-endpoint: &defaults
  group: core
  interval: 30s
  conditions:
    - "[STATUS] == 200"

endpoints:
  - name: blog
    url: "https://blog.acme.example/?token=hunter2"
    interval: 5m
    conditions: ["[STATUS] == 200"]
    alerts:
      - type: slack
        send-on-resolved: true
  - <<: *defaults
    name: api
    url: "https://api.acme.example/health"
  - name: shop front
    group: Shop & Checkout
    url: "https://shop.acme.example"
    conditions: ["[STATUS] == 200"]
  - <<: *defaults
    name: dns
    url: 8.8.8.8
    dns: { query-name: acme.example, query-type: A }
  - name: old
    group: retired
    enabled: false
    url: "https://old.acme.example"
    conditions: ["[STATUS] == 200"]
  - <<: *defaults
    name: api
    url: "https://eu.acme.example/health"
    enabled: true

external-endpoints:
  - name: nightly backup
    group: core
    token: "hunter2"
    heartbeat: { interval: 24h }
  - name: from afar
    token: "hunter2"

suites:
  - name: check-out
    group: Shop & Checkout
    endpoints:
      - name: log in
        url: "https://shop.acme.example/login"
        conditions: ["[STATUS] == 200"]
`;

describe('POST /v1/imports/gatus', () => {
  it('creates a page with groups as sections and endpoints as monitors', async () => {
    const { tenant, report, page, shown } = await imported(FULL);
    expect(shown).toEqual([
      ['core', ['api', 'dns', 'api', 'nightly backup']],
      ['Shop & Checkout', ['shop front']],
      ['Other endpoints', ['blog', 'from afar']],
    ]);
    expect(page.sections.map(({ id }) => id)).toEqual(['core', 'shop-and-checkout', 'ungrouped']);
    expect(page).toMatchObject({
      name: 'Acme Health',
      description: 'How Acme is doing.',
      custom_domain: null,
    });
    expect(report).toMatchObject({
      dry_run: false,
      project_id: tenant.project_id,
      name: 'Acme Health',
      slug: 'acme-health',
      custom_domain: null,
      sections: 3,
      monitors: 7,
    });
    const same = await server.patch(tenant, page.id, { sections: page.sections });
    expect([same.status, same.body.data]).toEqual([200, page]);
  });

  it('lists fields that are not imported, without their values', async () => {
    const { report, page } = await imported(FULL);
    expect(report.not_imported).toEqual([
      'alerting',
      'alerting.slack',
      'default-endpoint',
      'default-endpoint.conditions',
      'default-endpoint.group',
      'default-endpoint.interval',
      'endpoints.alerts',
      'endpoints.conditions',
      'endpoints.dns',
      'endpoints.interval',
      'endpoints.url',
      'external-endpoints.heartbeat',
      'external-endpoints.token',
      'metrics',
      'storage',
      'storage.path',
      'storage.type',
      'suites',
      'suites.endpoints',
      'suites.group',
      'suites.name',
      'ui.header',
      'ui.logo',
      'endpoints (1 not enabled)',
    ]);
    const monitors = await server.sql<object[]>('SELECT * FROM monitors WHERE project_id = $1', [
      report.project_id,
    ]);
    expect(JSON.stringify([report, page, monitors])).not.toMatch(/https?:|postgres:|hunter2|retired/);
  });

  it('creates one section for a file without groups, or only external endpoints', async () => {
    const text = 'external-endpoints: [{ name: b }, { name: a, group: "" }, { name: c, enabled: false }]';
    const { report, page, shown } = await imported(text);
    expect(shown).toEqual([['Endpoints', ['b', 'a']]]);
    expect(page.sections.map(({ id }) => id)).toEqual(['ungrouped']);
    expect(report.not_imported).toEqual(['external-endpoints (1 not enabled)']);
  });

  it.each([
    ['ui: { title: Title, header: Header }', 'Title', ['ui.header']],
    ['ui: { title: "", header: Header }', 'Header', []],
    ['ui: { header: Header }', 'Header', []],
    ['ui: { title: , header: }', 'Health Dashboard', []],
    ['ui:', 'Health Dashboard', []],
    ['a: 1', 'Health Dashboard', ['a']],
  ])('names the page of %j "%s"', async (ui, name, not_imported) => {
    const { report, page } = await imported(`${ui}\nendpoints: []`);
    expect(page).toMatchObject({ name, description: '', sections: [] });
    expect(report.not_imported).toEqual(not_imported);
  });

  it('gives each section a stable, valid ID that is unique on the page', async () => {
    const groups = 'API|api-2|api|Api!|b|B|b-2|ungrouped|漢字|!!!|Группа|a_b|a b|__proto__|constructor'
      .split('|')
      .concat(['', 'y', 'z'].map((end) => 'x'.repeat(100) + end));
    const endpoints = groups.map((group) => `  - { name: a, group: ${JSON.stringify(group)} }\n`);
    const text = `endpoints:\n  - name: alone\n${endpoints.join('')}`;
    const { page, shown } = await imported(text);
    expect(shown.map(([title]) => title)).toEqual([...groups, 'Other endpoints']);
    const ids = page.sections.map(({ id }) => id);
    expect(ids.join(' ')).toBe(
      `api api-2 api-3 api-4 b b-2 b-2-2 ungrouped group group-2 gruppa a-b a-b-2 proto constructor ${'x'.repeat(64)} ${'x'.repeat(62)}-2 ${'x'.repeat(62)}-3 ungrouped-2`,
    );
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const again = await imported(text);
    expect(again.page.sections.map(({ id }) => id)).toEqual(ids);
  });

  it('creates a second page with another slug for a repeated import', async () => {
    const tenant = await server.tenant();
    const run = importing('ui: { title: Gatus Twice }\nendpoints: [{ name: a }]');
    const [first, second] = [await run(tenant), await run(tenant)];
    expect([first.slug, second.slug]).toEqual(['gatus-twice', 'gatus-twice-2']);
    expect(second.status_page_id).not.toBe(first.status_page_id);
  });

  it('accepts 1,000 endpoints in 200 groups with merged defaults', async () => {
    const endpoints = Array.from(
      { length: 1_000 },
      (_, index) => `  - { <<: *d, name: a, group: g${index % 200} }\n`,
    );
    const { report } = await imported(`d: &d { interval: 1s }\nendpoints:\n${endpoints.join('')}`);
    expect(report).toMatchObject({ sections: 200, monitors: 1_000 });
  });
});

describe('POST /v1/imports/gatus with dry_run', () => {
  it('returns the summary of the import and creates nothing', async () => {
    const tenant = await server.tenant();
    const text = FULL.replace('Acme Health', 'Gatus Dry Run');
    const foretold = await importing(text, { dry_run: true })(tenant);
    expect(foretold).toMatchObject({ dry_run: true, status_page_id: null, slug: 'gatus-dry-run' });
    await expectNothingIn(server, tenant);
    const made = await importing(text)(tenant);
    expect({ ...made, dry_run: true, status_page_id: null }).toEqual(foretold);
  });
});

describe('POST /v1/imports/gatus with an invalid file', () => {
  it.each<[string, ...{ pointer: string; code?: string }[]]>([
    ['a: 1', { pointer: '#/endpoints', code: 'required' }],
    ['endpoints:', { pointer: '#/endpoints', code: 'required' }],
    ['endpoints: { name: a }', { pointer: '#/endpoints', code: 'invalid_type' }],
    ['external-endpoints: a', { pointer: '#/external-endpoints', code: 'invalid_type' }],
    [
      'endpoints: [~, text, [], 5]',
      ...[0, 1, 2, 3].map((index) => ({ pointer: `#/endpoints/${index}`, code: 'invalid_type' })),
    ],
    [
      'endpoints: [{ url: a }, { name: "" }, { name: " " }, { name: 5 }, { name: "a\\0" }]',
      { pointer: '#/endpoints/0/name', code: 'required' },
      { pointer: '#/endpoints/1/name', code: 'too_short' },
      { pointer: '#/endpoints/2/name', code: 'blank' },
      { pointer: '#/endpoints/3/name', code: 'invalid_type' },
      { pointer: '#/endpoints/4/name', code: 'invalid_format' },
    ],
    [
      'endpoints: [{ name: a, group: 5 }, { name: a, group: " " }, { name: a, enabled: "no" }]',
      { pointer: '#/endpoints/0/group', code: 'invalid_type' },
      { pointer: '#/endpoints/1/group', code: 'blank' },
      { pointer: '#/endpoints/2/enabled', code: 'invalid_type' },
    ],
    [
      `endpoints: []\nexternal-endpoints: [{ name: a, group: ${'x'.repeat(201)} }]`,
      { pointer: '#/external-endpoints/0/group', code: 'too_long' },
    ],
    ['endpoints: [{ name: a, enabled: false, group: [] }]', { pointer: '#/endpoints/0/group' }],
    ['endpoints: []\nui: x', { pointer: '#/ui', code: 'invalid_type' }],
    [
      `endpoints: []\nui: { title: 5, header: " ", description: ${'x'.repeat(2_001)} }`,
      { pointer: '#/ui/title', code: 'invalid_type' },
      { pointer: '#/ui/header', code: 'blank' },
      { pointer: '#/ui/description', code: 'too_long' },
    ],
  ])('rejects it with a reason and creates nothing: %j', async (text, ...errors) => {
    await expectRefused(server, importing(text), ...errors);
  });

  it('rejects files over the limits of a page', async () => {
    const endpoints = (count: number, groups: number) =>
      `endpoints:\n${Array.from({ length: count }, (_, index) => `  - { name: a, group: g${index % groups} }\n`).join('')}`;
    for (const text of [endpoints(201, 201), endpoints(501, 1), endpoints(1_001, 3)]) {
      await expectRefused(server, importing(text), { pointer: '#', code: 'too_long' });
    }
    await expectRefused(server, importing(endpoints(5_001, 5_001)), {
      pointer: '#/endpoints',
      code: 'too_long',
    });
  });

  it('accepts names such as constructor and __proto__', async () => {
    const { report, shown } = await imported(
      'constructor: 1\nendpoints: [{ name: a, group: constructor, toString: { b: 1 } }]',
    );
    expect(shown).toEqual([['constructor', ['a']]]);
    expect(report.not_imported).toEqual(['constructor', 'endpoints.toString']);
  });
});
