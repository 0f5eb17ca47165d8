import { beforeAll, describe, expect, it } from 'vitest';
import { type Statement, statementsWithValuesOf } from '../support/statements.js';
import { useVisits } from './use-visits.js';

const { server, tenant, send, monitor, monitorIn, pageOf, incident, visit, summaryOf } = useVisits();

const list = (filter: string) => send('GET', `/v1/incidents?project_id=${tenant.project_id}&${filter}`);

/** Number of unrelated incidents: by another monitor, on another page, on no page. Every second one is open. */
const FEW = 1_000;
const MANY = 4_000;
const AT_ONCE = 500;

const INSERT = `WITH made AS (
       INSERT INTO incidents (id, organization_id, project_id, title, status, impact, monitors, started_at, resolved_at, status_page_ids)
       SELECT gen_random_uuid(), $1, $2, 'Foreign', CASE number % 2 WHEN 0 THEN 'identified' ELSE 'resolved' END, 'minor', '[]',
              now() - number * interval '1 minute', CASE number % 2 WHEN 1 THEN now() END,
              CASE number % 3 WHEN 0 THEN ARRAY[$4::uuid] WHEN 1 THEN '{}'::uuid[] END
         FROM generate_series(1, $5::int) AS number
       RETURNING organization_id, id, status, started_at, resolved_at, status_page_ids
     ), updates AS (
       INSERT INTO incident_updates (id, organization_id, incident_id, status, body, posted_at)
       SELECT gen_random_uuid(), organization_id, id, status, 'Foreign', started_at FROM made
     )
     INSERT INTO incident_impacts (organization_id, incident_id, monitor_id, status, started_at, ended_at)
     SELECT organization_id, id, $3, 'partial_outage', started_at, resolved_at FROM made WHERE status_page_ids IS NULL`;

/** Creates incidents in the project. */
async function makeForeign(count: number, monitor_id: string, page_id: string): Promise<void> {
  const { organization_id, project_id } = tenant;
  const values = [organization_id, project_id, monitor_id, page_id, AT_ONCE];
  for (let made = 0; made < count; made += AT_ONCE) await server.sql(INSERT, values);
  await server.sql('VACUUM ANALYZE incidents, incident_updates, incident_impacts');
}

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** Returns the number of blocks that the statements about incidents read. */
async function blocksOf(statements: Statement[]): Promise<number> {
  let blocks = 0;
  for (const { text, values } of statements) {
    if (!text.startsWith('SELECT') || !text.includes('incident')) continue;
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`;
    await server.sql(explain, values); // also reads the catalog
    const [row] = await server.sql<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(explain, values);
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    blocks += (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
  }
  return blocks;
}

describe('the incidents of a page', () => {
  let page: { id: string; slug: string };
  let own: string;
  let foreign: { monitor_id: string; page_id: string };

  beforeAll(async () => {
    own = await monitor();
    page = await pageOf([own]);
    for (let index = 0; index < 10; index++) {
      await incident({ [own]: 'degraded_performance' });
      await incident({}, { status_page_ids: [page.id] });
      await incident({});
    }
    foreign = { monitor_id: await monitorIn('operational'), page_id: (await pageOf([])).id };
  });

  it('read the same number of blocks, independent of other incidents in the project', async () => {
    const parts = {
      feed: () => visit(`${page.slug}/feed.atom`),
      overview: () => visit(page.slug),
      summary: () => summaryOf(page.id),
      'list of a page': () => list(`status_page_id=${page.id}`),
      'list of a monitor': () => list(`monitor_id=${own}`),
      'list of a page and a monitor': () => list(`status_page_id=${page.id}&monitor_id=${own}&open=true`),
    };
    const statements = new Map<string, Statement[]>();
    for (const [name, read] of Object.entries(parts))
      statements.set(name, await statementsWithValuesOf(read));
    const measure = async (count: number) => {
      await makeForeign(count, foreign.monitor_id, foreign.page_id);
      const blocks = new Map<string, number>();
      for (const [name, all] of statements) blocks.set(name, await blocksOf(all));
      return blocks;
    };
    const few = await measure(FEW);
    const many = await measure(MANY - FEW);
    for (const name of Object.keys(parts)) {
      expect(few.get(name)).toBeGreaterThan(0);
      // The depth of an index adds some.
      expect(many.get(name)).toBeLessThanOrEqual(1.2 * (few.get(name) ?? NaN) + 5);
    }
  });
});
