import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Program } from '../support/process.js';
import { LONGEST_TURN_MS, MeasuredProgram } from '../support/turns.js';
import { useVisits } from './use-visits.js';

const { server, tenant, pageOf, incident, send } = useVisits();

const MONITORS = 1_000;
const SECTIONS = 200;
const DAYS = 90;
const PAGES = 4;
/** 10,000 characters that take markdown-it the longest time. */
const SLOW_MARKDOWN = '[a'.repeat(5_000);

let program: MeasuredProgram;
let pages: { id: string; slug: string }[];
let incidentId: string;

beforeAll(async () => {
  const { organization_id } = tenant;
  const monitors = await server.monitors(tenant, MONITORS);
  await server.sql(`UPDATE monitors SET name = rpad(name, 200, ' & so on'), description = repeat('<b>', 600)
                     WHERE organization_id = $1`, [organization_id]); // prettier-ignore
  await server.sql(
    `INSERT INTO monitor_states (organization_id, monitor_id, closed_before)
     SELECT $1, monitor_id, current_date::timestamp AT TIME ZONE 'UTC' FROM unnest($2::uuid[]) AS monitor_id`,
    [organization_id, monitors],
  );
  // Consecutive days differ, so each day is a row.
  for (let first = 0; first < MONITORS; first += 100)
    await server.sql(
      `INSERT INTO monitor_days
       (organization_id, monitor_id, day, operational, degraded_performance, partial_outage, major_outage, under_maintenance, unknown, rules_version)
     SELECT $1, monitor_id, current_date - n, 86000 - n, n, 100, 100, 100, 100, 3
       FROM unnest($2::uuid[]) AS monitor_id, generate_series(1, $3::int) AS n`,
      [organization_id, monitors.slice(first, first + 100), DAYS],
    );
  const affected = Object.fromEntries(monitors.slice(0, 100).map((id) => [id, 'major_outage']));
  for (let count = 0; count < 3; count++) {
    ({ id: incidentId } = await incident(affected, { body: SLOW_MARKDOWN }));
    const update = { status: 'identified', body: SLOW_MARKDOWN };
    await send('POST', `/v1/incidents/${incidentId}/updates`, update);
  }
  const sections = Array.from({ length: SECTIONS }, (_, place) => ({
    id: `section-${place}`,
    title: `Section ${place} `.repeat(10),
    monitor_ids: monitors.slice((place * MONITORS) / SECTIONS, ((place + 1) * MONITORS) / SECTIONS),
  }));
  const description = '😀'.repeat(2_000);
  pages = [];
  for (let count = 0; count < PAGES; count++) pages.push(await pageOf([], { sections, description }));
  program = await MeasuredProgram.start(server.databaseEnv);
});

afterAll(() => Program.killAll());

/** Longest event loop block by the first request of a kind for each page. */
const turnOf = (request: (page: { id: string; slug: string }) => Promise<Response>) =>
  program.turnOf(PAGES, (index) => request(pages[index] ?? { id: '', slug: '' }));

describe('the first request for a part of the largest page', () => {
  it.each([
    ['the page', () => ''],
    ['an incident', () => `/incidents/${incidentId}`],
    ['the RSS feed', () => '/feed.rss'],
    ['the Atom feed', () => '/feed.atom'],
    ['a month', () => '/history'],
    ['the summary for API clients', () => '/api/v2/summary.json'],
    ['the badge', () => '/badge.svg'],
  ])('keeps other requests fast: %s', { timeout: 120_000 }, async (_, pathOf) => {
    const turn = await turnOf(({ slug }) => fetch(`${program.url}/status/${slug}${pathOf()}`));
    expect(turn).toBeLessThan(LONGEST_TURN_MS);
  });

  it('keeps other requests fast: its summary in the API', { timeout: 120_000 }, async () => {
    const headers = { Authorization: `Bearer ${tenant.key}` };
    const turn = await turnOf(({ id }) => fetch(`${program.url}/v1/status-pages/${id}/summary`, { headers }));
    expect(turn).toBeLessThan(LONGEST_TURN_MS);
  });
});
