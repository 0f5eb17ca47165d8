import { randomUUID } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { beforeAll, describe, expect, it } from 'vitest';
import { AccessRulesService } from '../../src/access/access-rules.service.js';
import { EmailLinksRepository } from '../../src/access/email/email-links.repository.js';
import { EmailLinksService } from '../../src/access/email/email-links.service.js';
import { createEmailToken } from '../../src/access/email/email-tokens.js';
import { DeliveriesService } from '../../src/deliveries/deliveries.service.js';
import { ClaimsRepository } from '../../src/domains/claims.repository.js';
import { DomainDirectory } from '../../src/domains/domain-directory.js';
import { DomainsRepository } from '../../src/domains/domains.repository.js';
import { PageLookupService } from '../../src/status-pages/page-lookup.service.js';
import { visitorsOf } from '../access/use-gate.js';
import {
  type Column,
  columnsOf,
  type Constraint,
  constraintsOf,
  contentsOf,
  type Index,
  indexesOf,
  tablesWith,
} from '../support/catalogue.js';
import {
  byTable,
  type Fields,
  listPath,
  make,
  operationsOf,
  otherOperations,
  PARTS,
  PAST,
  REFERENCES,
  type Resource,
  resourceOf,
  RESOURCES,
  type Row,
  sampleOf,
  SINGLE_PARTS,
  VERSIONED_PARTS,
} from '../support/resources.js';
import {
  type Answer,
  type Ask,
  type One,
  type ListPage,
  type Tenant,
  useTestServer,
} from '../support/server.js';
import { type Statement, statementsWithValuesOf } from '../support/statements.js';

const server = useTestServer();
let tenant: Tenant;
let columns: Column[];
let constraints: Constraint[];
let indexes: Index[];
/** The tables of tenants, which contain an `organization_id`. */
let tenantTables: string[];

beforeAll(async () => {
  tenant = await server.tenant();
  [columns, constraints, indexes, tenantTables] = await Promise.all([
    columnsOf(server),
    constraintsOf(server),
    indexesOf(server),
    tablesWith(server, 'organization_id'),
  ]);
});

/** Triggers write it at the end of transactions. A foreign key would lock its rows earlier, see the migration. */
const PAGE_VERSIONS = 'page_versions';

/** Whether the IDs in a table refer to existing rows. */
const refersToOthers = (table: string): boolean => ![PAGE_VERSIONS, ...PAST].includes(table);

const foreignKeys = (): Constraint[] => constraints.filter(({ kind }) => kind === 'f');

/** Tables that no operation of the API reads or writes. */
const UNUSED = new Set([
  'access_email_requests',
  'access_email_tokens',
  'deliveries',
  'subscription_requests',
]);

/** Tables of other resources' parts that belong to a project. */
const PARTS_OF_PROJECTS = ['erased_subscribers', 'subscribers', 'subscription_requests'];

/** Columns with the ID of a deleted status page, which has its subscribers and webhook endpoints again when it is restored. */
const OF_DELETED_PAGES = new Set(
  [...PARTS_OF_PROJECTS, 'webhook_endpoints'].map((table) => `${table}.status_page_id`),
);

/** Columns of type jsonb without IDs. */
const WITHOUT_IDS = [
  'status_page_access.oidc',
  'status_page_branding.links',
  'status_page_domains.routing',
  'subscription_requests.monitor_ids',
];

describe('tables', () => {
  it('contain data of tenants only for a resource or its parts', () => {
    const tables = [...RESOURCES.map(({ table }) => table), ...PARTS, ...PAST, PAGE_VERSIONS];
    expect(tenantTables).toEqual(tables.toSorted());
  });

  it('with project_id refer to projects by (organization_id, project_id)', async () => {
    const tables = (await tablesWith(server, 'project_id')).filter(refersToOthers);
    expect(tables).toEqual(
      [
        ...RESOURCES.filter(({ owner }) => owner === 'project').map(({ table }) => table),
        ...PARTS_OF_PROJECTS,
      ].toSorted(),
    );
    const referring = foreignKeys()
      .filter(
        ({ target, columns: own, target_columns }) =>
          target === 'projects' &&
          own.join() === 'organization_id,project_id' &&
          target_columns?.join() === 'organization_id,id',
      )
      .map(({ table }) => table);
    expect(referring.toSorted()).toEqual(tables);
  });

  it('refer to each other only by keys that contain organization_id', () => {
    const loose = foreignKeys().filter(({ target, columns: own, target_columns }) => {
      const place = own.indexOf('organization_id');
      const isTenants = target !== null && tenantTables.includes(target);
      return isTenants && (place < 0 || target_columns?.[place] !== 'organization_id');
    });
    expect(loose).toEqual([]);
  });

  it('define a foreign key on each column named like an ID', () => {
    const named = columns.filter(
      ({ column, table }) =>
        column.endsWith('_id') && refersToOthers(table) && !OF_DELETED_PAGES.has(`${table}.${column}`),
    );
    const free = named.filter(
      ({ table, column }) =>
        !foreignKeys().some((key) => key.table === table && key.columns.includes(column)),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(free).toEqual([]);
  });

  it('name their constraints and indexes after the table and the columns', () => {
    const stem = ({ columns: own, kind }: Constraint): string => {
      if (kind === 'p') return '';
      // Every key to a tenant's table contains the organization, so its name contains only the other columns.
      const rest = kind === 'f' && own.length > 1 ? own.filter((name) => name !== 'organization_id') : own;
      return kind === 'f' && own.length > 1 ? `_${rest.join('_').replace(/_id$/, '')}` : `_${rest.join('_')}`;
    };
    const suffix = { p: 'pkey', u: 'key', f: 'fkey' };
    for (const constraint of constraints) {
      const { kind, name, table } = constraint;
      if (kind === 'c') expect(name).toMatch(new RegExp(`^${table}_\\w+_check$`));
      else expect(name).toBe(`${table}${stem(constraint)}_${suffix[kind]}`);
    }
    const own = indexes.filter(({ name }) => !constraints.some((constraint) => constraint.name === name));
    for (const { name, table } of own) expect(name).toMatch(new RegExp(`^${table}_\\w+_idx$`));
  });

  it.each(byTable(RESOURCES))('define an index for the list of %s', (table, { owner }) => {
    const wanted = [
      'organization_id',
      ...(owner === 'organization' ? [] : [`${owner}_id`]),
      'created_at',
      'id',
    ];
    const found = indexes.filter((index) => index.table === table && index.method === 'btree');
    expect(found.map((index) => index.columns)).toContainEqual(wanted);
  });

  it('store IDs in a jsonb or uuid[] only as REFERENCES defines', () => {
    const holding = columns.filter(
      ({ type, table }) => (type === 'jsonb' || type === 'uuid[]') && refersToOthers(table),
    );
    expect(holding.map(({ table, column }) => `${table}.${column}`)).toEqual(
      [...REFERENCES.map(({ column }) => column), ...WITHOUT_IDS].toSorted(),
    );
    const found = REFERENCES.map(({ column }) => [
      column,
      indexes.some(({ table, method, columns: [first = ''] }) => {
        return method === 'gin' && `${table}.${first}` === column;
      }),
    ]);
    expect(found).toEqual(REFERENCES.map(({ column, unindexed }) => [column, unindexed === undefined]));
  });

  it('store times as timestamptz(3), days as date, and updated_at only with versions', () => {
    const times = columns.filter(({ type }) => /^(timestamp|date|time)/.test(type));
    const ofTimes = times
      .filter(({ column, type }) => column !== 'day' && !type.endsWith('[]'))
      .map(({ type }) => type);
    expect(ofTimes).toEqual(ofTimes.map(() => 'timestamp(3) with time zone'));
    const ofDays = times.filter(({ column }) => column === 'day').map(({ type }) => type);
    expect(ofDays).toEqual(ofDays.map(() => 'date'));
    for (const name of ['created_at', 'updated_at']) {
      const found = times.filter(({ column }) => column === name);
      expect(found).toEqual(found.map((one) => ({ ...one, nullable: false, default: 'now()' })));
    }
    const versioned = times.filter(({ column }) => column === 'updated_at').map(({ table }) => table);
    const wanted = RESOURCES.filter(({ unversioned }) => unversioned === undefined).map(({ table }) => table);
    expect(versioned.filter((table) => tenantTables.includes(table))).toEqual(
      [...wanted, ...VERSIONED_PARTS, ...SINGLE_PARTS].toSorted(),
    );
  });

  it('all appear in contentsOf, which the tests compare before and after', async () => {
    const contents = await contentsOf(server);
    const others = ['confirmation_mails', 'domain_changes', 'organizations', 'secrets'];
    expect(Object.keys(contents).toSorted()).toEqual([...tenantTables, ...others].toSorted());
  });
});

/** The independent parts of a statement: queries in parentheses, and the rest without them. */
function partsOf(statement: string): string[] {
  const parts: string[] = [];
  const open = [''];
  const append = (text: string) => {
    open[open.length - 1] += text;
  };
  for (const char of statement.replaceAll(/\s+/g, ' ')) {
    if (char === '(') open.push('');
    else if (char === ')' && open.length > 1) {
      const inner = open.pop() ?? '';
      const isQuery = /^ ?(WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(inner);
      if (isQuery) parts.push(inner.trim());
      append(isQuery ? '()' : `(${inner})`);
    } else append(char);
  }
  return [...parts, ...open];
}

/** Whether a part compares or joins by an `organization_id` for each table of a tenant, and inserts one. */
function namesOrganization(part: string): boolean {
  const tables = `(${tenantTables.join('|')})`;
  const count = (pattern: string) => [...part.matchAll(new RegExp(pattern, 'g'))].length;
  const named = count(String.raw`\b(FROM|JOIN|UPDATE|USING) "?${tables}\b`);
  const compared = count(
    String.raw`\b(WHERE|ON|AND) \(*("?\w+"?\.)?"?organization_id"? (=|IN\b)|\bUSING \([^)]*organization_id`,
  );
  return (
    compared >= named &&
    count(String.raw`\bINSERT INTO "?${tables}\b`) ===
      count(String.raw`\bINSERT INTO "?\w+"?( AS \w+)? ?\([^)]*"?organization_id"?`)
  );
}

/** Statements that read or write across organizations, from FROM to the end. */
const ACROSS_ORGANIZATIONS: Record<string, string> = {
  'FROM api_keys WHERE key_hash = $1 AND (revoked_at IS NULL OR revoked_at > now()) AND (expires_at IS NULL OR expires_at > now())':
    'authentication: the key says which organization it is of',
  'FROM preview_links WHERE token_hash = $1 AND expires_at > clock_timestamp()':
    'a visitor: the link says which page it is of',
  'FROM status_pages AS page LEFT JOIN page_versions AS versions ON versions.organization_id = page.organization_id AND versions.project_id = page.project_id WHERE id = $1':
    'a visitor: the link says which page it is of',
  'FROM status_pages WHERE slug = ANY($1)': 'slugs are unique in the installation',
  "FROM former_slugs WHERE slug = ANY($1) AND created_at > now() - interval '1 year'":
    'slugs are unique in the installation',
  'FROM status_pages WHERE slug = $2 AND id IS DISTINCT FROM $1': 'slugs are unique in the installation',
  "FROM status_page_domains WHERE domain = $1 AND status = 'verified' AND status_page_id IS DISTINCT FROM $2":
    'verified domains are unique in the installation',
  'FROM status_page_domains WHERE domain = $1 AND status_page_id = $2':
    'only together with the condition above',
};

/** Statements for visitors and of periodic tasks that read or write across organizations, from FROM to the end, by their reason. */
const ACROSS_FOR_VISITORS: Record<string, string[]> = {
  'a delivery: it says which form it is of': ['FROM access_email_requests WHERE id = ANY($1::uuid[])'],
  'a periodic task of the instance': [
    "FROM access_email_requests WHERE created_at < clock_timestamp() - interval '1 hour'",
    'FROM access_email_tokens WHERE expires_at <= clock_timestamp()',
    'FROM deliveries USING old WHERE deliveries.id = old.id RETURNING 1',
    "FROM deliveries WHERE id < $1 AND status = 'pending' AND due_at < statement_timestamp() LIMIT $2 FOR UPDATE SKIP LOCKED",
    "FROM deliveries WHERE id < $1 AND status <> 'pending' AND finished_at < statement_timestamp() - $2 * interval '1 day' ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED",
    'FROM events USING old WHERE events.id = old.id RETURNING 1',
    'FROM events WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED',
    "UPDATE deliveries SET status = 'cancelled', finished_at = statement_timestamp(), error = 'pending for more than seven days', lease = lease + 1 FROM old WHERE deliveries.id = old.id RETURNING 1",
    'FROM status_page_domains WHERE next_check_at <= clock_timestamp() ORDER BY next_check_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED',
    "FROM subscribers WHERE confirmed_at IS NULL AND (status = 'pending' OR suppressed_reason = 'bounced') AND created_at < clock_timestamp() - interval '7 days' AND updated_at < clock_timestamp() - interval '7 days' LIMIT $1",
    "FROM subscribers WHERE id = ANY($1::uuid[]) AND confirmed_at IS NULL AND (status = 'pending' OR suppressed_reason = 'bounced') AND created_at < clock_timestamp() - interval '7 days' AND updated_at < clock_timestamp() - interval '7 days'",
    'FROM subscription_requests WHERE due_at <= clock_timestamp() ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED',
    'FROM subscription_requests WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED',
    'FROM subscription_requests WHERE id IN () RETURNING 1',
  ],
  'a visitor who has found the page by its slug, its domain or a token': [
    'FROM status_pages AS page LEFT JOIN page_versions AS versions ON versions.organization_id = page.organization_id AND versions.project_id = page.project_id WHERE id = $1',
    'FROM status_pages AS page LEFT JOIN page_versions AS versions ON versions.organization_id = page.organization_id AND versions.project_id = page.project_id WHERE id = ANY($1::uuid[]) AND is_public',
    'FROM status_pages WHERE id = $1 AND NOT is_public',
  ],
  'a visitor: slugs are unique in the instance': [
    'FROM status_pages AS page JOIN status_page_access AS access ON access.organization_id = page.organization_id AND access.status_page_id = page.id WHERE page.slug = $1 AND NOT page.is_public AND (password_hash IS NOT NULL OR oidc IS NOT NULL OR cardinality(emails) + cardinality(email_domains) + cardinality(networks) > 0)',
    'FROM status_pages AS page JOIN status_page_access AS access ON access.organization_id = page.organization_id AND access.status_page_id = page.id WHERE page.slug = ANY($1) AND NOT page.is_public AND (password_hash IS NOT NULL OR oidc IS NOT NULL OR cardinality(emails) + cardinality(email_domains) + cardinality(networks) > 0)',
    'FROM status_pages AS page LEFT JOIN page_versions AS versions ON versions.organization_id = page.organization_id AND versions.project_id = page.project_id WHERE slug = $1',
    "FROM status_pages AS page LEFT JOIN page_versions AS versions ON versions.organization_id = page.organization_id AND versions.project_id = page.project_id WHERE slug = ANY($1) AND is_public UNION ALL SELECT page.id, page.slug, page.organization_id, page.project_id, extract(epoch FROM updated_at) || ':' || coalesce(version, 0) AS version, former.slug AS former_slug FROM former_slugs AS former JOIN status_pages AS page ON page.organization_id = former.organization_id AND page.id = former.status_page_id LEFT JOIN page_versions AS versions ON versions.organization_id = page.organization_id AND versions.project_id = page.project_id WHERE former.slug = ANY($1) AND former.created_at > now() - interval '1 year' AND is_public",
  ],
  'a visitor: the token says which page it is of': ['FROM access_links WHERE token_hash = $1'],
  'a visitor: the verified domain says which page it is of': [
    "FROM status_page_domains AS claim JOIN status_pages AS page ON page.organization_id = claim.organization_id AND page.id = claim.status_page_id WHERE claim.status = 'verified' AND claim.domain > $1 ORDER BY claim.domain LIMIT $2",
    "SELECT change.domain, page.id AS page_id, page.slug, page.is_public FROM domain_changes AS change LEFT JOIN status_page_domains AS claim ON claim.domain = change.domain AND claim.status = 'verified' LEFT JOIN status_pages AS page ON page.organization_id = claim.organization_id AND page.id = claim.status_page_id WHERE change.changed_at > clock_timestamp() - make_interval(secs => $1) ORDER BY change.changed_at DESC LIMIT $2",
  ],
  'the startup: it warns if the instance cannot send mail': [
    'FROM status_page_access WHERE cardinality(emails) + cardinality(email_domains) > 0',
    'FROM status_pages WHERE subscribe_enabled',
  ],
  'verified domains are unique in the instance': [
    'FROM status_page_domains WHERE domain = $1 ORDER BY status_page_id FOR NO KEY UPDATE',
  ],
};

/** The parts of statements that use a tenant's table. A name after a dot is a column. */
function partsOnTenants(statements: Statement[]): string[] {
  const named = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING)\\b.*\\b(${tenantTables.join('|')})\\b`);
  return [...new Set(statements.flatMap(({ text }) => partsOf(text)))].filter((part) => named.test(part));
}

/** The parts of statements that read or write across organizations, from FROM to the end. */
function partsAcross(statements: Statement[]): string[] {
  const from = new RegExp(`\\b(FROM|UPDATE) "?(${tenantTables.join('|')})\\b`);
  const across = partsOnTenants(statements)
    .filter((part) => !namesOrganization(part))
    .map((part) => part.slice(Math.max(0, part.search(from))).trim());
  return [...new Set(across)].toSorted();
}

describe('statements', () => {
  let statements: Statement[];
  const lists = new Map<Resource, Statement[]>();

  beforeAll(async () => {
    const narrowed = await server.key(tenant.organization_id, { project_ids: [tenant.project_id] });
    // Other tests check the responses.
    const send = <B>(path: string, { headers, ...ask }: Ask, key = tenant.key): Promise<Answer<B>> =>
      server.ask<B>(path, {
        ...ask,
        key,
        headers: { ...headers, 'Idempotency-Key': randomUUID() },
        undocumented: true,
      });
    const list = async (resource: Resource, key: string) => {
      const { body } = await send<ListPage<Row>>(listPath(resource, tenant, { limit: '1' }), {}, key);
      const cursor = body.pagination?.next_cursor;
      if (cursor) await send(listPath(resource, tenant, { cursor }), {}, key);
    };
    statements = await statementsWithValuesOf(async () => {
      for (const resource of RESOURCES) {
        for (let number = 0; number < 2; number++) await make(server, tenant, resource);
        lists.set(resource, await statementsWithValuesOf(() => list(resource, tenant.key)));
        await list(resource, narrowed.key);
        const [sample, stale] = [
          await sampleOf(server, tenant, resource),
          await sampleOf(server, tenant, resource),
        ];
        for (const { path, ask } of operationsOf(resource, stale))
          await send(path, { ...ask, headers: { 'If-Match': '"stale"' } });
        for (const key of [narrowed.key, tenant.key])
          for (const { path, ask } of operationsOf(resource, sample)) await send(path, ask, key);
      }
      for (const { path, ask } of await otherOperations(server, tenant)) await send(path, ask);
      await rareStatements(send);
    });
  });

  /** Runs statements that other operations do not cover: a page that others refer to, late reports, a preview. */
  async function rareStatements(
    send: (path: string, ask: Ask) => Promise<Answer<One<Row & { url?: string }>>>,
  ): Promise<void> {
    const post = (path: string, json: Fields = {}) => send(path, { method: 'POST', json });
    const [monitor_id] = await server.monitors(tenant, 1);
    const { id, slug } = await server.page(tenant);
    const page = `/v1/status-pages/${id}`;
    for (const table of ['incidents', 'maintenances'])
      await make(server, tenant, resourceOf(table), { status_page_ids: [id] });
    await send(page, { method: 'DELETE' });
    await post(`${page}/restore`);
    const one = 'organization_id = $1 AND id = $2';
    await server.sql(`UPDATE status_pages SET revision = 99, updated_at = updated_at WHERE ${one}`, [
      tenant.organization_id,
      id,
    ]);
    await send(page, { method: 'PATCH', json: { name: 'The hundredth revision' } });
    // Not the page that everyone sees, because the server would then poll its changes at any time.
    const { url = '' } = (await post(`${page}/preview-links`)).body.data;
    await fetch(`${server.url}/status/${slug}${new URL(url).search}`);
    const hourAgo = (hours: number) => new Date(Math.floor(Date.now() / 3_600_000 - hours) * 3_600_000);
    for (const [status, hours] of [
      ['operational', 3],
      ['major_outage', 2],
      ['operational', 1],
      ['operational', 2],
    ] as const)
      await post('/v1/monitor-reports', {
        project_id: tenant.project_id,
        reports: [{ monitor_id, status, observed_at: hourAgo(hours).toISOString() }],
      });
  }

  it('on tables of tenants use organization_id or have a documented exception', () => {
    const parts = partsOnTenants(statements);
    for (const table of tenantTables.filter((one) => !UNUSED.has(one)))
      expect(parts.join('\n')).toMatch(new RegExp(`\\b${table}\\b`));
    expect(partsAcross(statements)).toEqual(Object.keys(ACROSS_ORGANIZATIONS).toSorted());
  });

  it('set updated_at if the table contains it', async () => {
    const versioned = await tablesWith(server, 'updated_at');
    const tableOf = (part: string) => /\bUPDATE "?(\w+)"?( AS "?\w+"?)? SET\b/.exec(part)?.[1] ?? '';
    const onVersioned = partsOnTenants(statements).filter((part) => versioned.includes(tableOf(part)));
    expect(onVersioned.length).toBeGreaterThan(0);
    expect(onVersioned.filter((part) => !/\bSET\b.*\bupdated_at"? =/.test(part))).toEqual([]);
  });

  it.each(byTable(RESOURCES))('list %s along an index, without a sort', async (_table, resource) => {
    const listing = (lists.get(resource) ?? []).filter(
      ({ text }) =>
        new RegExp(`\\bFROM ${resource.table}\\b`).test(text) &&
        /ORDER BY created_at DESC, id DESC/.test(text),
    );
    // The first page, and one after a cursor.
    expect(new Set(listing.map(({ text }) => text)).size).toBe(2);
    for (const { text, values } of listing) {
      const plan = await server.app.get(DataSource).transaction(async (manager) => {
        // There are few rows. Without these settings, reading and sorting all of them would be the cheapest plan.
        for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort'])
          await manager.query(`SET LOCAL enable_${way} = off`);
        return JSON.stringify(await manager.query(`EXPLAIN ${text}`, values));
      });
      expect(plan).toMatch(/Index (Only )?Scan/);
      expect(plan).not.toMatch(/Sort|Seq Scan/);
    }
  });
});

describe('statements for visitors of private pages, of former slugs and domains', () => {
  const PASSWORD = 'correct horse battery staple';
  const EMAIL = 'jane@acme.example';

  /** Returns a provider of the application. */
  const get = <Provider>(type: Type<Provider>): Provider => server.app.get(type, { strict: false });

  const send = async (path: string, method: string, json?: object) =>
    (await server.ask<One<Row & { token: string }>>(path, { method, key: tenant.key, json })).body.data;

  /** A private page with all rules, a former slug and a pending domain. */
  async function gatedPage() {
    const { id, slug: former } = await server.page(tenant);
    const slug = `${former}-new`;
    const domain = `${slug}.example`;
    const page = `/v1/status-pages/${id}`;
    await send(`${page}/settings`, 'PATCH', { slug, custom_domain: domain });
    await send(page, 'PATCH', { is_public: false });
    await send(`${page}/access`, 'PUT', { password: PASSWORD, emails: [EMAIL] });
    const { token } = await send(`${page}/access/links`, 'POST', { description: 'A feed reader' });
    return { id, slug, former, domain, token };
  }

  /** Visits a page with and without access. */
  async function visitAll({
    slug,
    former,
    token,
  }: {
    slug: string;
    former: string;
    token: string;
  }): Promise<void> {
    const { visit, enter, sessionOf } = visitorsOf(() => server.url);
    await visit(`/status/${slug}`);
    await enter(slug, 'a wrong password');
    const cookie = await sessionOf(slug);
    for (const part of ['', '/feed.rss', '/subscribe']) {
      await visit(`/status/${slug}${part}`, { cookie });
      await visit(`/status/${slug}${part}`, { token });
    }
    await visit(`/status/${former}`);
  }

  /** Runs the statements of links by mail. */
  async function useLinks({ id, slug }: { id: string; slug: string }): Promise<void> {
    const [links, repository] = [get(EmailLinksService), get(EmailLinksRepository)];
    const rules = get(AccessRulesService);
    const page = await rules.findBySlug(slug);
    if (!page) throw new Error('the page has no rules');
    await links.request(page, EMAIL, '');
    const stored = await server.sql<{ id: string }[]>(
      'SELECT id FROM access_email_requests WHERE organization_id = $1 AND status_page_id = $2',
      [tenant.organization_id, id],
    );
    const [request] = await repository.findRequests(stored.map((one) => one.id));
    if (!request) throw new Error('the form was not stored');
    const { token, hash } = createEmailToken();
    await repository.insertToken(request, hash);
    await repository.deleteRequest(request);
    expect(await links.find(page.rules, token)).toBe(EMAIL);
    expect(await links.use(page.rules, token)).toBe(true);
    expect(await rules.find(id)).toBeDefined();
    await rules.anyTakesEmail();
  }

  /** Runs the statements of lookups, which visits share. */
  async function lookUp({ id, slug, former }: { id: string; slug: string; former: string }): Promise<void> {
    const pages = get(PageLookupService);
    await get(AccessRulesService).gatedAmong([slug, former]);
    await pages.findPublic([slug, former]);
    await pages.findPublicByIds([id]);
    await pages.isUsed(slug);
    await pages.anyTakesSubscriptions();
  }

  /** Runs the statements that check domains and find them for visitors. */
  async function checkDomain({ id, domain }: { id: string; domain: string }): Promise<void> {
    const claims = get(ClaimsRepository);
    const claim = await claims.begin(tenant.organization_id, id);
    if (!claim) throw new Error('the page has no domain');
    await get(DataSource).transaction(async (manager) => {
      await claims.takeDue(10, manager);
      await claims.lock(claim, manager);
      const [locked] = await claims.lockAll(domain, manager);
      if (!locked) throw new Error('the domain is not claimed');
      const found = {
        found: [],
        error: null,
        checked_at: claim.now,
        verified_at: claim.now,
        missing_since: null,
      };
      await claims.write(locked, { ...found, status: 'verified', next_in: 1, routing: undefined }, manager);
      await claims.lose(locked, manager);
    });
    await get(DomainDirectory).reload();
    await get(DomainsRepository).findChanged(1, 1);
  }

  it('use organization_id or have a documented exception', async () => {
    const page = await gatedPage();
    const statements = await statementsWithValuesOf(async () => {
      await visitAll(page);
      await useLinks(page);
      await lookUp(page);
      await checkDomain(page);
      for (const { name, run } of get(DeliveriesService).tasks) if (name !== 'domains') await run();
    });
    const parts = partsOnTenants(statements).join('\n');
    for (const table of ['access_links', 'access_email_tokens', 'former_slugs', 'status_page_domains'])
      expect(parts).toMatch(new RegExp(`\\b${table}\\b`));
    expect(partsAcross(statements)).toEqual(Object.values(ACROSS_FOR_VISITORS).flat().toSorted());
  });
});
