import { beforeAll, describe, expect, it } from 'vitest';
import {
  columnsOf,
  constraintsOf,
  hashesOf,
  indexesOf,
  tablesWith,
  type Column,
  type Constraint,
  type Index,
} from '../support/catalogue.js';
import {
  byTable,
  PARTS,
  PAST,
  REFERENCES,
  RESOURCES,
  SINGLE_PARTS,
  VERSIONED_PARTS,
} from '../support/resources.js';
import { useTestServer } from '../support/server.js';

const server = useTestServer();
let columns: Column[];
let constraints: Constraint[];
let indexes: Index[];
/** The tables of tenants, which contain an `organization_id`. */
let tenantTables: string[];

beforeAll(async () => {
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

/** Tables of other resources' parts that belong to a project. */
const PARTS_OF_PROJECTS = ['erased_subscribers', 'subscribers', 'subscription_requests'];

/** Columns with the ID of a deleted status page, which has its subscribers and webhook endpoints again when it is restored. */
const OF_DELETED_PAGES = new Set(
  [...PARTS_OF_PROJECTS, 'webhook_endpoints'].map((table) => `${table}.status_page_id`),
);

/** Columns with the ID of an API key or of a member. Their rows are deleted after a day. */
const OF_ACTORS = new Set(['idempotency_keys.api_key_id']);

/** IDs that no operation stores and that stay after the deletion of a page, because it can be restored. */
const OF_FORMER_PAGES = ['incidents.former_page_ids', 'maintenances.former_page_ids'];

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
        column.endsWith('_id') &&
        refersToOthers(table) &&
        !OF_DELETED_PAGES.has(`${table}.${column}`) &&
        !OF_ACTORS.has(`${table}.${column}`),
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
    expect(holding.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(
      [...REFERENCES.map(({ column }) => column), ...OF_FORMER_PAGES, ...WITHOUT_IDS].toSorted(),
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

  it('all appear in hashesOf, which the tests compare before and after', async () => {
    const hashes = await hashesOf(server);
    const others = [
      'confirmation_mails',
      'domain_changes',
      'member_link_requests',
      'organizations',
      'secrets',
    ];
    expect(Object.keys(hashes).toSorted()).toEqual([...tenantTables, ...others].toSorted());
  });
});
