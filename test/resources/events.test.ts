import { beforeAll, describe, expect, it } from 'vitest';
import { ServedDocument } from '../fuzz/served-document.js';
import {
  byTable,
  type Operation,
  operationsOf,
  otherOperations,
  PARTS,
  RESOURCES,
  resourceOf,
  make,
  sampleOf,
} from '../support/resources.js';
import { EVENT_TYPES } from '../../src/events/event-types.js';
import { type Tenant, useTestServer } from '../support/server.js';
import { type Statement, statementsWithValuesOf } from '../support/statements.js';

const server = useTestServer();
let tenant: Tenant;
let document: ServedDocument;

beforeAll(async () => {
  tenant = await server.tenant();
  document = await ServedDocument.of(server.url);
  // So that events that only endpoints get are due.
  await make(server, tenant, resourceOf('webhook_endpoints'));
});

/** Writes to a table other than `events`. */
const CHANGES = new RegExp(
  `\\b(INSERT INTO|UPDATE|DELETE FROM)\\s+"?(${[...RESOURCES.map(({ table }) => table), ...PARTS, 'deliveries'].join('|')})\\b`,
);
const BEGINS = /^(BEGIN|START TRANSACTION)/i;
const ENDS = /^(COMMIT|ROLLBACK)$/i;

/** Returns the statements of the transaction that contains the statement at a place. A statement alone is a transaction. */
function transactionOf(statements: Statement[], at: number): string[] {
  const connection = statements[at]?.connection;
  const own = statements
    .map(({ text, connection: one }, place) => ({ text, place, isOwn: one === connection }))
    .filter(({ isOwn }) => isOwn);
  const first = own.findLast(({ text, place }) => place <= at && (BEGINS.test(text) || ENDS.test(text)));
  if (!first || !BEGINS.test(first.text))
    return own.filter(({ place }) => place === at).map(({ text }) => text);
  const last = own.find(({ text, place }) => place > at && ENDS.test(text));
  return own
    .filter(({ place }) => place >= first.place && place <= (last?.place ?? Infinity))
    .map(({ text }) => text);
}

const send = ({ path, ask }: Operation, json = ask.json) =>
  server.ask(path, { ...ask, key: tenant.key, ...(json && { json }) });

/** Each resource, and the operations without a resource. */
const GROUPS: [name: string, operations: () => Promise<Operation[]>][] = [
  ...byTable(RESOURCES).map(([table, resource]): [string, () => Promise<Operation[]>] => [
    table,
    async () => operationsOf(resource, await sampleOf(server, tenant, resource)),
  ]),
  ['others', () => otherOperations(server, tenant)],
];

describe('a write', () => {
  let found = 0;

  it.each(GROUPS)('records events of %s in the transaction of their change', async (_name, operations) => {
    for (const operation of (await operations()).filter(({ ask }) => (ask.method ?? 'GET') !== 'GET')) {
      const { route } = operation;
      let status = 0;
      const statements = await statementsWithValuesOf(async () => {
        ({ status } = await send(operation));
      });
      expect([route, status < 400]).toEqual([route, true]);
      for (const [at, { text }] of statements.entries()) {
        if (!/\bINSERT INTO events\b/.test(text)) continue;
        found += 1;
        const transaction = transactionOf(statements, at);
        expect([route, transaction, transaction.some((one) => CHANGES.test(one))]).toEqual([
          route,
          transaction,
          true,
        ]);
      }
    }
  });

  it('records events in at least eight operations', () => {
    expect(found).toBeGreaterThanOrEqual(8);
  });
});

/** Whether the body of an operation contains `notify`. */
function hasNotify({ route, ask }: Operation): boolean {
  const [method = '', path = ''] = route.replaceAll(/:(\w+)/g, '{$1}').split(' ');
  const schema = ask.json && document.find(method, path)?.body?.schema;
  return schema !== undefined && 'notify' in (document.resolve(schema).properties ?? {});
}

/** IDs of the tenant's events, and whether each causes deliveries. */
async function eventsNow(): Promise<Map<string, boolean>> {
  const rows = await server.sql<{ id: string; is_due: boolean }[]>(
    `SELECT id, is_notified OR due_at IS NOT NULL AS is_due FROM events WHERE organization_id = $1 AND type = ANY($2)`,
    [tenant.organization_id, EVENT_TYPES],
  );
  return new Map(rows.map(({ id, is_due }) => [id, is_due]));
}

describe('notify', () => {
  it.each(GROUPS)(
    'in writes of %s decides whether its events cause deliveries',
    async (_name, operations) => {
      for (const notify of [false, true]) {
        let isTaken = false;
        let recorded = 0;
        for (const operation of await operations()) {
          const { route, ask } = operation;
          const takes = hasNotify(operation);
          const before = await eventsNow();
          const { status, text } = await send(operation, takes ? { ...ask.json, notify } : ask.json);
          expect([route, status < 400, text]).toEqual([route, true, text]);
          if (!takes) continue;
          isTaken = true;
          for (const [id, isDue] of await eventsNow()) {
            if (before.has(id)) continue;
            recorded += 1;
            expect([route, notify, isDue]).toEqual([route, notify, notify]);
          }
        }
        expect([notify, recorded > 0]).toEqual([notify, isTaken]);
      }
    },
  );
});
