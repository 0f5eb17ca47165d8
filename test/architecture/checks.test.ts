import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { validate } from '../../src/platform/validation/validate.js';
import { type Schema, ServedDocument } from '../fuzz/served-document.js';
import { type Column, columnsOf, type Constraint, constraintsOf } from '../support/catalogue.js';
import { type BodyDto, bodiesOf } from '../support/dtos.js';
import { RESOURCES } from '../support/resources.js';
import { useTestServer } from '../support/server.js';

const server = useTestServer();
let document: ServedDocument;
let columns: Column[];
let checks: Constraint[];
/** The tables that an operation shows or writes, by the paths of the operations. */
let tables: Map<string, string>;

beforeAll(async () => {
  document = await ServedDocument.of(server.url);
  columns = await columnsOf(server);
  checks = (await constraintsOf(server)).filter(({ kind }) => kind === 'c');
  tables = new Map(
    document.operations.flatMap(({ path }) => {
      const table = tableOf(path);
      return table === undefined ? [] : [[path, table]];
    }),
  );
});

/** Columns with a CHECK whose name differs from the field that they store. */
const STORED_AS: Record<string, string> = { 'incidents.set_impact': 'impact' };

/** CHECKs on columns that store no field. */
const INTERNAL: Record<string, string> = {
  secrets_key_check: 'the service creates it',
  secrets_number_check: 'the service creates it',
  deliveries_status_check: 'the service sets it',
  check_states_status_check: 'the verdict is one of the statuses',
  checks_expected_status_check: 'the pattern of the field limits the length',
  checks_header_names_check: 'the list of headers limits their number',
  check_states_error_check: 'the service sets one of a few short texts',
  status_page_domains_status_check: 'the service sets it',
  events_type_check: 'the service sets it',
  access_email_requests_email_check: 'the form has a rule of its own',
  access_email_requests_wanted_check: 'the form has a rule of its own',
  access_email_tokens_email_check: 'the form has a rule of its own',
  member_link_requests_email_check: 'the form has a rule of its own',
  ...Object.fromEntries(
    ['credential', 'public_key', 'counter', 'transports', 'name'].map((column) => [
      `member_passkeys_${column}_check`,
      'the browser chooses the values',
    ]),
  ),
  member_sessions_user_agent_check: 'the service cuts the header',
  members_password_hash_check: 'the service creates it',
  subscription_requests_email_check: 'the form has a rule of its own',
  subscription_requests_detail_check: 'the form has a rule of its own',
  maintenances_closed_as_check: 'the statuses that a client can set; the others follow from the clock',
  ...Object.fromEntries(
    ['emails', 'email_domains', 'networks', 'password_hash'].map((column) => [
      `status_page_access_${column}_check`,
      'test/access compares the bounds of the lists',
    ]),
  ),
  ...Object.fromEntries(
    ['kind', 'hash', 'content_type', 'width', 'height'].map((column) => [
      `status_page_images_${column}_check`,
      'the service derives the values from the path and the picture',
    ]),
  ),
};

/** The table of a path: the table of `/v1/incidents/{id}/updates` is `incident_updates`. */
function tableOf(path: string): string | undefined {
  const names = path.split('/').flatMap((part) => (/^[a-z-]+$/.test(part) ? part.replaceAll('-', '_') : []));
  const ofPatch = RESOURCES.find(({ path: of, patches }) =>
    Object.keys(patches).some((suffix) => path === `${of}/{id}${suffix}`),
  );
  if (ofPatch) return ofPatch.table;
  const joined = names.map((_name, at) =>
    [...names.slice(at, -1).map((name) => name.replace(/(?<!s)s$/, '')), names.at(-1)].join('_'),
  );
  return joined.find((table) => columns.some((column) => column.table === table));
}

/** The request and response fields of a table, by name. */
function fieldsOf(table: string): Map<string, Schema> {
  const shown = document.operations.filter(({ path }) => tables.get(path) === table);
  const schemas = shown.flatMap(({ data, body }) => [body?.schema, data]);
  return new Map(
    schemas
      .flatMap((schema) => Object.entries(schema ? (document.resolve(schema).properties ?? {}) : {}))
      .map(([name, schema]) => [name, document.resolve(schema)]),
  );
}

const typeOf = ({ type }: Schema): string | undefined => [type].flat().find((name) => name !== 'null');

/** Starts of texts with a pattern, such as slugs, URLs, addresses and colors, that can continue with any number of letters. */
const STARTS = ['', 'https://a', 'a@', '#'];

/** Values at the bounds of a field, and just beyond them. */
function extremesOf(schema: Schema): { allowed: unknown[]; refused: unknown[] } {
  const { enum: words, minimum, maximum, minLength, maxLength, maxItems } = schema;
  const allowed: unknown[] = [];
  const refused: unknown[] = [];
  const add = (bound: number | undefined, step: number, make: (size: number) => unknown) => {
    if (bound === undefined) return;
    allowed.push(make(bound));
    refused.push(make(bound + step));
  };
  if (words) return { allowed: words.filter((word) => word !== null), refused: ['no such word'] };
  const ids = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());
  add(minimum, -1, (value) => value);
  add(maximum, 1, (value) => value);
  const isText = typeOf(schema) === 'string' && schema.format === undefined && schema.pattern === undefined;
  if (isText && minLength) add(minLength, -1, (length) => '🚀'.repeat(length));
  if (isText) add(maxLength, 1, (length) => '🚀'.repeat(length));
  const pattern = new RegExp(schema.pattern ?? '(?!)');
  const start = STARTS.find((text) => pattern.test(text.padEnd(maxLength ?? 0, 'a')));
  if (start !== undefined) add(maxLength, 1, (length) => start.padEnd(length, 'a'));
  if (schema.items?.format === 'uuid') add(maxItems, 1, ids);
  return { allowed, refused };
}

/** Whether a CHECK accepts a row with these columns. */
async function accepts({ condition, table }: Constraint, row: Record<string, unknown>): Promise<boolean> {
  const names = Object.keys(row);
  const typed = names.map((name, at) => {
    const column = columns.find((one) => one.table === table && one.column === name);
    return `$${at + 1}::${column?.type} AS ${name}`;
  });
  const [found] = await server.sql<{ accepts: boolean }[]>(
    `SELECT (${condition}) IS NOT FALSE AS accepts FROM (SELECT ${typed.join(', ')}) AS one`,
    Object.values(row),
  );
  return found?.accepts === true;
}

describe('CHECK of a column', () => {
  it('exists for each choice that a table stores as text', () => {
    const choices = [...new Set(tables.values())].flatMap((table) =>
      [...fieldsOf(table)].flatMap(([name, schema]) => {
        const column = columns.find((one) => one.table === table && one.column === name);
        return schema.enum && column?.type === 'text' ? [`${table}.${name}`] : [];
      }),
    );
    expect(choices).toEqual(expect.arrayContaining(['incidents.status', 'incident_updates.status']));
    const checked = new Set(checks.map(({ table, columns: own }) => `${table}.${own.join()}`));
    expect(choices.filter((choice) => !checked.has(choice))).toEqual([]);
  });

  it('exists for each text whose length the OpenAPI document limits', () => {
    const checked = new Set(checks.flatMap(({ table, columns: own }) => own.map((one) => `${table}.${one}`)));
    const texts = [...new Set(tables.values())].flatMap((table) =>
      [...fieldsOf(table)].flatMap(([name, schema]) => {
        const column = columns.find((one) => one.table === table && one.column === name);
        const isText =
          column?.type === 'text' && schema.maxLength !== undefined && schema.format === undefined;
        return isText && schema.enum === undefined ? [`${table}.${name}`] : [];
      }),
    );
    expect(texts).toEqual(expect.arrayContaining(['incidents.title', 'maintenances.body']));
    expect(texts.filter((text) => !checked.has(text))).toEqual([]);
  });

  it('accepts exactly the values that the OpenAPI document allows for the field', async () => {
    const compared: string[] = [];
    for (const check of checks) {
      const [column = '', second] = check.columns;
      if (second !== undefined || check.name in INTERNAL) continue;
      const schema = fieldsOf(check.table).get(STORED_AS[`${check.table}.${column}`] ?? column);
      const { allowed, refused } = schema ? extremesOf(schema) : { allowed: [], refused: [] };
      const verdicts = async (values: unknown[]) => {
        const accepted: unknown[] = [];
        for (const value of values) if (await accepts(check, { [column]: value })) accepted.push(value);
        return accepted;
      };
      expect([check.name, await verdicts(allowed)]).toEqual([check.name, allowed]);
      const words = [...(check.condition ?? '').matchAll(/'(\w+)'/g)].flatMap(([, word]) => word ?? []);
      const unknown = words.filter((word) => !allowed.includes(word));
      const beyond = schema?.enum ? [...unknown, ...refused] : refused;
      const accepted = await verdicts(beyond);
      // A choice rejects all other words. Another CHECK can cover one of several bounds.
      if (schema?.enum) expect([check.name, accepted]).toEqual([check.name, []]);
      else expect([check.name, accepted.length < beyond.length]).toEqual([check.name, true]);
      compared.push(check.name);
    }
    expect(compared).toContain('incidents_status_check');
  });
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DISTANCES = [0, 1, 1_000, HOUR, DAY, 10 * DAY, 50 * DAY, 200 * DAY, 390 * DAY];
const OFFSETS = [...DISTANCES.map((distance) => -distance).toReversed(), ...DISTANCES];
const NOW = Date.now();
const timeAt = (offset: number): string => new Date(NOW + offset).toISOString();

/** The values of a field that a rule across fields can cover. */
function valuesOf(schema: Schema): unknown[] {
  const { allowed } = extremesOf(schema);
  const values = schema.format === 'date-time' ? OFFSETS.map(timeAt) : allowed;
  const own = typeOf(schema) === 'boolean' ? [true, false] : values;
  return [schema.type].flat().includes('null') ? [...own, null] : own;
}

/** The scalar fields of a body that a table stores in columns of the same names. */
function scalarsOf(table: string, { method, path }: BodyDto): [string, Schema][] {
  const schema = document.find(method, path)?.body?.schema;
  return Object.entries(schema ? (document.resolve(schema).properties ?? {}) : {})
    .map(([name, one]): [string, Schema] => [name, document.resolve(one)])
    .filter(([name, one]) => {
      const isColumn = columns.some(({ column, table: of }) => of === table && column === name);
      return isColumn && ['string', 'integer', 'boolean'].includes(typeOf(one) ?? '');
    });
}

const routeOf = ({ method, path }: BodyDto): string => `${method} ${path}`;

const isValid = ({ dto }: BodyDto, json: Record<string, unknown>): boolean =>
  validate(dto, { ...json }, 'body').errors.every(
    ({ pointer }) => !Object.keys(json).some((name) => pointer === `#/${name}`),
  );

/** Pairs of times on both sides of each change of the result, to the millisecond. */
function edgesOf(body: BodyDto, earlier: string, later: string): string[] {
  const isAllowed = (offset: number) => isValid(body, { [earlier]: timeAt(0), [later]: timeAt(offset) });
  return OFFSETS.flatMap((offset, at) => {
    let [low, high] = [offset, OFFSETS[at + 1] ?? offset];
    const verdict = isAllowed(low);
    if (isAllowed(high) === verdict) return [];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (isAllowed(middle) === verdict) low = middle;
      else high = middle;
    }
    return [timeAt(low), timeAt(high)];
  });
}

/** Two fields of a body, with the pairs of values to compare. Each value is valid alone. */
interface Pair {
  table: string;
  names: [string, string];
  rows: Record<string, unknown>[];
}

function pairsOf(table: string, body: BodyDto): Pair[] {
  const scalars = scalarsOf(table, body);
  return scalars.flatMap(([one, schema], at) =>
    scalars.slice(at + 1).map(([other, otherSchema]): Pair => {
      const areTimes = schema.format === 'date-time' && otherSchema.format === 'date-time';
      const values = areTimes ? [timeAt(0)] : valuesOf(schema);
      const others = [...valuesOf(otherSchema), ...(areTimes ? edgesOf(body, one, other) : [])];
      const alone = (name: string) => (value: unknown) => isValid(body, { [name]: value });
      const rows = values
        .filter(alone(one))
        .flatMap((value) => others.filter(alone(other)).map((second) => ({ [one]: value, [other]: second })));
      return { table, names: [one, other], rows };
    }),
  );
}

/** Rules between a field and a column that the service sets. */
const SET_TOGETHER = new Set(['subscribers_suppressed_check', 'webhook_endpoints_disabled_check']);

describe('rule across two fields', () => {
  // So that no time becomes the past between two checks.
  beforeAll(() => vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
  afterAll(() => vi.useRealTimers());

  it('exists identically in the DTO and in a CHECK', async () => {
    const bodies = bodiesOf(server).filter(({ path }) => tables.has(path));
    expect(bodies.length).toBeGreaterThan(10);
    const compared = new Set<string>();
    const differing: unknown[] = [];
    const compare = async (body: BodyDto, { table, names, rows }: Pair) => {
      const own = checks.filter(({ table: of, columns: [...pair] }) => {
        return of === table && pair.toSorted().join() === names.toSorted().join();
      });
      for (const { name } of own) compared.add(name);
      for (const row of rows) {
        const inDto = isValid(body, row);
        const verdicts = await Promise.all(own.map((check) => accepts(check, row)));
        if (inDto !== verdicts.every(Boolean)) differing.push({ route: routeOf(body), row, inDto });
      }
    };
    for (const body of bodies)
      for (const pair of pairsOf(tables.get(body.path) ?? '', body)) await compare(body, pair);
    expect(differing).toEqual([]);
    expect([...compared]).toContain('maintenances_ends_at_check');
    // The others cover columns that no body contains.
    const written = new Set(
      bodies.flatMap((body) => {
        const table = tables.get(body.path) ?? '';
        return scalarsOf(table, body).map(([name]) => `${table}.${name}`);
      }),
    );
    const missed = checks.filter(({ name, table, columns: own }) => {
      return (
        own.length > 1 &&
        !compared.has(name) &&
        !SET_TOGETHER.has(name) &&
        own.some((column) => written.has(`${table}.${column}`))
      );
    });
    expect(missed).toEqual([]);
  });
});
