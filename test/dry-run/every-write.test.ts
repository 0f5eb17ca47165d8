import { beforeAll, describe, expect, it } from 'vitest';
import { hashesOf } from '../support/catalogue.js';
import { coveredRoutes, everyOperation, type Operation } from '../support/resources.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

/** Operations whose effect is outside of the database. */
const EXCLUDED = [
  'POST /v1/checks/:id/run',
  'POST /v1/receivers/bounces',
  'POST /v1/status-pages/:id/domain/verify',
  'POST /v1/webhook-endpoints/:id/test',
];

/** Values of a response that differ between two requests: IDs, times, tokens and keys. */
const plain = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replaceAll(/\b(sp|whsec|al|pl)_[\w+/=-]+/g, 'SECRET')
    .replaceAll(/("(?:url|token|prefix|slug)":)"[^"]*"/g, '$1"…"');

/** Whether it is a write. An import has its own dry run, whose response is a report. */
const isWithDryRun = (route: string) =>
  !route.startsWith('GET') && !route.includes('/v1/imports/') && !EXCLUDED.includes(route);

describe('a dry run of each write operation', () => {
  const operations: Operation[] = [];
  beforeAll(async () => {
    operations.push(...(await everyOperation(server, tenant)));
  });

  it('returns the status and the body of the write, and leaves every table as it was', async () => {
    const writes = operations.filter(({ route }) => isWithDryRun(route));
    const covered = coveredRoutes().filter((route) => isWithDryRun(route));
    expect([...new Set(writes.map(({ route }) => route))].toSorted()).toEqual(
      [...new Set(covered)].toSorted(),
    );
    for (const { route, path, ask } of writes) {
      const before = await hashesOf(server);
      const url = `${path}${path.includes('?') ? '&' : '?'}dry_run=true`;
      const dry = await server.ask<{ data?: unknown; dry_run?: { changes: object[] } }>(url, {
        ...ask,
        key: tenant.key,
      });
      const after = await hashesOf(server);
      expect.soft([route, ask, after]).toEqual([route, ask, before]);
      const wet = await server.ask(path, { ...ask, key: tenant.key });
      expect
        .soft([route, dry.status, dry.status < 300 ? dry.headers.get('dry-run') : 'true'])
        .toEqual([route, wet.status, 'true']);
      const { dry_run, ...body } = dry.body;
      if (wet.status < 300 && wet.text !== '') {
        expect.soft([route, plain(JSON.stringify(body))]).toEqual([route, plain(JSON.stringify(wet.body))]);
        expect
          .soft([route, dry_run])
          .toMatchObject([route, { changes: expect.any(Array), notifications: { email: 0 } }]);
      }
      expect([route, wet.headers.get('dry-run')]).toEqual([route, null]);
    }
  });

  it('returns 400 if the effect is outside of the database', async () => {
    for (const route of EXCLUDED) {
      const operation = operations.find((one) => one.route === route);
      const answer = await server.ask(`${operation?.path}?dry_run=true`, {
        ...operation?.ask,
        key: tenant.key,
      });
      expect([route, answer.status, answer.body.code]).toEqual([route, 400, 'dry_run_not_possible']);
    }
  });
});
