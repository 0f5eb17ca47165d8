import { beforeAll, describe, expect, it } from 'vitest';
import { ServedDocument } from '../fuzz/served-document.js';
import { constraintsOf, tablesWith } from '../support/catalogue.js';
import { connectTo } from '../support/database.js';
import { byTable, type Fields, make, resourceOf, RESOURCES, visible } from '../support/resources.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { type Tenant, until, useTestServer } from '../support/server.js';

const server = useTestServer();
let tenant: Tenant;
let document: ServedDocument;

beforeAll(async () => {
  tenant = await server.tenant();
  document = await ServedDocument.of(server.url);
});

/** Foreign keys that prevent the deletion of the owner, except between resources and their project. */
const REFUSING: Record<string, string> = {
  checks_project_fkey: 'the monitor of the check keeps the project',
  monitors_draft_template_id_project_fkey: 'a monitor makes drafts from the template; 409 names the monitor',
};

describe('deletion of an owner', () => {
  it('deletes its rows, unless a resource keeps its project', async () => {
    const tables = new Set(await tablesWith(server, 'organization_id'));
    const keys = (await constraintsOf(server)).filter(
      ({ kind, target }) => kind === 'f' && tables.has(target ?? ''),
    );
    // A resource with another owner, such as a status page, is deleted with it and so cannot keep the project.
    const hasOtherOwner = (table: string) =>
      keys.some((key) => key.table === table && key.target !== 'projects' && key.cascades);
    const keeps = ({ table, target }: (typeof keys)[number]) => {
      const resource = RESOURCES.find((one) => one.table === table);
      const isKept = resource !== undefined && resource.goesWithProject === undefined;
      return target === 'projects' && isKept && !hasOtherOwner(table);
    };
    // `test/resources/changes.test.ts` tests the other direction: a project with such a resource is not deleted.
    const refusing = keys.filter((key) => !key.cascades && !keeps(key)).map(({ name }) => name);
    expect(refusing.toSorted()).toEqual(Object.keys(REFUSING).toSorted());
    expect(keys.filter(keeps).length).toBeGreaterThan(0);
  });
});

/** The table of a resource by the name in its ID fields, such as `template` for `incident_templates`. */
function tableOf(name: string): string {
  const words = [name, name.slice(name.lastIndexOf('_') + 1)]; // `template` of `draft_template`
  const plurals = words.flatMap((word) => [`${word}s`, `${word}es`, word.replace(/y$/, 'ies')]);
  const tables = RESOURCES.map(({ table }) => table);
  const found = tables.find((table) => plurals.some((one) => table === one || table.endsWith(`_${one}`)));
  return found ?? `${name}s`;
}

/** The resources whose ID a POST requires: the fields and their tables. */
function ownersOf(path: string): { field: string; table: string }[] {
  const schema = document.find('POST', path)?.body?.schema;
  const { required = [] } = schema ? document.resolve(schema) : {};
  return required.flatMap((field) => {
    const name = /^(\w+)_id$/.exec(field)?.[1];
    return name === undefined ? [] : [{ field, table: tableOf(name) }];
  });
}

/** The fields of a POST that name one resource of the project. */
function namesIn(path: string): { field: string; table: string }[] {
  const schema = document.find('POST', path)?.body?.schema;
  const { properties = {} } = schema ? document.resolve(schema) : {};
  return Object.keys(properties).flatMap((field) => {
    const name = /^(\w+)_id$/.exec(field)?.[1];
    const isOfProject = name !== undefined && name !== 'project';
    return isOfProject ? [{ field, table: tableOf(name) }] : [];
  });
}

describe('POST', () => {
  it('rejects a resource of another project with 400 and its field, like an unknown one', async () => {
    const others = [
      { ...tenant, project_id: await server.project(tenant.organization_id) },
      await server.tenant(),
    ];
    const checked: string[] = [];
    for (const { path, create, owner } of RESOURCES.filter((one) => one.owner === 'project')) {
      const sample = { ...(await create(server, tenant)), project_id: tenant.project_id };
      for (const { field, table } of namesIn(path)) {
        const send = (id: string) =>
          server.ask<unknown>(path, { method: 'POST', key: tenant.key, json: { ...sample, [field]: id } });
        const unknown = await send(UNKNOWN_ID);
        const code = expect.stringMatching(/^unknown_/);
        const errors = [expect.objectContaining({ code, pointer: `#/${field}` })];
        expect([path, owner, unknown.status, unknown.body.errors]).toEqual([path, owner, 400, errors]);
        for (const other of others) {
          const answer = await send((await make(server, other, resourceOf(table))).id);
          expect([path, visible(answer)]).toEqual([path, visible(unknown)]);
        }
        checked.push(`${path} ${field}`);
      }
    }
    expect(checked).toContain('/v1/webhook-endpoints status_page_id');
  });
});

describe('POST whose owner is deleted after its lookup', { tags: ['postgres'] }, () => {
  it.each(byTable(RESOURCES.filter(({ owner }) => owner !== 'organization')))(
    'returns the response for an unknown owner for %s',
    async (_table, { path, create, owner }) => {
      const all = ownersOf(path);
      expect(all.length).toBeGreaterThan(0);
      // A project that has another owner, such as a status page, is not deleted.
      const isChild = all.length > 1;
      const owners = all.filter(({ field }) => !isChild || field !== 'project_id');
      for (const { field, table } of owners) {
        const project_id = await server.project(tenant.organization_id);
        const sample: Fields = {
          ...(await create(server, isChild ? { ...tenant, project_id } : tenant)),
          ...(owner === 'project' && { project_id }),
        };
        // Without lists, which refer to resources of another project.
        const json = Object.fromEntries(Object.entries(sample).filter(([, value]) => !Array.isArray(value)));
        const { DATABASE_URL = '', DATA_DIR = '' } = server.env;
        const client = await connectTo({
          env: { DATABASE_URL, DATA_DIR, EMBEDDED: '' },
          drop: async () => undefined,
        });
        try {
          await client.query('BEGIN');
          await client.query(`DELETE FROM ${table} WHERE id = $1`, [sample[field]]);
          const sent = server.ask<unknown>(path, { method: 'POST', key: tenant.key, json });
          const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
          await until(async () => {
            const waiting = await server.sql<unknown[]>(
              'SELECT FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))',
              [rows[0]?.pid],
            );
            return waiting.length > 0;
          });
          await client.query('COMMIT');
          const { status, body } = await sent;
          const missing = field === `${owner}_id` ? [404, 'not_found'] : [400, 'validation_failed'];
          expect([field, status, body.code]).toEqual([field, ...missing]);
        } finally {
          await client.end();
        }
      }
    },
  );
});
