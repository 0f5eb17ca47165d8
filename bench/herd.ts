import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DatabaseProxy } from '../test/support/proxy.js';
import { type Database, withClient } from './databases.js';
import { insertLargePage, insertPageOf30kB } from './herd-fill.js';
import { fillHistory, type HistoryDraw } from './history-fill.js';
import { median } from './measure.js';
import { print } from './print.js';
import { BASELINES, baselineEnv, Server, SERVICE, serviceEnv, V8_FLAGS } from './processes.js';
import type { Rendering } from './rendering.js';
import { beforeMinuteEnds, type Load, textOf, visit } from './visits.js';

const RENDERING = fileURLToPath(new URL('rendering.js', import.meta.url));
const STATUSES = ['operational', 'degraded_performance', 'partial_outage', 'major_outage'];
/** The number of status changes among 1,000 reports. */
const CHANGES = 10;

/** The size of a run. */
interface Plan {
  rounds: number;
  seconds: number;
  renderings: number;
  changes: number;
  /** Seconds without PostgreSQL. In a full run, they include the end of a minute. */
  outage: number;
}

const FULL: Plan = { rounds: 10, seconds: 2, renderings: 100, changes: 20, outage: 62 };
const QUICK: Plan = { rounds: 1, seconds: 1, renderings: 2, changes: 1, outage: 2 };

/** A row of the results. */
interface Row {
  what: string;
  found: string;
  target: string;
}

/** Measures visits of a public page. Returns the results as Markdown. */
export async function measureHerd(database: Database, isQuick: boolean): Promise<string> {
  print('the herd …');
  const { url, organization_id } = database;
  const draw = await withClient(url, (client) => fillHistory(client, organization_id));
  const large = await withClient(url, (client) => insertLargePage(client, organization_id, draw.project_id));
  const proxy = await DatabaseProxy.start(url);
  const servers: Server[] = [];
  const start = async (starting: Promise<Server>) => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  try {
    const service = await start(Server.start(SERVICE.server, (port) => serviceEnv(proxy.url, port)));
    const sizeOf = async (slug: string) => (await textOf(`${service.url}/status/${slug}`)).length;
    const slug = await withClient(url, (client) => insertPageOf30kB(client, draw.few_runs_page, sizeOf));
    const path = `/status/${slug}`;
    await textOf(service.url + path);
    const bareEnv = (port: number) => ({
      ...baselineEnv(url, port, organization_id),
      PAGE_URL: service.url + path,
    });
    const bare = await start(Server.start(BASELINES.herd, bareEnv, { path }));
    const other = await start(Server.start(SERVICE.server, (port) => serviceEnv(url, port)));
    const herd = new Herd(database, draw, isQuick ? QUICK : FULL, service, bare, path);
    const rows = [
      ...(await herd.rates()),
      ...(await renderings(url, large, isQuick ? QUICK : FULL)),
      await herd.statements(),
      await herd.underReports(),
      await herd.changes(other),
      await herd.withoutDatabase(proxy), // the last one, because the database stays down
    ];
    return [
      '| the herd | found | target |',
      '| --- | --- | --- |',
      ...rows.map(({ what, found, target }) => `| ${what} | ${found} | ${target} |`),
    ].join('\n');
  } finally {
    for (const server of servers) await server.stop();
    await proxy.stop();
  }
}

class Herd {
  constructor(
    private readonly database: Database,
    private readonly draw: HistoryDraw,
    private readonly plan: Plan,
    private readonly service: Server,
    private readonly bare: Server,
    private readonly path: string,
  ) {}

  /** Visits of the page against bare node:http, alternating. */
  async rates(): Promise<Row[]> {
    const { seconds, rounds } = this.plan;
    const size = (await textOf(this.service.url + this.path)).length;
    const loads: [string, Load, number][] = [
      [`page of ${(size / 1000).toFixed(1)} kB, 16 connections`, { connections: 16, seconds }, 200],
      [`page of ${(size / 1000).toFixed(1)} kB, 1,000 connections`, { connections: 1_000, seconds }, 200],
      ['304, 16 connections', { connections: 16, seconds }, 304],
    ];
    const found = loads.map(() => ({ ratios: new Array<number>(), rates: new Array<number>() }));
    for (let round = 0; round <= rounds; round++)
      for (const [place, [name, load, status]] of loads.entries()) {
        const both: number[] = [];
        for (const { url } of [this.service, this.bare]) {
          await beforeMinuteEnds(seconds); // when the ETag changes
          const headers = status === 304 ? { 'If-None-Match': await etagOf(url + this.path) } : undefined;
          const { rate, failed } = await visit(
            url + this.path,
            { ...load, ...(headers && { headers }) },
            status,
          );
          if (failed > 0) throw new Error(`${name}: ${failed} visits of ${url} failed`);
          both.push(rate);
        }
        const [ours = NaN, theirs = NaN] = both;
        if (round === 0) continue; // the warm-up
        found[place]?.ratios.push(ours / theirs);
        found[place]?.rates.push(ours);
      }
    return loads.map(([name], place) => {
      const { ratios = [], rates = [] } = found[place] ?? {};
      return {
        what: `${name}, against bare node:http with the same bytes`,
        found: `${median(ratios).toFixed(2)} (${Math.round(median(rates)).toLocaleString('en')} a second)`,
        target: 'at least 0.6',
      };
    });
  }

  /** The transactions of the database while the page is visited. */
  async statements(): Promise<Row> {
    const transactions = () =>
      withClient(this.database.url, async (client) => {
        await delay(1_500); // connections report them once a second
        const { rows } = await client.query<{ count: string }>(
          'SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()',
        );
        return Number(rows[0]?.count);
      });
    const seconds = 2 * this.plan.seconds;
    const before = await transactions();
    const { count } = await visit(this.service.url + this.path, { connections: 16, seconds });
    const sent = (await transactions()) - before;
    return {
      what: `transactions of all processes during ${count.toLocaleString('en')} visits in ${seconds + 3} s`,
      found: String(sent),
      target: 'some a second, none per visit',
    };
  }

  /** The time of visits during 1,000 reports a second, compared with an idle service, at the same rate of visits. */
  async underReports(): Promise<Row> {
    const load = { connections: 100, seconds: Math.max(2, this.plan.seconds), rate: 1_000 };
    const ratios: number[] = [];
    const times: number[] = [];
    for (let round = 0; round <= this.plan.rounds; round++) {
      const rest = await visit(this.service.url + this.path, load);
      const ended = new AbortController();
      const reporting = this.report(ended.signal);
      const busy = await visit(this.service.url + this.path, load);
      ended.abort();
      await reporting;
      if (rest.failed + busy.failed > 0) throw new Error('a visit failed');
      if (round === 0) continue; // the warm-up
      ratios.push(busy.p99 / rest.p99);
      times.push(busy.p99);
    }
    return {
      what: 'p99 of 1,000 visits a second while 1,000 reports a second change the page, against that at rest',
      found: `${median(ratios).toFixed(2)} (${median(times).toFixed(1)} ms)`,
      target: 'at most 2',
    };
  }

  /** Sends a batch of 1,000 reports each second. */
  private async report(signal: AbortSignal): Promise<void> {
    const { monitor_ids, project_id } = this.draw;
    for (let batch = 0; !signal.aborted; batch++) {
      const reports = monitor_ids.map((monitor_id, index) => {
        const isChanged = index >= CHANGES * (batch % 100) && index < CHANGES * (batch % 100) + CHANGES;
        return { monitor_id, status: isChanged ? STATUSES[1 + (batch % 3)] : STATUSES[0] };
      });
      const sent = performance.now();
      await this.ask('POST', '/v1/monitor-reports', { project_id, reports });
      await delay(Math.max(0, 1_000 - (performance.now() - sent)));
    }
  }

  /** The time until a change is visible in another process. */
  async changes(other: Server): Promise<Row> {
    const times: number[] = [];
    const rows = await withClient(this.database.url, (client) =>
      client.query<{ id: string }>(`SELECT id FROM status_pages WHERE slug = $1`, [
        this.path.split('/').at(-1),
      ]),
    );
    await textOf(other.url + this.path);
    for (let change = 0; change < this.plan.changes; change++) {
      const name = `Change ${change} of ${Date.now()}`;
      await delay(Math.random() * 1_000);
      await this.ask('PATCH', `/v1/status-pages/${rows.rows[0]?.id}`, { name });
      const changed = performance.now();
      while (!(await textOf(other.url + this.path)).includes(name)) await delay(5);
      times.push(performance.now() - changed);
    }
    return {
      what: `a change shows in another process: the longest of ${times.length}`,
      found: `${(Math.max(...times) / 1000).toFixed(2)} s`,
      target: 'at most 2 s',
    };
  }

  /** Visits during which PostgreSQL becomes unavailable. */
  async withoutDatabase(proxy: DatabaseProxy): Promise<Row> {
    const seconds = this.plan.outage;
    const cutting = delay(2_000).then(() => proxy.cut());
    const { count, failed } = await visit(this.service.url + this.path, {
      connections: 16,
      seconds,
      rate: 1_000,
    });
    await cutting;
    return {
      what: `failed visits of ${count.toLocaleString('en')} in ${seconds} s, with PostgreSQL stopped after 2 s`,
      found: String(failed),
      target: 'none',
    };
  }

  private async ask(method: string, path: string, body: object): Promise<void> {
    const response = await fetch(this.service.url + path, {
      method,
      headers: { Authorization: `Bearer ${this.database.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
  }
}

/** The CPU time and the size of a rendering of 200 monitors and 90 days. */
async function renderings(url: string, pageId: string, plan: Plan): Promise<Row[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...V8_FLAGS, RENDERING, pageId, String(plan.renderings)],
    { env: { ...serviceEnv(url, 0), LOG_LEVEL: 'silent' } },
  );
  const { cpu_ms, brotli_bytes, bytes }: Rendering = JSON.parse(stdout);
  const what = 'rendering of 200 monitors and 90 days';
  return [
    {
      what: `${what}: CPU time with reading, without PostgreSQL`,
      found: `${cpu_ms.toFixed(1)} ms`,
      target: 'at most 25 ms',
    },
    {
      what: `${what}: ${(bytes / 1000).toFixed(0)} kB in brotli`,
      found: `${(brotli_bytes / 1000).toFixed(1)} kB`,
      target: 'at most 40 kB',
    },
  ];
}

async function etagOf(url: string): Promise<string> {
  return (await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })).headers.get('etag') ?? '';
}
