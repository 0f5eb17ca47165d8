import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnsOf } from '../support/catalogue.js';
import { contractOf } from '../support/contract.js';
import { useTestServer } from '../support/server.js';
import { choices } from './choices.js';
import { FuzzedTenant } from './fuzzed-tenant.js';
import { makeIdentity } from './identity.js';
import { Judge } from './judge.js';
import { Known } from './known.js';
import { objectOf } from './nasty.js';
import { type Schema, ServedDocument } from './served-document.js';

const SEED = 13;
const PROTOTYPES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', 'then'];

const server = useTestServer({ RATE_LIMIT: '0' });
let document: ServedDocument;
let tenant: FuzzedTenant;
let columns: string[];

beforeAll(async () => {
  document = await ServedDocument.of(server.url);
  const judge = new Judge(await contractOf(server.url), { canary: '\0', ids: new Set() });
  tenant = new FuzzedTenant(server.url, document, await makeIdentity(server), judge, {
    foreign: new Known(new Set()),
    replay: '',
  });
  columns = [...new Set((await columnsOf(server)).map(({ column }) => column))];
  for (const operation of document.operations.filter(({ method }) => method === 'POST'))
    await fc.assert(
      fc.asyncProperty(choices(), async (choose) => void (await tenant.properly(operation, choose))),
      { numRuns: 2, seed: SEED },
    );
});
afterAll(() => tenant.close());

/** The names of all properties of a schema, at any depth. */
function namesIn(schema: Schema): string[] {
  const { properties = {}, items, oneOf = [], anyOf = [], allOf = [] } = document.resolve(schema);
  const children = [...Object.values(properties), ...(items ? [items] : []), ...oneOf, ...anyOf, ...allOf];
  return [...Object.keys(properties), ...children.flatMap(namesIn)];
}

describe('request body', () => {
  it('rejects every undocumented field, such as a column or a prototype name', async () => {
    let objects = 0;
    for (const operation of document.operations) {
      const schema = operation.body && document.resolve(operation.body.schema);
      if (!schema || (schema.additionalProperties !== false && !schema.properties)) continue; // a file
      const own = new Set(namesIn(schema));
      const names = [...columns, ...PROTOTYPES].filter((name) => !own.has(name));
      const unknown = objectOf(names.map((name) => [name, true]));
      await fc.assert(
        fc.asyncProperty(choices(), async (choose) => {
          for (const { status, object, text } of await tenant.withProperties(operation, unknown, choose)) {
            const { errors = [] }: { errors?: { code: string; pointer: string }[] } = JSON.parse(text);
            const unknown_fields = errors.filter(({ code }) => code === 'unknown_field');
            const refused = new Set(unknown_fields.map(({ pointer }) => pointer));
            const accepted = names.filter((name) => !refused.has(`#${object}/${name}`));
            expect([operation.id, object, status, accepted]).toEqual([operation.id, object, 400, []]);
            objects += 1;
          }
        }),
        { numRuns: 3, seed: SEED },
      );
    }
    expect(objects).toBeGreaterThan(60);
  });
});
