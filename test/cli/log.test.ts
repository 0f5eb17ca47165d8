import { describe, expect, it } from 'vitest';
import type { Event } from '../../clients/typescript/src/index.js';
import { statementsOf } from '../support/statements.js';
import { UNKNOWN_ID, useCli } from './use-cli.js';

const { server, expectFault } = useCli();

/** An organization with events, one a minute. */
async function withEvents(count: number): Promise<string> {
  const { organization_id, project_id } = await server.tenant();
  await server.sql(
    `INSERT INTO events (id, organization_id, project_id, type, resource_id, data, created_at)
     SELECT gen_random_uuid(), $1, $2, CASE WHEN n % 2 = 0 THEN 'status_page.updated' ELSE 'incident.created' END,
            gen_random_uuid(), jsonb_build_object('n', n), '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'
       FROM generate_series(1, $3::integer) AS n`,
    [organization_id, project_id, count],
  );
  return organization_id;
}

/** Exports the log of an organization. Returns the numbers of its events. */
async function exported(organization: string, ...options: string[]): Promise<unknown[]> {
  const { code, stdout, stderr } = await server.cli(
    'log',
    'export',
    '--organization',
    organization,
    ...options,
  );
  expect(code).toBe(0);
  const lines = stdout.split('\n').slice(0, -1);
  expect(stderr).toContain(`${JSON.stringify({ organization_id: organization, events: lines.length })}\n`);
  return lines.flatMap((line) => {
    const event: Event = JSON.parse(line);
    return event.data['n'] ?? []; // without the events of the tenant itself
  });
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('cli log export', () => {
  it('prints all events of an organization as JSON Lines, oldest first, some per statement', async () => {
    const organization = await withEvents(450);
    await withEvents(3);
    let found: unknown[] = [];
    const statements = await statementsOf(async () => {
      found = await exported(organization);
    });
    expect(found).toEqual(upTo(450));
    // The process of the command has its own connection, unless the database is embedded.
    expect(statements.filter((text) => /LATERAL/.test(text)).length).toBeLessThanOrEqual(3);
  });

  it('prints the events from a time, and before another', async () => {
    const organization = await withEvents(5);
    const [from, to] = ['2026-01-01T00:02:00Z', '2026-01-01T01:04:00+01:00'];
    expect(await exported(organization, '--from', from, '--to', to)).toEqual([2, 3]);
    expect(await exported(organization, '--from', '2026-01-01', '--to', '2026-01-02')).toEqual(upTo(5));
    expect(await exported(organization, '--to', '2025-12-31')).toEqual([]);
  });

  it('rejects an unknown organization and a range without time', async () => {
    await expectFault(/does not exist/, 'log', 'export', '--organization', UNKNOWN_ID);
    const range = ['--from', '2026-01-02', '--to', '2026-01-02'];
    await expectFault(/--to must be after --from/, 'log', 'export', ...range);
  });
});
