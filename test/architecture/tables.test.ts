import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { beforeAll, describe, expect, it } from 'vitest';
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

  /** The parts that use a tenant's table. A name after a dot is a column. */
  const partsOnTenants = (): string[] => {
    const named = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING)\\b.*\\b(${tenantTables.join('|')})\\b`);
    return [...new Set(statements.flatMap(({ text }) => partsOf(text)))].filter((part) => named.test(part));
  };

  it('on tables of tenants use organization_id or have a documented exception', () => {
    const parts = partsOnTenants();
    for (const table of tenantTables.filter((one) => !UNUSED.has(one)))
      expect(parts.join('\n')).toMatch(new RegExp(`\\b${table}\\b`));
    const from = new RegExp(`\\b(FROM|UPDATE) "?(${tenantTables.join('|')})\\b`);
    const across = parts
      .filter((part) => !namesOrganization(part))
      .map((part) => part.slice(Math.max(0, part.search(from))).trim());
    expect([...new Set(across)].toSorted()).toEqual(Object.keys(ACROSS_ORGANIZATIONS).toSorted());
  });

  it('set updated_at if the table contains it', async () => {
    const versioned = await tablesWith(server, 'updated_at');
    const tableOf = (part: string) => /\bUPDATE "?(\w+)"?( AS "?\w+"?)? SET\b/.exec(part)?.[1] ?? '';
    const onVersioned = partsOnTenants().filter((part) => versioned.includes(tableOf(part)));
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
