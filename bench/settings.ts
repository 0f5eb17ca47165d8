import { parseArgs } from 'node:util';
import { prepareDatabase } from './databases.js';
import { type Contender, measure, type Sample } from './measure.js';
import { print } from './print.js';
import { Server, SERVICE, serviceEnv } from './processes.js';
import { draw, WORKLOADS } from './workloads.js';

// Compares the service with itself under other environment variables, in short interleaved rounds. `again` is the
// same service again. Its ratio shows how far ratios differ by chance.

const PAGES = 10_000;
const LEAD_IN = 64;
const WARM_UP = 1_000;

const { values: options } = parseArgs({
  options: {
    with: { type: 'string', multiple: true, default: [] },
    workload: { type: 'string', multiple: true, default: ['list of 25', 'GET one'] },
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '600' },
  },
});

/** A name, and the variables that differ: `metrics:ADMIN_PORT=0,LOG_LEVEL=warn`. */
function parseSetting(text: string): { name: string; env: NodeJS.ProcessEnv } {
  const [name = '', ...rest] = text.split(':');
  const pairs = rest
    .join(':')
    .split(',')
    .map((pair) => pair.split('='));
  return { name, env: Object.fromEntries(pairs.map(([variable, ...value]) => [variable, value.join('=')])) };
}

const url = process.env['DATABASE_URL'];
if (!url) throw new Error('set DATABASE_URL to a PostgreSQL server on which the role can create databases');
const settings = [
  { name: 'as it is', env: {} },
  { name: 'again', env: {} },
  ...options.with.map(parseSetting),
];
const database = await prepareDatabase(url, `status_pages_bench_${PAGES}`, PAGES);
const drawn = await draw(database);
const contenders: Contender[] = [];
try {
  for (const { name, env } of settings) {
    const server = await Server.start(SERVICE.server, (port) => ({
      ...serviceEnv(database.url, port),
      ...env,
    }));
    contenders.push({ name, server, key: database.key, cursor: 'service', draw: drawn });
  }
  const workloads = WORKLOADS.filter(({ name }) => options.workload.includes(name));
  for (const workload of workloads) {
    const samples = contenders.map(() => new Array<Sample>());
    for (let round = 0; round <= Number(options.rounds); round++)
      for (const [index, contender] of contenders.entries()) {
        const salt = `${round} ${contender.name} ${Date.now()} `;
        await measure(contender, workload, { requests: round === 0 ? WARM_UP : LEAD_IN }, `${salt}lead-in`);
        if (round === 0) continue;
        samples[index]?.push(
          await measure(contender, workload, { requests: Number(options.requests) }, salt),
        );
      }
    const totals = samples.map((own) => {
      const sum = (of: (sample: Sample) => number) => own.reduce((total, sample) => total + of(sample), 0);
      const requests = sum((sample) => sample.requests);
      return {
        cpu: sum((sample) => sample.cpu * sample.requests) / requests,
        rate: requests / sum((sample) => sample.requests / sample.rate),
      };
    });
    const [base] = totals;
    if (!base) continue;
    for (const [index, { cpu, rate }] of totals.entries()) {
      const ratios = `CPU ${(cpu / base.cpu).toFixed(3)}, rate ${(rate / base.rate).toFixed(3)}`;
      print(`${workload.name} | ${contenders[index]?.name} | CPU ${cpu.toFixed(3)} ms | ratios: ${ratios}`);
    }
  }
} finally {
  for (const { server } of contenders) await server.stop();
}
