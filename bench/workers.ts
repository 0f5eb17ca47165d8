// Measures the CPU time of a request with WEB_CONCURRENCY, in short alternating rounds: against one process, and
// against as many separate processes, each with its own port and load. The separate processes share the cores like
// the workers, so they show the cost of the cluster itself. Each process has as many connections.
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { prepareDatabase } from './databases.js';
import { type Contender, measure, median, type Sample } from './measure.js';
import { Server, SERVICE, serviceEnv } from './processes.js';
import { print } from './print.js';
import { draw, type Workload, WORKLOADS } from './workloads.js';

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    limit: { type: 'string', default: '1000000000' },
  },
});

const NAMES = new Set(['GET one', 'list of 25', 'PATCH name']);
/** For each process. */
const WARM_UP = 4_000;
const CONNECTIONS = 16;
const PREFIX = 'status_pages_bench_';

const url = process.env['DATABASE_URL'];
if (!url) throw new Error('set DATABASE_URL');
const database = await prepareDatabase(url, `${PREFIX}${options.pages}`, Number(options.pages));
const drawn = await draw(database);
const workloads = WORKLOADS.filter(({ name }) => NAMES.has(name));

async function start(workers: string): Promise<Contender> {
  const server = await Server.start(SERVICE.server, (port) => ({
    ...serviceEnv(database.url, port, tmpdir()),
    WEB_CONCURRENCY: workers,
    RATE_LIMIT: options.limit,
  }));
  return {
    name: `${workers} workers`,
    server,
    key: database.key,
    cursor: 'service',
    draw: drawn,
    connections: Number(workers) * CONNECTIONS,
  };
}

/** Puts several servers under load concurrently. */
async function measureAll(
  contenders: Contender[],
  workload: Workload,
  salt: string,
): Promise<Pick<Sample, 'cpu' | 'rate'>> {
  const until = { seconds: Number(options.seconds) };
  const samples = await Promise.all(
    contenders.map((contender, index) => measure(contender, workload, until, `${salt} ${index}`)),
  );
  const sum = (of: (sample: Sample) => number) => samples.reduce((total, sample) => total + of(sample), 0);
  const requests = sum((sample) => sample.requests);
  return { cpu: sum((sample) => sample.cpu * sample.requests) / requests, rate: sum(({ rate }) => rate) };
}

/** The median of ratios, with the minimum and the maximum. */
function spreadOf(ratios: number[]): string {
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}

const one = await start('1');
const workers = await start(options.workers);
const separate: Contender[] = [];
try {
  for (let count = 0; count < Number(options.workers); count++) separate.push(await start('1'));
  for (const contender of [one, workers, ...separate])
    for (const workload of workloads) {
      const requests = (WARM_UP * (contender.connections ?? 0)) / CONNECTIONS;
      await measure(contender, workload, { requests }, 'warm-up');
    }
  print(
    `| workload | CPU ms: 1 process | ${options.workers} workers | ${options.workers} processes | workers against 1 process | workers against processes | rate |`,
  );
  print('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const workload of workloads) {
    const times: [number[], number[], number[]] = [[], [], []];
    const againstOne: number[] = [];
    const againstSeparate: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round < Number(options.rounds); round++) {
      const alone = await measureAll([one], workload, `${round} one`);
      const cluster = await measureAll([workers], workload, `${round} workers`);
      const apart = await measureAll(separate, workload, `${round} separate`);
      for (const [index, { cpu }] of [alone, cluster, apart].entries()) times[index]?.push(cpu);
      againstOne.push(alone.cpu / cluster.cpu);
      againstSeparate.push(apart.cpu / cluster.cpu);
      rates.push(cluster.rate / alone.rate);
    }
    const medians = times.map((all) => median(all).toFixed(3)).join(' | ');
    const ratios = [spreadOf(againstOne), spreadOf(againstSeparate), median(rates).toFixed(2)].join(' | ');
    print(`| ${workload.name} | ${medians} | ${ratios} |`);
  }
} finally {
  for (const { server } of [one, workers, ...separate]) await server.stop();
}
