import { describe, expect, it } from 'vitest';
import { expectNothingIn, expectRefused, useYamlImports } from '../support/imports.js';

const { importing, imported, server } = useYamlImports('upptime');

const FULL = `# Change these first
owner: acme-corp # the organization on GitHub
repo: uptime

user-agent: acme-corp
sites:
  - name: Website
    url: https://www.acme.example
    icon: https://www.acme.example/icon.png
  - name: API
    url: https://api.acme.example/health?token=hunter2
    method: POST
    headers:
      - "Authorization: Bearer $API_TOKEN"
    expectedStatusCodes: [200, 204]
    maxResponseTime: 5000
  - name: Database
    check: "tcp-ping"
    url: $SECRET_HOST
    port: 5432
  - name: API
    slug: api-eu
    url: https://eu.acme.example/health
assignees:
  - octocat
status-website:
  cname: Status.Acme.Example
  # baseUrl: /uptime
  logoUrl: https://www.acme.example/logo.svg
  name: Acme Status
  introTitle: "**Acme** is up"
  introMessage:
  navbar:
    - title: Status
      href: /
    - title: GitHub
      href: https://github.com/$OWNER/$REPO
workflowSchedule:
  uptime: "*/5 * * * *"
`;

describe('POST /v1/imports/upptime', () => {
  it('creates a page with name, domain and one section with all sites', async () => {
    const { tenant, report, page, shown } = await imported(FULL);
    expect(shown).toEqual([['Sites', ['Website', 'API', 'Database', 'API']]]);
    expect(page).toMatchObject({ name: 'Acme Status', custom_domain: 'status.acme.example' });
    expect(report).toMatchObject({
      dry_run: false,
      status_page_id: page.id,
      project_id: tenant.project_id,
      name: 'Acme Status',
      slug: 'acme-status',
      custom_domain: 'status.acme.example',
      sections: 1,
      monitors: 4,
    });
    const same = await server.patch(tenant, page.id, { sections: page.sections });
    expect([same.status, same.body.data]).toEqual([200, page]);
  });

  it('lists the names of fields that are not imported, and stores no URL', async () => {
    const text = FULL.replace('cname: Status.Acme.Example', '');
    const { report, page } = await imported(text);
    expect(report.not_imported).toEqual([
      'assignees',
      'owner',
      'repo',
      'sites.check',
      'sites.expectedStatusCodes',
      'sites.headers',
      'sites.icon',
      'sites.maxResponseTime',
      'sites.method',
      'sites.port',
      'sites.url',
      'status-website.introTitle',
      'status-website.logoUrl',
      'status-website.navbar',
      'user-agent',
      'workflowSchedule',
      'workflowSchedule.uptime',
    ]);
    const monitors = await server.sql<object[]>('SELECT * FROM monitors WHERE project_id = $1', [
      report.project_id,
    ]);
    expect(JSON.stringify([report, page, monitors])).not.toMatch(/https?:|hunter2|SECRET/);
  });

  it.each([
    ['no name', 'status-website: { theme: light }\nowner: acme\nrepo: status\n'],
    ['an empty name', 'status-website: { name: "" }\nowner: acme\nrepo: status\n'],
    ['no website', 'owner: acme\nrepo: status\n'],
    ['a website without a value', 'status-website:\nowner: acme\nrepo: status\n'],
  ])('uses the repository as page name and sets no domain for %s', async (_name, text) => {
    const { report, page } = await imported(`${text}sites: []`);
    expect(page).toMatchObject({ name: 'acme/status', custom_domain: null, sections: [] });
    expect(report).toMatchObject({ custom_domain: null, sections: 0, monitors: 0 });
    expect(report.not_imported).not.toContain('owner');
  });

  it('creates a second page with another slug for a repeated import', async () => {
    const tenant = await server.tenant();
    const run = importing('status-website: { name: Upptime Twice }\nsites: [{ name: a }]');
    const [first, second] = [await run(tenant), await run(tenant)];
    expect([first.slug, second.slug]).toEqual(['upptime-twice', 'upptime-twice-2']);
    expect(second.status_page_id).not.toBe(first.status_page_id);
  });

  it('accepts 500 sites', async () => {
    const sites = Array.from({ length: 500 }, (_, index) => `  - name: "${index}"\n`).join('');
    const { report } = await imported(`status-website: { name: Many }\nsites:\n${sites}`);
    expect(report.monitors).toBe(500);
  });
});

describe('POST /v1/imports/upptime with a domain', () => {
  const withDomain = (cname: string) => `status-website: { name: x, cname: ${cname} }\nsites: [{ name: a }]`;

  it.each(['a.example', 'A-1.Example', 'xn--bcher-kva.example', '1.example', `${'a'.repeat(63)}.example`])(
    'accepts %s',
    async (cname) => {
      const { page } = await imported(withDomain(`"${cname}"`));
      expect(page.custom_domain).toBe(cname.toLowerCase());
    },
  );

  it.each([
    'https://a.example',
    'a.example:80',
    'a.example/b',
    'a..example',
    '.example',
    'a.example.',
    '-a.example',
    'a-.example',
    'a_b.example',
    'bücher.example',
    '$CNAME',
    'a b',
    ' a.example',
    'a.example\\n',
    '*.example',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '[::1]',
    '::1',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(124)}example`,
  ])('rejects %j', async (cname) => {
    await expectRefused(server, importing(withDomain(`"${cname}"`)), {
      pointer: '#/status-website/cname',
      code: cname.length > 253 ? 'too_long' : 'invalid_format',
    });
  });

  it.each(['12', 'true', '[a.example]', '{ a: b }'])('rejects %s', async (cname) => {
    await expectRefused(server, importing(withDomain(cname)), {
      pointer: '#/status-website/cname',
      code: 'invalid_type',
    });
  });

  it.each([false, true])(
    'creates nothing and returns 409 if another page has the domain (dry run: %s)',
    async (dry_run) => {
      const domain = `taken-${dry_run}.example`;
      const tenant = await server.tenant();
      await server.page(tenant, { custom_domain: domain });
      await expect(importing(withDomain(domain.toUpperCase()), { dry_run })(tenant)).rejects.toMatchObject({
        code: 'conflict',
        detail: expect.stringMatching(/domain/),
      });
      expect((await server.list(tenant)).body.data).toHaveLength(1);
    },
  );

  it('gives the domain to exactly one of many concurrent imports', async () => {
    const tenant = await server.tenant();
    const run = importing(withDomain('at-once.example'));
    const done = await Promise.allSettled(Array.from({ length: 10 }, () => run(tenant)));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of done) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' });
    }
    expect((await server.list(tenant)).body.data).toHaveLength(1);
  });
});

describe('POST /v1/imports/upptime with dry_run', () => {
  it('returns the summary of the import and creates nothing', async () => {
    const tenant = await server.tenant();
    const text = FULL.replace('Status.Acme.Example', 'dry.acme.example').replace('Acme Status', 'Dry Run');
    const foretold = await importing(text, { dry_run: true })(tenant);
    expect(foretold).toMatchObject({ dry_run: true, status_page_id: null, slug: 'dry-run', monitors: 4 });
    await expectNothingIn(server, tenant);
    const made = await importing(text)(tenant);
    expect({ ...made, dry_run: true, status_page_id: null }).toEqual(foretold);
  });

  it('returns the slug that would be assigned if the name is taken', async () => {
    const tenant = await server.tenant();
    await server.page(tenant, { name: 'Dry Taken' });
    const run = importing('status-website: { name: Dry Taken }\nsites: []', { dry_run: true });
    expect((await run(tenant)).slug).toBe('dry-taken-2');
    expect((await run(tenant)).slug).toBe('dry-taken-2');
  });

  it('rejects the same files as the import', async () => {
    await expectRefused(server, importing('sites: [{}]', { dry_run: true }), { pointer: '#/sites/0/name' });
  });
});

describe('POST /v1/imports/upptime with an invalid file', () => {
  const NAMED = 'status-website: { name: x }\n';

  it.each<[string, ...{ pointer: string; code?: string }[]]>([
    ['a: 1', { pointer: '#/sites', code: 'required' }],
    ['sites: []', { pointer: '#/status-website/name', code: 'required' }],
    ['sites: []\nowner: acme', { pointer: '#/status-website/name', code: 'required' }],
    [`${NAMED}sites:`, { pointer: '#/sites', code: 'required' }],
    [`${NAMED}sites: { name: a }`, { pointer: '#/sites', code: 'invalid_type' }],
    [`${NAMED}sites: text`, { pointer: '#/sites', code: 'invalid_type' }],
    [
      `${NAMED}sites: [~, text, [], 5]`,
      ...[0, 1, 2, 3].map((index) => ({ pointer: `#/sites/${index}`, code: 'invalid_type' })),
    ],
    [
      `${NAMED}sites: [{ name: }, { name: "" }, { name: " " }, { name: 5 }, { name: "a\\0" }]`,
      { pointer: '#/sites/0/name', code: 'required' },
      { pointer: '#/sites/1/name', code: 'too_short' },
      { pointer: '#/sites/2/name', code: 'blank' },
      { pointer: '#/sites/3/name', code: 'invalid_type' },
      { pointer: '#/sites/4/name', code: 'invalid_format' },
    ],
    [`${NAMED}sites: [{ name: ${'x'.repeat(201)} }]`, { pointer: '#/sites/0/name', code: 'too_long' }],
    ['sites: []\nstatus-website: x', { pointer: '#/status-website', code: 'invalid_type' }],
    ['sites: []\nstatus-website: []', { pointer: '#/status-website', code: 'invalid_type' }],
    ['sites: []\nstatus-website: { name: 5 }', { pointer: '#/status-website/name', code: 'invalid_type' }],
    ['sites: []\nstatus-website: { name: " " }', { pointer: '#/status-website/name', code: 'blank' }],
    [
      `sites: []\nstatus-website: { name: ${'x'.repeat(201)} }`,
      { pointer: '#/status-website/name', code: 'too_long' },
    ],
    [
      'sites: []\nowner: 1\nrepo: [x]',
      { pointer: '#/repo', code: 'invalid_type' },
      { pointer: '#/owner', code: 'invalid_type' },
    ],
  ])('rejects it with a reason and creates nothing: %j', async (text, ...errors) => {
    await expectRefused(server, importing(text), ...errors);
  });

  it('rejects files over the limits of a page', async () => {
    const sites = (count: number) => `${NAMED}sites:\n${'  - name: a\n'.repeat(count)}`;
    await expectRefused(server, importing(sites(501)), { pointer: '#', code: 'too_long' });
    await expectRefused(server, importing(sites(5_001)), { pointer: '#/sites', code: 'too_long' });
  });

  it('accepts names such as constructor and __proto__', async () => {
    const text = `${NAMED}constructor: 1\ntoString: { a: 1 }\nsites: [{ name: a, constructor: { b: 1 }, hasOwnProperty: 2 }]`;
    const { report } = await imported(text);
    expect(report).toMatchObject({ monitors: 1 });
  });
});
