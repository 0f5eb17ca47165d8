import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessRulesService } from '../../src/access/access-rules.service.js';
import { EmailLinksRepository } from '../../src/visitors/email/email-links.repository.js';
import { EmailLinksService } from '../../src/visitors/email/email-links.service.js';
import { createEmailToken } from '../../src/visitors/email/email-tokens.js';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { ClaimsRepository } from '../../src/domains/claims.repository.js';
import { DomainDirectory } from '../../src/domains/domain-directory.js';
import { DomainsRepository } from '../../src/domains/domains.repository.js';
import { PageLookupService } from '../../src/status-pages/page-lookup.service.js';
import { visitorsOf } from '../access/use-gate.js';
import { MemberLinks } from '../../src/members/member-links.js';
import { MemberSessions } from '../../src/members/member-sessions.js';
import { MembersRepository } from '../../src/members/members.repository.js';
import { MemberPasskeysRepository } from '../../src/members/member-passkeys.repository.js';
import { MembersService } from '../../src/members/members.service.js';
import { actorIn } from '../support/actors.js';
import { tablesWith } from '../support/catalogue.js';
import {
  byTable,
  type Fields,
  listPath,
  make,
  operationsOf,
  otherOperations,
  type Resource,
  resourceOf,
  RESOURCES,
  type Row,
  sampleOf,
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
import {
  type RepositoryMethods,
  type Statement,
  statementsWithValuesOf,
  textsByRoomOf,
  watchRepositories,
} from '../support/statements.js';
import { changedWithoutLock, partsAcross, partsOnTenants, sqlFile } from './statement-parts.js';

const server = useTestServer();
let tenant: Tenant;
/** The tables of tenants, which contain an `organization_id`. */
let tenantTables: string[];
let methods: RepositoryMethods;

beforeAll(async () => {
  tenant = await server.tenant();
  tenantTables = await tablesWith(server, 'organization_id');
  methods = watchRepositories(server.app);
});

afterAll(() => methods.stop());

/** Tables that no operation of the API reads or writes. */
const UNUSED = new Set([
  'access_email_requests',
  'access_email_tokens',
  'deferred_status_changes',
  'deliveries',
  'response_samples',
  'subscription_requests',
]);

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
  'a member who signs in: the token says which member it is of': [
    'FROM member_links WHERE token_hash = $1 AND expires_at > clock_timestamp()',
    'FROM member_links WHERE token_hash = $1 AND expires_at > clock_timestamp() RETURNING member_id',
    "FROM member_passkeys AS passkey JOIN members AS member ON member.organization_id = passkey.organization_id AND member.id = passkey.member_id WHERE passkey.credential = $1 AND member.status = 'active'",
    "FROM member_sessions AS session JOIN members AS member ON member.organization_id = session.organization_id AND member.id = session.member_id WHERE session.token_hash = $1 AND session.expires_at > clock_timestamp() AND session.last_used_at > clock_timestamp() - interval '12 hours' AND member.status = 'active'",
    'FROM member_sessions WHERE token_hash = $1',
  ],
  'a person who signs in: the address can belong to members of several organizations': [
    "FROM members WHERE email = $1 AND status <> 'disabled' ORDER BY status, created_at, id LIMIT $2",
    "FROM members WHERE email = $1 AND status = 'active' AND password_hash IS NOT NULL ORDER BY created_at, id LIMIT $2",
  ],
  'a periodic task of the instance': [
    'FROM check_states WHERE due_at <= statement_timestamp() GROUP BY organization_id',
    "FROM access_email_requests WHERE created_at < clock_timestamp() - interval '1 hour'",
    'FROM access_email_tokens WHERE expires_at <= clock_timestamp()',
    'FROM deliveries USING old WHERE deliveries.id = old.id RETURNING 1',
    "FROM deliveries WHERE id < $1 AND status = 'pending' AND due_at < statement_timestamp() LIMIT $2 FOR UPDATE SKIP LOCKED",
    "FROM deliveries WHERE id < $1 AND status <> 'pending' AND finished_at < statement_timestamp() - $2 * interval '1 day' ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED",
    'FROM deferred_status_changes AS change JOIN monitors AS monitor ON monitor.organization_id = change.organization_id AND monitor.id = change.monitor_id WHERE change.due_at <= statement_timestamp() ORDER BY change.due_at LIMIT 1',
    'FROM events USING old WHERE events.id = old.id RETURNING 1',
    "FROM events WHERE id < $1 AND type = 'monitor.status_changed' ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED",
    'FROM events WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED',
    'FROM member_links WHERE expires_at <= clock_timestamp()',
    "FROM member_sessions WHERE expires_at <= clock_timestamp() OR last_used_at <= clock_timestamp() - interval '12 hours'",
    "UPDATE deliveries SET status = 'cancelled', finished_at = statement_timestamp(), error = 'pending for more than seven days', lease = lease + 1 FROM old WHERE deliveries.id = old.id RETURNING 1",
    "FROM response_samples WHERE created_at <= statement_timestamp() - interval '5 minutes' ORDER BY organization_id <= $1, organization_id LIMIT 1",
    'FROM response_times WHERE (organization_id, monitor_id, resolution, started_at) IN () RETURNING 1',
    'FROM response_times WHERE resolution = $1 AND started_at < statement_timestamp() - make_interval(days => $2) LIMIT $3 FOR UPDATE SKIP LOCKED',
    'FROM status_page_domains WHERE next_check_at <= statement_timestamp()',
    "FROM subscribers WHERE confirmed_at IS NULL AND (status = 'pending' OR suppressed_reason = 'bounced') AND created_at < clock_timestamp() - interval '7 days' AND updated_at < clock_timestamp() - interval '7 days' LIMIT $1",
    "FROM subscribers WHERE id = ANY($1::uuid[]) AND confirmed_at IS NULL AND (status = 'pending' OR suppressed_reason = 'bounced') AND created_at < clock_timestamp() - interval '7 days' AND updated_at < clock_timestamp() - interval '7 days'",
    "FROM subscription_requests WHERE due_at <= clock_timestamp() + interval '1 millisecond' ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED",
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

/** Changes in a transaction that need no lock of their row before. */
const CHANGED_WITHOUT_LOCK: Record<string, string> = {
  'DELETE FROM subscribers': 'it depends only on the version, which the same statement checks',
};

describe('statements', () => {
  let statements: Statement[];
  let texts: Map<string, Set<string>>;
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
    const walk = async () => {
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
    };
    texts = await textsByRoomOf(async () => {
      statements = await statementsWithValuesOf(walk);
    });
  });

  it('equal those in docs/statements', async () => {
    for (const [room, own] of texts)
      await expect(sqlFile(own)).toMatchFileSnapshot(`../../docs/statements/${room}.sql`);
    const outdated = (await readdir('docs/statements')).filter(
      (name) => !texts.has(name.replace('.sql', '')),
    );
    expect(outdated).toEqual([]);
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
    const parts = partsOnTenants(statements, tenantTables);
    for (const table of tenantTables.filter((one) => !UNUSED.has(one)))
      expect(parts.join('\n')).toMatch(new RegExp(`\\b${table}\\b`));
    expect(partsAcross(statements, tenantTables)).toEqual(Object.keys(ACROSS_ORGANIZATIONS).toSorted());
  });

  it('set updated_at if the table contains it', async () => {
    const versioned = await tablesWith(server, 'updated_at');
    const tableOf = (part: string) => /\bUPDATE "?(\w+)"?( AS "?\w+"?)? SET\b/.exec(part)?.[1] ?? '';
    const onVersioned = partsOnTenants(statements, tenantTables).filter((part) =>
      versioned.includes(tableOf(part)),
    );
    expect(onVersioned.length).toBeGreaterThan(0);
    expect(onVersioned.filter((part) => !/\bSET\b.*\bupdated_at"? =/.test(part))).toEqual([]);
  });

  // The embedded PostgreSQL has one session, so concurrent requests cannot show a missing lock.
  it('lock a row before they change it in a transaction, or have a documented exception', () => {
    const tables = [...RESOURCES.map(({ table }) => table), ...VERSIONED_PARTS];
    expect(changedWithoutLock(statements, tables)).toEqual(Object.keys(CHANGED_WITHOUT_LOCK).toSorted());
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

describe('statements for members, visitors of private pages, of former slugs and domains', () => {
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

  /** Runs the statements of a member who signs in, and uses sessions. */
  async function signIn(): Promise<void> {
    const [members, links, sessions] = [get(MembersService), get(MemberLinks), get(MemberSessions)];
    const { organization_id } = tenant;
    const [name, role] = ['Ada', 'admin' as const];
    const { id } = await members.create(actorIn(organization_id), { email: EMAIL, name, role });
    const token = await links.create({ organization_id, id });
    await links.find(token);
    const member = await links.use(token);
    const session = member && (await sessions.start(member, { user_agent: '', request_id: null }));
    if (!session) throw new Error('no session was started');
    const old = `UPDATE member_sessions SET last_used_at = now() - interval '1 hour' WHERE organization_id = $1`;
    await server.sql(old, [organization_id]);
    const { session_id } = (await sessions.find(session.token)) ?? { session_id: '' };
    await sessions.list(member);
    await sessions.endOthers(member, session_id);
    await sessions.endOne(member, session_id);
    await sessions.end(session.token);
    await members.findForAdministrator(EMAIL);
    await get(MembersRepository).findWithPassword(EMAIL, 5);
    await get(MemberPasskeysRepository).findByCredential(Buffer.from('unknown'));
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
      await claims.takeDue({ limit: 10, ofEach: 10, running: new Map() }, manager);
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

  let statements: Statement[];

  beforeAll(async () => {
    const page = await gatedPage();
    statements = await statementsWithValuesOf(async () => {
      await visitAll(page);
      await useLinks(page);
      await signIn();
      await lookUp(page);
      await checkDomain(page);
      for (const { name, run } of get(PeriodicTasks).all) if (name !== 'domains') await run();
    });
  });

  it('use organization_id or have a documented exception', () => {
    const parts = partsOnTenants(statements, tenantTables).join('\n');
    for (const table of [
      'access_links',
      'access_email_tokens',
      'former_slugs',
      'member_sessions',
      'status_page_domains',
    ])
      expect(parts).toMatch(new RegExp(`\\b${table}\\b`));
    expect(partsAcross(statements, tenantTables)).toEqual(
      Object.values(ACROSS_FOR_VISITORS).flat().toSorted(),
    );
  });
});

/**
 * Methods of repositories and queues that run in no test above, and whose text names more tables of tenants than organizations, by
 * the reason.
 */
const NOT_RUN: Record<string, string[]> = {
  'authentication: the key says which organization it is of': ['CredentialsRepository.findActive'], // runs if it is not cached
  'a command of an operator, who can access all organizations': [
    'ApiKeysRepository.any',
    'ApiKeysRepository.findIdsByPrefix',
    'ProjectsRepository.any',
  ],
  'a delivery: it says which rows it is of': [
    'RecipientsRepository.delivered',
    'RecipientsRepository.find',
    'RecipientsRepository.refused',
    'WebhookEndpointsRepository.findStored',
  ],
  'a periodic task of the instance': [
    'DeletedPagesRepository.deleteOutdated',
    'EventQueue.admitPlanned',
    'EventQueue.dropStale',
    'IdempotencyRepository.deleteOld',
    'RevisionsRepository.deleteOld',
    'UniqueValuesRepository.deleteOld',
  ],
  'a visitor: the token says which subscription it is of': [
    'SubscriptionsRepository.find',
    'SubscriptionsRepository.findOfAnyPage',
    'SubscriptionsRepository.lock',
  ],
};

describe('repositories', () => {
  it('name the organization in methods that run in no test above, or have a documented exception', () => {
    const onTenants = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING)\\s+"?(${tenantTables.join('|')})\\b`, 'g');
    const ofTenant = /\borganization_id\b|\$\{[\w.]*\b(OF_PAGE|OF_PROJECT|OWN)\}/g;
    const countOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
    const found = [...methods.sources].filter(
      ([name, text]) => !methods.ran.has(name) && countOf(text, onTenants) > countOf(text, ofTenant),
    );
    expect(methods.ran.size).toBeGreaterThan(200);
    const exceptions = Object.values(NOT_RUN).flat();
    expect(found.map(([name]) => name).filter((name) => !exceptions.includes(name))).toEqual([]);
    expect(exceptions.filter((name) => !methods.sources.has(name))).toEqual([]);
  });
});
