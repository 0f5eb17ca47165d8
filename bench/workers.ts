// Measures the processor time of a request with WEB_CONCURRENCY, against one process: in short rounds, in turn. Each process
// has as many connections.
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { prepareDatabase } from './databases.js';
import { type Contender, measure, median } from './measure.js';
import { Server, SERVICE, serviceEnv } from './processes.js';
import { print } from './print.js';
import { draw, WORKLOADS } from './workloads.js';

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
  const connections = Number(workers) * CONNECTIONS;
  return {
    name: `${workers} workers`,
    server,
    key: database.key,
    cursor: 'service',
    draw: drawn,
    connections,
  };
}

const contenders = [await start('1'), await start(options.workers)];
try {
  for (const contender of contenders)
    for (const workload of workloads)
      await measure(
        contender,
        workload,
        { requests: (WARM_UP * (contender.connections ?? 0)) / CONNECTIONS },
        'warm-up',
      );
  print(
    `| workload | CPU ms, 1 process | CPU ms, ${options.workers} workers | speed of 1 core, against 1 process | rate |`,
  );
  print('| --- | ---: | ---: | ---: | ---: |');
  for (const workload of workloads) {
    const ratios: number[] = [];
    const rates: number[] = [];
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < Number(options.rounds); round++) {
      const samples = [];
      for (const contender of contenders)
        samples.push(await measure(contender, workload, { seconds: Number(options.seconds) }, `${round}`));
      const [one, many] = samples;
      if (!one || !many) continue;
      ratios.push(one.cpu / many.cpu);
      rates.push(many.rate / one.rate);
      times[0].push(one.cpu);
      times[1].push(many.cpu);
    }
    const [one, many] = times.map((all) => median(all).toFixed(3));
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    print(
      `| ${workload.name} | ${one} | ${many} | ${median(ratios).toFixed(2)} (${spread}) | ${median(rates).toFixed(2)} |`,
    );
  }
} finally {
  for (const { server } of contenders) await server.stop();
}
