import type { Client } from 'pg';
import { type Database, withClient } from './databases.js';
import { insertPageOf30kB } from './herd-fill.js';
import { fillHistory } from './history-fill.js';
import { median } from './measure.js';
import { print } from './print.js';
import { BASELINES, baselineEnv, Server, SERVICE, serviceEnv } from './processes.js';
import { beforeMinuteEnds, textOf, visit, type Visits } from './visits.js';

const DOMAINS = 100_000;

/** The size of a run. */
interface Plan {
  rounds: number;
  seconds: number;
}

const FULL: Plan = { rounds: 10, seconds: 2 };
const QUICK: Plan = { rounds: 1, seconds: 1 };

const CONNECTIONS = 16;

/** Measures visits of a cached page by its domain, while 100,000 domains are verified. Returns the results as Markdown. */
export async function measureDomains({ url, organization_id }: Database, isQuick: boolean): Promise<string> {
  print('domains …');
  const { rounds, seconds } = isQuick ? QUICK : FULL;
  const draw = await withClient(url, (client) => fillHistory(client, organization_id));
  const servers: Server[] = [];
  const start = async (starting: Promise<Server>) => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  try {
    const first = await start(Server.start(SERVICE.server, (port) => serviceEnv(url, port)));
    const sizeOf = async (slug: string) => (await textOf(`${first.url}/status/${slug}`)).length;
    const slug = await withClient(url, (client) => insertPageOf30kB(client, draw.few_runs_page, sizeOf));
    const domain = await withClient(url, (client) => insertDomains(client, slug));
    const path = `/status/${slug}`;
    await first.stop();
    const service = await start(Server.start(SERVICE.server, (port) => serviceEnv(url, port)));
    const bare = await start(
      Server.start(
        BASELINES.herd,
        (port) => ({ ...baselineEnv(url, port, organization_id), PAGE_URL: service.url + path }),
        { path },
      ),
    );
    const contenders: { url: string; headers: Record<string, string> }[] = [
      { url: `${service.url}/`, headers: { Host: domain } },
      { url: service.url + path, headers: {} },
      { url: bare.url + path, headers: {} },
    ];
    const found: Record<'rate' | 'p50', number[]> = { rate: [], p50: [] };
    const rates: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const results: Visits[] = [];
      for (const contender of contenders) {
        await beforeMinuteEnds(seconds);
        const load = { connections: CONNECTIONS, seconds, headers: contender.headers };
        const visits = await visit(contender.url, load);
        if (visits.failed > 0) throw new Error(`${visits.failed} visits of ${contender.url} failed`);
        results.push(visits);
      }
      const [byDomain, bySlug, byBare] = results;
      if (round === 0 || !byDomain || !bySlug || !byBare) continue; // the warm-up
      found.rate.push(byDomain.rate / byBare.rate);
      found.p50.push(byDomain.p50 / bySlug.p50);
      rates.push(byDomain.rate);
    }
    const rate = Math.round(median(rates)).toLocaleString('en');
    return [
      `| ${DOMAINS.toLocaleString('en')} domains | found | target |`,
      '| --- | --- | --- |',
      `| page of 30 kB by its domain, ${CONNECTIONS} connections, against bare node:http | ${median(found.rate).toFixed(2)} (${rate} a second) | at least 0.6 |`,
      `| the same, p50 against that by its slug | ${median(found.p50).toFixed(2)} | at most 1.1 |`,
    ].join('\n');
  } finally {
    for (const server of servers) await server.stop();
  }
}

/**
 * Inserts pages with verified domains, and gives one to a page.
 * @returns the domain of the page
 */
async function insertDomains(client: Client, slug: string): Promise<string> {
  await client.query(
    `INSERT INTO status_pages (id, organization_id, project_id, name, slug, custom_domain)
     SELECT gen_random_uuid(), organization_id, project_id, 'Page ' || n, 'with-domain-' || n, 'status-' || n || '.customer.example'
       FROM status_pages, generate_series(1, $2::int) AS n
      WHERE slug = $1`,
    [slug, DOMAINS - 1],
  );
  const domain = 'status.acme.example';
  await client.query('UPDATE status_pages SET custom_domain = $2 WHERE slug = $1', [slug, domain]);
  await client.query(`UPDATE status_page_domains SET status = 'verified', verified_at = now()`);
  await client.query(`UPDATE domain_changes SET changed_at = now() - interval '1 day'`);
  await client.query('VACUUM ANALYZE');
  return domain;
}
