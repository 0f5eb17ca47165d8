import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Database, withClient } from './databases.js';
import { fillHistory, type HistoryDraw, MONITORS } from './history-fill.js';
import { median } from './measure.js';
import { print } from './print.js';
import { generator } from './workloads.js';
import { BASELINES, baselineEnv, Server, SERVICE, serviceEnv } from './processes.js';

/** The size of a run. */
interface Plan {
  rounds: number;
  /** Batches of one contender in a round. */
  batches: number;
  /** Requests of one contender in a round. */
  reads: number;
  /** Reports for the size on disk. */
  reports: number;
}

const FULL: Plan = { rounds: 15, batches: 20, reads: 40, reports: 10_000_000 };
const QUICK: Plan = { rounds: 1, batches: 3, reads: 5, reports: 20_000 };

const STATUSES = ['operational', 'degraded_performance', 'partial_outage', 'major_outage'];

/** A row of the results. */
interface Row {
  what: string;
  found: string;
  target: string;
}

/** Measures reports, days and summaries in a separate project of the database. Returns the results as Markdown. */
export async function measureHistory(database: Database, isQuick: boolean): Promise<string> {
  const plan = isQuick ? QUICK : FULL;
  const { url, organization_id, key } = database;
  print('reports, days and summaries …');
  const draw = await withClient(url, (client) => fillHistory(client, organization_id));
  const service = await Server.start(SERVICE.server, (port) => serviceEnv(url, port));
  const ceiling = await Server.start(BASELINES.history, (port) => baselineEnv(url, port, organization_id), {
    path: `/v1/status-pages/${draw.few_runs_page}/summary`,
  });
  try {
    const history = new History(service, ceiling, key, draw, plan);
    const rows = [
      ...(await history.batches(0, 0.5)),
      ...(await history.batches(0.01, 0.4)),
      ...(await history.reads()),
      await history.size(database),
    ];
    return [
      '| reports, days and summaries | found | target |',
      '| --- | --- | --- |',
      ...rows.map(({ what, found, target }) => `| ${what} | ${found} | ${target} |`),
    ].join('\n');
  } finally {
    await service.stop();
    await ceiling.stop();
  }
}

class History {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly random = generator(20_261_121);
  private readonly statuses: string[];
  /** The time of the next batch. */
  private time = Date.now() - 30 * 86_400_000;

  constructor(
    private readonly service: Server,
    private readonly ceiling: Server,
    private readonly key: string,
    private readonly draw: HistoryDraw,
    private readonly plan: Plan,
  ) {
    // The monitors that are on no status page.
    this.statuses = draw.monitor_ids.map(() => 'operational');
  }

  /** Batches of 1,000 reports, one after the other. A share of `changes` of them changes the status. */
  async batches(changes: number, target: number): Promise<Row[]> {
    const ratios: number[] = [];
    const milliseconds: number[] = [];
    for (let round = 0; round <= this.plan.rounds; round++) {
      const bodies = Array.from({ length: this.plan.batches }, () => this.batch(changes));
      const [bare, ours] = [await this.send(this.ceiling, bodies), await this.send(this.service, bodies)];
      if (round === 0) continue; // the warm-up
      ratios.push(bare / ours);
      milliseconds.push(ours);
    }
    const name = changes === 0 ? 'without a change' : `with ${changes * 100} % changes`;
    return [
      {
        what: `batch of ${MONITORS} reports ${name}, against a bare upsert`,
        found: `${median(ratios).toFixed(2)} (${median(milliseconds).toFixed(1)} ms)`,
        target: `at least ${target}`,
      },
    ];
  }

  private batch(changes: number): string {
    this.time += 60_000;
    const reports = this.draw.monitor_ids.map((monitor_id, index) => {
      if (this.random() < changes) this.statuses[index] = this.otherThan(this.statuses[index]);
      const observed_at = new Date(this.time + Math.floor(this.random() * 20_000)).toISOString();
      return { monitor_id, status: this.statuses[index], observed_at };
    });
    return JSON.stringify({ project_id: this.draw.project_id, reports });
  }

  private otherThan(status: string | undefined): string {
    if (status !== 'operational') return 'operational';
    return STATUSES[1 + Math.floor(this.random() * 3)] ?? 'major_outage';
  }

  /** Sends batches one after the other. Returns the mean time in milliseconds. */
  private async send(server: Server, bodies: string[]): Promise<number> {
    const started = performance.now();
    for (const body of bodies) await this.ask(server, 'POST', '/v1/monitor-reports', body);
    return (performance.now() - started) / bodies.length;
  }

  async reads(): Promise<Row[]> {
    const { few_runs_page, many_runs_page, monitor_ids } = this.draw;
    const summary = (page: string) => `/v1/status-pages/${page}/summary`;
    const days = (count: number) => {
      const from = new Date(Date.now() - (count - 1) * 86_400_000).toISOString().slice(0, 10);
      return `/v1/monitors/${monitor_ids[0]}/days?from=${from}`;
    };
    const paths: [Server, string][] = [
      [this.ceiling, summary(few_runs_page)],
      [this.service, summary(few_runs_page)],
      [this.service, summary(many_runs_page)],
      [this.service, days(365)],
      [this.service, days(30)],
    ];
    // The first read of a page computes its closed days, which the upper bound must find.
    for (const [server, path] of paths.toReversed()) await this.read(server, path);
    const rounds: number[][] = [];
    for (let round = 0; round <= this.plan.rounds; round++) {
      const times: number[] = [];
      for (const [server, path] of paths) times.push(await this.read(server, path));
      if (round > 0) rounds.push(times);
    }
    const ratio = (one: number, other: number) =>
      median(rounds.map((times) => (times[one] ?? NaN) / (times[other] ?? NaN))).toFixed(2);
    const milliseconds = (one: number) => median(rounds.map((times) => times[one] ?? NaN)).toFixed(1);
    return [
      {
        what: 'summary of 200 monitors and 90 days, against the same rows as JSON in one statement',
        found: `${ratio(0, 1)} (${milliseconds(1)} ms)`,
        target: 'at least 0.3',
      },
      {
        what: 'time of a summary with 1,000 runs for each monitor, against 10 runs',
        found: ratio(2, 1),
        target: 'about 1',
      },
      {
        what: 'time of 365 days of a monitor, against 30',
        found: `${ratio(3, 4)} (${milliseconds(3)} ms)`,
        target: 'at most 1.5',
      },
    ];
  }

  /** Reads a path repeatedly. Returns the median time in milliseconds. */
  private async read(server: Server, path: string): Promise<number> {
    const times: number[] = [];
    for (let number = 0; number < this.plan.reads; number++) {
      const started = performance.now();
      await this.ask(server, 'GET', path);
      times.push(performance.now() - started);
    }
    return median(times);
  }

  /** The size on disk of many reports with 1 % changes, and the share of updates that touch no index. */
  async size({ url }: Database): Promise<Row> {
    return withClient(url, async (client) => {
      await client.query('TRUNCATE monitor_states CASCADE');
      this.time = Date.now() - 30 * 86_400_000;
      const count = Math.ceil(this.plan.reports / MONITORS);
      for (let number = 0; number < count; number++) {
        if (number % 1_000 === 0) {
          print(`${number} of ${count} batches …`);
          await client.query('VACUUM monitor_states, monitor_runs'); // like autovacuum, which can be disabled
        }
        await this.ask(this.service, 'POST', '/v1/monitor-reports', this.batch(0.01));
      }
      const { rows } = await client.query<{ bytes: string; runs: string; hot: number }>(
        `SELECT pg_total_relation_size('monitor_states') + pg_total_relation_size('monitor_runs') AS bytes,
                (SELECT count(*) FROM monitor_runs) AS runs,
                (SELECT n_tup_hot_upd::float / n_tup_upd FROM pg_stat_user_tables WHERE relname = 'monitor_states') AS hot`,
      );
      const { bytes = '', runs = '', hot = NaN } = rows[0] ?? {};
      const reports = (count * MONITORS).toLocaleString('en');
      return {
        what: `${reports} reports of ${MONITORS} monitors with 1 % changes, on disk`,
        found: `${(Number(bytes) / 1e6).toFixed(1)} MB, ${runs} closed runs; ${(hot * 100).toFixed(2)} % of updates are heap-only`,
        target: 'under 30 MB for 10,000,000',
      };
    });
  }

  private async ask(server: Server, method: string, path: string, body?: string): Promise<void> {
    const headers = {
      Authorization: `Bearer ${this.key}`,
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      }),
    };
    const sent = request(server.url + path, { method, agent: this.agent, headers }).end(body);
    const [response]: IncomingMessage[] = await once(sent, 'response');
    const answer = response ? await text(response) : '';
    if (response?.statusCode !== 200) throw new Error(`${method} ${path}: ${response?.statusCode} ${answer}`);
  }
}
