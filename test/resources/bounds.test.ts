import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Fields, resourceOf } from '../support/resources.js';
import { type Tenant, useTestServer } from '../support/server.js';

// Status pages: test/status-pages/create.test.ts and update-fields.test.ts. Times: the tests of their resource.

const server = useTestServer();
let tenant: Tenant;

beforeAll(async () => {
  tenant = await server.tenant();
});

const text = (length: number): string => '🚀'.repeat(length);
const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
const affected = (count: number): Fields[] =>
  ids(count).map((monitor_id) => ({ monitor_id, status: 'major_outage' }));

/** A field, the values at its bounds, and those just beyond with the error that they are. */
type Bounds = [
  table: string,
  field: string,
  allowed: unknown[],
  refused: [value: unknown, code: 'too_short' | 'too_long' | 'out_of_range'][],
];

const ofText = (table: string, field: string, min: number, max: number): Bounds => {
  const refused: Bounds[3] = [[text(max + 1), 'too_long']];
  if (min > 0) refused.push([text(min - 1), 'too_short']);
  return [table, field, [text(min), text(max)], refused];
};

const ofList = (table: string, field: string, max: number, make: (count: number) => unknown[]): Bounds => [
  table,
  field,
  [make(1), make(max)],
  [[make(max + 1), 'too_long']],
];

// As docs/api.md says.
const BOUNDS: Bounds[] = [
  ofText('projects', 'name', 1, 200),
  ofText('monitors', 'name', 1, 200),
  ofText('monitors', 'description', 0, 2_000),
  [
    'monitors',
    'stale_after_seconds',
    [60, 604_800, null],
    [
      [59, 'out_of_range'],
      [604_801, 'out_of_range'],
    ],
  ],
  ofText('incidents', 'title', 1, 200),
  ofText('incidents', 'body', 1, 10_000),
  ofText('incidents', 'postmortem', 1, 50_000),
  ofList('incidents', 'monitors', 100, affected),
  ofList('incidents', 'status_page_ids', 100, ids),
  ofText('maintenances', 'title', 1, 200),
  ofText('maintenances', 'body', 0, 10_000),
  ofList('maintenances', 'monitor_ids', 100, ids),
  ofList('maintenances', 'status_page_ids', 100, ids),
  ofText('api_keys', 'name', 1, 200),
  ofList('api_keys', 'project_ids', 1_000, ids),
];

describe('the fields of new resources', () => {
  it.each(BOUNDS)('%s.%s takes values at its bounds, and none beyond', async (table, field, ...values) => {
    const resource = resourceOf(table);
    const [allowed, refused] = values;
    const errorsOf = async (value: unknown) => {
      const fields = { ...(await resource.create(server, tenant)), [field]: value };
      const json = resource.owner === 'project' ? { ...fields, project_id: tenant.project_id } : fields;
      const { body } = await server.ask<unknown>(resource.path, { method: 'POST', key: tenant.key, json });
      return (body.errors ?? []).map(({ code, pointer }) => [code, pointer]);
    };
    // Ids of what does not exist are an error of their own, each.
    for (const value of allowed)
      expect((await errorsOf(value)).filter(([code]) => !code?.startsWith('unknown_'))).toEqual([]);
    for (const [value, code] of refused) expect(await errorsOf(value)).toEqual([[code, `#/${field}`]]);
  });
});
