import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../../src/platform/database/default-organization.js';
import { API_DOCUMENTS, FEED_FORMATS, type Part, pathOf } from '../../src/page-model/parts.js';
import { contentsOf } from '../support/catalogue.js';
import { contractOf } from '../support/contract.js';
import { onPostgres } from '../support/database.js';
import { SEED } from '../support/seed.js';
import { useTestServer } from '../support/server.js';
import { type Choices, choices } from './choices.js';
import { FuzzedTenant } from './fuzzed-tenant.js';
import { makeIdentity } from './identity.js';
import { Judge } from './judge.js';
import { Known } from './known.js';
import { TARGETED } from './mutations.js';
import { nastyText } from './nasty.js';
import { type Operation, ServedDocument } from './served-document.js';

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 4_000);
/** Tenants that send concurrently, each one request after the other. */
const TENANTS = 3;
const TRIES = 40;
/** The maximum increase of used bytes after garbage collection, from the first 1/5 of the requests to 4/5 of them. */
const MAX_GROWTH = 96 * 1024 * 1024;
/** Statuses that require a limit, an outage or an internal error. */
const NOT_PROVOKED = new Set([429, 500, 503]);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const server = useTestServer({ RATE_LIMIT: '0' });
const canary = `canary${SEED.toString(36)}`;
let document: ServedDocument;
let judge: Judge;
/** The tenant whose data no other tenant can see. */
let neighbor: FuzzedTenant;
let neighborsIds: ReadonlySet<string>;
let neighborsRows: Record<string, string[]>;
let tenants: FuzzedTenant[];
let projects: string[];

/** A request for a public page. The OpenAPI document does not describe public pages. */
async function visit(path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${server.url}/status/${path}`);
  return { status: answer.status, text: await answer.text() };
}

/** Runs `send` the given number of times, each with separate choices, as a property of fast-check. */
function times(count: number, seed: number, send: (choose: Choices) => Promise<unknown>): Promise<void> {
  const property = fc.asyncProperty(choices(), async (choose) => void (await send(choose)));
  return fc.assert(property, { numRuns: count, seed, endOnFailure: true });
}

/** Sends the given number of requests, as all tenants concurrently. */
async function fuzz(count: number, seed: number): Promise<void> {
  const each = Math.ceil(count / TENANTS);
  await Promise.all(tenants.map((tenant, at) => times(each, seed + at, (choose) => tenant.anything(choose))));
}

/** Finishes the deliveries of the tenants, and adds some to the webhook endpoints of the tenants, because this server delivers nothing. */
async function deliver(): Promise<void> {
  const ofTenants = 'organization_id IN (SELECT organization_id FROM projects WHERE id = ANY($1::uuid[]))';
  await server.sql(
    `UPDATE webhook_endpoints SET status = 'enabled', disabled_reason = NULL WHERE ${ofTenants}`,
    [projects],
  );
  await server.sql(
    `UPDATE deliveries SET status = 'delivered', finished_at = now() WHERE status = 'pending' AND ${ofTenants}`,
    [projects],
  );
  await server.sql(
    `INSERT INTO deliveries (id, organization_id, project_id, channel, event_id, recipient_id, status, due_at, finished_at)
     SELECT gen_random_uuid(), organization_id, project_id, 'webhook', event.id, endpoint.id, 'delivered', now(), now()
       FROM webhook_endpoints AS endpoint
       JOIN (SELECT * FROM events WHERE is_notified) AS event USING (organization_id, project_id)
      WHERE ${ofTenants}
         ON CONFLICT DO NOTHING`,
    [projects],
  );
}

beforeAll(async () => {
  const database = onPostgres ? 'PostgreSQL' : 'the embedded PostgreSQL';
  process.stdout.write(`fuzzing on ${database}: SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}\n`);
  document = await ServedDocument.of(server.url);
  const contract = await contractOf(server.url);
  let number = 0;
  neighbor = new FuzzedTenant(
    server.url,
    document,
    await makeIdentity(server),
    new Judge(contract, { canary: '\0', ids: new Set() }),
    { foreign: new Known(new Set()), replay: 'the neighbor', canary: () => `${canary}-${(number += 1)}` },
  );
  for (const operation of document.operations.filter(({ method }) => method !== 'DELETE'))
    await times(3, SEED, (choose) => neighbor.properly(operation, choose));
  const contents = await contentsOf(server);
  const ids = JSON.stringify(contents).match(UUID) ?? [];
  neighborsIds = new Set(ids.filter((id) => id !== DEFAULT_ORGANIZATION_ID));
  neighborsRows = rowsWith(contents, neighborsIds);
  judge = new Judge(contract, { canary, ids: neighborsIds });
  const identities = await Promise.all(Array.from({ length: TENANTS }, () => makeIdentity(server)));
  projects = identities.map(({ project_id }) => project_id);
  tenants = identities.map((identity, at) => {
    const replay = `SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}, tenant ${at},`;
    return new FuzzedTenant(server.url, document, identity, judge, { foreign: neighbor.known, replay });
  });
});
afterAll(() => [neighbor, ...tenants].forEach((tenant) => tenant.close()));

describe('fuzzed requests to every operation', () => {
  let growth = Infinity;

  it('return documented responses without data of another tenant', async () => {
    const started = performance.now();
    await fuzz(REQUESTS / 5, SEED);
    const warm = bytesInUse();
    await fuzz((REQUESTS * 4) / 5, SEED + TENANTS);
    growth = bytesInUse() - warm;
    for (const operation of document.operations) {
      if (operation.path.startsWith('/v1/deliveries')) await deliver();
      for (const is of wanted(operation)) await reach(operation, is);
    }
    const seconds = Math.round((performance.now() - started) / 1_000);
    const figures = [
      `${judge.count} requests in ${seconds} s`,
      `at most ${Math.round(judge.slowest)} ms of the processor each`,
      `${Math.round(growth / 1e6)} MB more in use`,
    ];
    process.stdout.write(`${reached()}\n${figures.join(', ')}, SEED=${SEED}\n`);
    expect([...judge.faults].map(([fault, where]) => `${fault}\n  ${where}`)).toEqual([]);
    expect(judge.count).toBeGreaterThanOrEqual(REQUESTS);
  }, 600_000);

  it('leak no memory', () => expect(growth).toBeLessThan(MAX_GROWTH));

  it('bring each operation to success and to each documented error', () => {
    const missing = document.operations.flatMap((operation) =>
      wanted(operation)
        .filter((is) => !isReached(operation, is))
        .map((is) => `${operation.id}: ${operation.statuses.find(is)}`),
    );
    expect(missing).toEqual([]);
  });

  it('change no row of another tenant', async () => {
    expect(Object.values(neighborsRows).flat().length).toBeGreaterThan(20);
    expect(rowsWith(await contentsOf(server), neighborsIds)).toEqual(neighborsRows);
  });

  it('create the resource of each 201 and delete it after 204', async () => {
    expect((await Promise.all(tenants.map((tenant) => tenant.contradictions()))).flat()).toEqual([]);
  });

  it('keep public pages readable and private ones hidden', async () => {
    const rows = await server.sql<{ slug: string; is_public: boolean; sections: unknown }[]>(
      `(SELECT slug, is_public FROM status_pages WHERE starts_with(slug, $1) LIMIT 2)
       UNION (SELECT slug, is_public FROM status_pages WHERE NOT starts_with(slug, $1) ORDER BY created_at DESC LIMIT 9)`,
      [canary],
    );
    expect(rows.length).toBeGreaterThan(2);
    for (const { slug, is_public } of rows) {
      const page = await visit(slug);
      expect([slug, page.status]).toEqual([slug, is_public ? 200 : 404]);
      for (const part of PARTS) {
        const { status, text } = await visit(slug + pathOf(part));
        expect([slug, pathOf(part), status]).toEqual([
          slug,
          pathOf(part),
          is_public ? expect.toBeOneOf([200, 404]) : 404,
        ]);
        if (!slug.startsWith(canary)) expect(text).not.toContain(canary);
      }
    }
  });

  it('return no 5xx and no private data for public pages', async () => {
    const [hidden] = await server.sql<{ slug: string }[]>(
      'SELECT slug FROM status_pages WHERE NOT is_public AND starts_with(slug, $1)',
      [canary],
    );
    await times(Math.ceil(REQUESTS / 40), SEED, async (choose) => {
      const parts = [hidden?.slug ?? 'none', ...pathOf(choose.one(PARTS)).split('/'), choose.from(nastyText)];
      const path = parts
        .filter(() => choose.chance(70))
        .map((part) => encodeURIComponent(part.toWellFormed()));
      const query = choose.chance(50)
        ? `?${choose.one(['preview', 'month', 'x'])}=${encodeURIComponent(choose.from(nastyText).toWellFormed())}`
        : '';
      const answer = await visit(`${path.join('/')}${query}`.slice(0, 8_000));
      expect([path, answer.status < 500, answer.text.includes(`${canary}-`)]).toEqual([path, true, false]);
    });
  });
});

const PARTS: Part[] = [
  { kind: 'history', month: new Date().toISOString().slice(0, 7) },
  ...FEED_FORMATS.map((format): Part => ({ kind: 'feed', format })),
  { kind: 'calendar' },
  ...API_DOCUMENTS.map((name): Part => ({ kind: 'api', document: name })),
  { kind: 'badge', format: 'svg' },
  { kind: 'badge', format: 'json' },
  { kind: 'og-image' },
  { kind: 'embed' },
  { kind: 'banner' },
];

type Matcher = (status: number) => boolean;

/** The statuses that requests aim at for each operation: success, and each documented status within reach. */
function wanted({ statuses }: Operation): Matcher[] {
  const others = statuses.filter((status) => status in TARGETED && !NOT_PROVOKED.has(status));
  return [
    (status) => status >= 200 && status < 300,
    ...others.map(
      (status): Matcher =>
        (one) =>
          one === status,
    ),
  ];
}

function isReached({ id }: Operation, is: Matcher): boolean {
  return [...(judge.statuses.get(id)?.keys() ?? [])].some(is);
}

async function reach(operation: Operation, is: Matcher): Promise<void> {
  const [tenant] = tenants;
  const status = operation.statuses.find(is) ?? 200;
  // A resource that cannot be deleted alone, such as the last of a list, can be deleted after another was created.
  const maker = document.find('POST', operation.path.replace(/\/[^/]+$/, ''));
  // No operation creates a delivery. The known ones can belong to deleted endpoints.
  const lister = operation.id === 'retryDelivery' ? document.find('GET', '/v1/deliveries') : undefined;
  // Few pages have a domain or a picture.
  const setter =
    operation.id === 'getDomain'
      ? document.find('PATCH', '/v1/status-pages/{id}/settings')
      : operation.method === 'DELETE'
        ? document.find('PUT', operation.path)
        : undefined;
  // Only a deleted page can be restored, and few are. A published draft is gone.
  const [, owner = '', action] = /^(.*)\/\{id\}\/(restore|publish)$/.exec(operation.path) ?? [];
  const before = [
    maker,
    setter,
    lister,
    document.find('POST', owner),
    action === 'restore' ? document.find('DELETE', `${owner}/{id}`) : undefined,
  ];
  for (let tries = 0; tries < TRIES && !isReached(operation, is); tries += 1)
    await times(1, SEED + tries, async (choose) => {
      for (const one of before) if (one) await tenant?.properly(one, choose);
      await (status < 300 ? tenant?.properly(operation, choose) : tenant?.aiming(operation, status, choose));
    });
}

/** The rows that contain one of the IDs, as JSON, by table. */
function rowsWith(contents: Record<string, object[]>, ids: ReadonlySet<string>): Record<string, string[]> {
  const has = (row: string): boolean => (row.match(UUID) ?? []).some((id) => ids.has(id));
  return Object.fromEntries(
    Object.entries(contents).map(([table, rows]) => [
      table,
      rows.map((row) => JSON.stringify(row)).filter(has),
    ]),
  );
}

/** Bytes in use after garbage collection, in the heap and outside. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A line for each operation: the number of responses per status, and the documented statuses that never occurred. */
function reached(): string {
  const rows = document.operations.map(({ id, statuses }) => {
    const counts = judge.statuses.get(id) ?? new Map<number, number>();
    const shown = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`);
    const rest = statuses.filter((status) => !counts.has(status) && !NOT_PROVOKED.has(status));
    return `${id.padEnd(26)} ${shown.join(' ')}${rest.length > 0 ? ` (never ${rest.join(', ')})` : ''}`;
  });
  return rows.join('\n');
}
