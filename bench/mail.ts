import { type Database, withClient } from './databases.js';
import { type Audience, fillAudience } from './mail-fill.js';
import type { DeliverySample } from './delivery-bench.js';
import { MailBench } from './mail-sender.js';
import { measure, median } from './measure.js';
import { print } from './print.js';
import type { Server } from './processes.js';
import { type Draw, draw, WORKLOADS } from './workloads.js';

/** The size of a run. */
interface Plan {
  rounds: number;
  /** Updates of each page in a round. */
  updates: number;
  /** Mails in a round. */
  mails: number;
  /** Subscribers of a small and of a large page. */
  few: number;
  many: number;
  /** Lists in a round. */
  lists: number;
}

const FULL: Plan = { rounds: 10, updates: 40, mails: 3_000, few: 1_000, many: 100_000, lists: 3_000 };
const QUICK: Plan = { rounds: 1, updates: 1, mails: 50, few: 50, many: 600, lists: 32 };

/** A row of the results. */
interface Row {
  what: string;
  found: string;
  target: string;
}

/** Measures mail to subscribers, and other requests during mail. Returns the results as Markdown. */
export async function measureMail(database: Database, isQuick: boolean): Promise<string> {
  const plan = isQuick ? QUICK : FULL;
  const { url, organization_id } = database;
  print('mail …');
  const drawn = await draw(database);
  const audience = (subscribers: number) =>
    withClient(url, (client) => fillAudience(client, organization_id, subscribers));
  const bench = await MailBench.start(database);
  try {
    const mail = new Mail(bench, database, drawn, plan, {
      none: await audience(0),
      few: await audience(plan.few),
      some: await audience(plan.mails),
      many: await audience(plan.many),
    });
    const rows: Row[] = [];
    for (const measureSome of [mail.updates, mail.rates, mail.lists, mail.memory]) {
      const found = await measureSome.call(mail);
      for (const row of found) print(`${row.what}: ${row.found}`);
      rows.push(...found);
    }
    return [
      '| mail | found | target |',
      '| --- | --- | --- |',
      ...rows.map(({ what, found, target }) => `| ${what} | ${found} | ${target} |`),
    ].join('\n');
  } finally {
    await bench.stop();
  }
}

class Mail {
  constructor(
    private readonly bench: MailBench,
    private readonly database: Database,
    private readonly drawn: Draw,
    private readonly plan: Plan,
    private readonly audiences: Record<'none' | 'few' | 'some' | 'many', Audience>,
  ) {}

  /** Updates of a page with many subscribers and of a page without, in turn. */
  async updates(): Promise<Row[]> {
    const { bench, plan } = this;
    const { none, many } = this.audiences;
    print('updates …');
    const server = await bench.startService('off');
    const [ratios, milliseconds] = [new Array<number>(), new Array<number>()];
    for (let round = 0; round <= plan.rounds; round++) {
      // Further updates of an incident take longer.
      const incidents = [await bench.createIncident(server, none), await bench.createIncident(server, many)];
      const times: number[][] = [[], []];
      for (let number = 0; number < plan.updates; number++)
        for (const [place, incident] of incidents.entries())
          times[place]?.push(await bench.postUpdate(server, incident));
      if (round === 0) continue; // the warm-up
      const [ofNone = NaN, ofMany = NaN] = times.map(median);
      ratios.push(ofNone / ofMany);
      milliseconds.push(ofMany);
    }
    await bench.stop(server);
    await bench.discard();
    return [
      {
        what: `POST of an update on a page with ${shown(plan.many)} subscribers, against one with none`,
        found: `${median(ratios).toFixed(2)} (${median(milliseconds).toFixed(1)} ms)`,
        target: 'at least 0.9',
      },
    ];
  }

  /** Mails a second against nodemailer without anything else, then of two processes. */
  async rates(): Promise<Row[]> {
    const { bench, plan } = this;
    const { some } = this.audiences;
    print('mails a second …');
    const servers = [await bench.startService('on')];
    const baseline = await bench.startBaseline();
    const samples: Record<'bare' | 'one' | 'two', DeliverySample[]> = { bare: [], one: [], two: [] };
    for (let round = 0; round <= plan.rounds; round++) {
      const one = await bench.sendUpdate(servers, some);
      const bare = await bench.sendBare(baseline, some.subscribers);
      if (round === 0) continue; // the warm-up
      samples.one.push(one);
      samples.bare.push(bare);
    }
    servers.push(await bench.startService('on'));
    for (let round = 0; round <= plan.rounds; round++) {
      const two = await bench.sendUpdate(servers, some);
      if (round > 0) samples.two.push(two);
    }
    await bench.stop(...servers, baseline);
    const of = (field: keyof DeliverySample, all: DeliverySample[]) =>
      median(all.map((sample) => sample[field]));
    const ratio = (field: keyof DeliverySample, all: DeliverySample[], others: DeliverySample[]) =>
      median(all.map((sample, round) => sample[field] / (others[round]?.[field] ?? NaN))).toFixed(2);
    const { bare, one, two } = samples;
    const milliseconds = (all: DeliverySample[]) =>
      `${of('cpu', all).toFixed(2)} ms and ${of('backends', all).toFixed(2)} ms of PostgreSQL`;
    return [
      {
        what: `mails a second, against nodemailer with the same pool and messages`,
        found: `${ratio('rate', one, bare)} (${of('rate', one).toFixed(0)}/s)`,
        target: 'at least 0.6',
      },
      {
        what: 'the same by CPU time of the process',
        found: `${ratio('cpu', bare, one)} (${milliseconds(one)}; nodemailer ${of('cpu', bare).toFixed(2)} ms)`,
        target: '',
      },
      {
        what: 'two processes against one, by CPU time per mail',
        found: `${((2 * of('cpu', one)) / of('cpu', two)).toFixed(2)} (${milliseconds(two)}; ${of('rate', two).toFixed(0)}/s)`,
        target: 'at least 1.7',
      },
    ];
  }

  /** Lists a second while mail is sent, and while it is paused. */
  async lists(): Promise<Row[]> {
    const { bench } = this;
    const server = await bench.startService('on');
    const together = await this.listsDuring([server], server);
    const only = await bench.startService('off');
    const worker = await bench.startService('on');
    const apart = await this.listsDuring([only, worker], only);
    return [
      { what: 'lists of 25 a second during mail, against rest', found: together, target: 'at least 0.7' },
      { what: 'the same with mail from another process', found: apart, target: '' },
    ];
  }

  private async listsDuring(servers: Server[], server: Server): Promise<string> {
    print('lists during mail …');
    const { bench, plan } = this;
    const { many } = this.audiences;
    const contender = {
      name: 'service',
      server,
      key: this.database.key,
      cursor: 'service',
      draw: this.drawn,
    } as const;
    const list = async (salt: string) =>
      (await measure(contender, WORKLOADS[0], { requests: plan.lists }, salt)).rate;
    const [ratios, rates] = [new Array<number>(), new Array<number>()];
    await list('warm-up');
    const incident = await bench.createIncident(server, many);
    await bench.pause();
    await bench.reset();
    await bench.postUpdate(server, incident);
    await bench.receives(1);
    for (let round = 0; round <= plan.rounds; round++) {
      await bench.pause();
      const atRest = await list(`${round} rest`);
      const before = (await bench.received()).count;
      if (before >= many.subscribers) break; // all are sent
      await bench.resume();
      await bench.receives(before + 1);
      const [from, started] = [(await bench.received()).count, performance.now()];
      const during = await list(`${round} mail`);
      const { count } = await bench.received();
      if (count >= many.subscribers) break;
      if (round === 0) continue; // the warm-up
      ratios.push(during / atRest);
      rates.push(((count - from) / (performance.now() - started)) * 1_000);
    }
    await bench.stop(...servers);
    await bench.discard();
    return `${median(ratios).toFixed(2)} (${median(rates).toFixed(0)} mails/s)`;
  }

  /** Peak memory of a process that sends many mails, against few. */
  async memory(): Promise<Row[]> {
    const { bench, plan } = this;
    print('memory …');
    const peaks: number[] = [];
    const rates: number[] = [];
    for (const audience of [this.audiences.few, this.audiences.many]) {
      const server = await bench.startService('on');
      const { rate } = await bench.sendUpdate([server], audience);
      rates.push(rate);
      peaks.push((await server.memory())?.peak ?? NaN);
      await bench.stop(server);
    }
    const [few = NaN, many = NaN] = peaks;
    return [
      {
        what: `peak memory during ${shown(plan.many)} mails, against ${shown(plan.few)}`,
        found: `${(many / few).toFixed(2)} (${many.toFixed(0)} MB; ${rates.at(-1)?.toFixed(0)} mails/s)`,
        target: 'at most 1.2',
      },
    ];
  }
}

const shown = (count: number) => count.toLocaleString('en');
