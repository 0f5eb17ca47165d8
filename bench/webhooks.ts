import { type Database } from './databases.js';
import type { DeliverySample } from './delivery-bench.js';
import { median } from './measure.js';
import { print } from './print.js';
import type { Server } from './processes.js';
import { WebhookBench } from './webhook-sender.js';

/** Attempts of a process at a time, as in `src/webhooks/webhook-channel.ts`. */
const CONCURRENCY = 100;

/** The size of a run. */
interface Plan {
  rounds: number;
  endpoints: number;
  /** Updates in a round, each of which goes to all endpoints. */
  updates: number;
  /** Endpoints beside the one that hangs, and their updates. */
  others: number;
  otherUpdates: number;
  /** Batches of `updates` to `others` endpoints, between which memory is compared. */
  few: number;
  many: number;
  /** Requests of the sender alone. */
  fewPosts: number;
  manyPosts: number;
}

const FULL: Plan = {
  rounds: 10,
  endpoints: 100,
  updates: 20,
  others: 1_000,
  otherUpdates: 4,
  few: 5,
  many: 50,
  fewPosts: 10_000,
  manyPosts: 1_000_000,
};
const QUICK: Plan = {
  rounds: 1,
  endpoints: 20,
  updates: 5,
  others: 100,
  otherUpdates: 2,
  few: 1,
  many: 2,
  fewPosts: 500,
  manyPosts: 2_000,
};

/** A row of the results. */
interface Row {
  what: string;
  found: string;
  target: string;
}

/** Measures webhooks. Returns the results as Markdown. */
export async function measureWebhooks(database: Database, isQuick: boolean): Promise<string> {
  print('webhooks …');
  const bench = await WebhookBench.start(database);
  try {
    const webhooks = new Webhooks(bench, await bench.startService(), isQuick ? QUICK : FULL);
    const rows: Row[] = [];
    for (const measureSome of [webhooks.rates, webhooks.hanging, webhooks.memory, webhooks.senderMemory]) {
      const found = await measureSome.call(webhooks);
      for (const row of found) print(`${row.what}: ${row.found}`);
      rows.push(...found);
    }
    return [
      '| webhooks | found | target |',
      '| --- | --- | --- |',
      ...rows.map(({ what, found, target }) => `| ${what} | ${found} | ${target} |`),
    ].join('\n');
  } finally {
    await bench.stop();
  }
}

class Webhooks {
  constructor(
    private readonly bench: WebhookBench,
    private readonly server: Server,
    private readonly plan: Plan,
  ) {}

  /** Webhooks a second against a loop with undici, for endpoints that respond immediately and after 25 ms. */
  async rates(): Promise<Row[]> {
    const { bench, server, plan } = this;
    const baseline = await bench.startBaseline();
    const rows: Row[] = [];
    for (const path of ['hooks', 'late']) {
      const endpoints = await bench.fill(server, plan.endpoints, { path });
      const [ours, bares, withRows] = [
        new Array<DeliverySample>(),
        new Array<DeliverySample>(),
        new Array<DeliverySample>(),
      ];
      for (let round = 0; round <= plan.rounds; round++) {
        const own = await bench.send(server, endpoints, plan.updates);
        const count = endpoints.count * plan.updates;
        const order = { path, concurrency: CONCURRENCY };
        const bare = await bench.sendBare(baseline, count, { ...order, hasRows: false });
        const written = await bench.sendBare(baseline, count, { ...order, hasRows: true });
        if (round === 0) continue; // the warm-up
        ours.push(own);
        bares.push(bare);
        withRows.push(written);
      }
      const of = (field: keyof DeliverySample, all: DeliverySample[]) => median(all.map((one) => one[field]));
      const against = (all: DeliverySample[]) =>
        median(ours.map(({ rate }, round) => rate / (all[round]?.rate ?? NaN))).toFixed(2);
      const when = path === 'hooks' ? 'that respond immediately' : 'that respond after 25 ms';
      for (const [baselines, what, target] of [
        [withRows, 'and writes the same rows', 'at least 0.5'],
        [bares, 'and writes nothing', ''],
      ] as const)
        rows.push({
          what: `webhooks a second to endpoints ${when}, against a loop with undici that signs and posts the same bodies ${what}`,
          found: `${against(baselines)} (${of('rate', ours).toFixed(0)}/s against ${of('rate', baselines).toFixed(0)}/s)`,
          target,
        });
      if (path === 'hooks')
        rows.push({
          what: 'CPU time per webhook',
          found: `${of('cpu', ours).toFixed(2)} ms and ${of('backends', ours).toFixed(2)} ms of PostgreSQL (undici ${of('cpu', bares).toFixed(2)} ms)`,
          target: '',
        });
    }
    await bench.stop(baseline);
    return rows;
  }

  /** The time until other endpoints have all webhooks, while one endpoint hangs. */
  async hanging(): Promise<Row[]> {
    const { bench, server, plan } = this;
    const endpoints = await bench.fill(server, plan.others, { isOneHanging: true });
    const [ratios, spans] = [new Array<number>(), new Array<number>()];
    for (let round = 0; round <= plan.rounds; round++) {
      await bench.setHanging(endpoints, false);
      const without = await bench.span(server, endpoints, plan.otherUpdates);
      await bench.setHanging(endpoints, true);
      const during = await bench.span(server, endpoints, plan.otherUpdates);
      if (round === 0) continue; // the warm-up
      ratios.push(during / without);
      spans.push(during);
    }
    await bench.stop(server);
    await bench.discard();
    return [
      {
        what: `time of ${plan.otherUpdates} webhooks to each of ${shown(plan.others)} endpoints while one more hangs, against without it`,
        found: `${median(ratios).toFixed(2)} (${(median(spans) / 1_000).toFixed(1)} s)`,
        target: 'at most 1.1',
      },
    ];
  }

  /** Peak memory of a process after many webhooks, against after few. */
  async memory(): Promise<Row[]> {
    const { bench, plan } = this;
    const server = await bench.startService();
    const endpoints = await bench.fill(server, plan.others);
    const send = async (batches: number) => {
      for (let batch = 0; batch < batches; batch++) await bench.send(server, endpoints, plan.updates);
      return (await server.memory())?.peak ?? NaN;
    };
    const few = await send(plan.few);
    const many = await send(plan.many - plan.few);
    await bench.stop(server);
    const [fewer, more] = [plan.few, plan.many].map((batches) => shown(batches * plan.updates * plan.others));
    return [
      {
        what: `peak memory after ${more} webhooks, against ${fewer}`,
        found: `${(many / few).toFixed(2)} (${many.toFixed(0)} MB)`,
        target: 'at most 1.2',
      },
    ];
  }

  /** Memory of the part that signs and sends alone. */
  async senderMemory(): Promise<Row[]> {
    const { bench, plan } = this;
    const baseline = await bench.startBaseline();
    await bench.sendOnly(baseline, plan.fewPosts, CONCURRENCY);
    const few = (await baseline.memory())?.now ?? NaN;
    await bench.sendOnly(baseline, plan.manyPosts, CONCURRENCY);
    const many = (await baseline.memory())?.now ?? NaN;
    await bench.stop(baseline);
    return [
      {
        what: `memory of the sender after ${shown(plan.manyPosts)} requests, against ${shown(plan.fewPosts)}`,
        found: `${(many / few).toFixed(2)} (${many.toFixed(0)} MB)`,
        target: 'at most 1.2',
      },
    ];
  }
}

const shown = (count: number) => count.toLocaleString('en');
