import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { backendTimes, backendTimeSince, prepareDatabase } from './databases.js';
import { type Contender, measure, median, type Sample } from './measure.js';
import { print } from './print.js';
import { Server, SERVICE, serviceEnv } from './processes.js';
import { draw, WORKLOADS } from './workloads.js';

// Compares the service with itself under other environment variables, or with other builds of it, in short interleaved
// rounds. `again` is the same service again. Its ratio shows how far ratios differ by chance.

const PAGES = 10_000;
const LEAD_IN = 64;
const WARM_UP = 1_000;

const { values: options } = parseArgs({
  options: {
    with: { type: 'string', multiple: true, default: [] },
    also: { type: 'string', multiple: true, default: [] },
    workload: { type: 'string', multiple: true, default: ['list of 25', 'GET one'] },
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '600' },
  },
});

/** A service under measurement. */
interface Setting {
  name: string;
  program: string;
  /** The variables that differ. */
  env: NodeJS.ProcessEnv;
}

/** A sample with the CPU time of PostgreSQL per request, in ms. */
interface PairedSample extends Sample {
  backends: number;
}

/** A name, and the variables that differ: `metrics:ADMIN_PORT=0,LOG_LEVEL=warn`. */
function parseSetting(text: string): Setting {
  const [name = '', ...rest] = text.split(':');
  const pairs = rest
    .join(':')
    .split(',')
    .map((pair) => pair.split('='));
  const env = Object.fromEntries(pairs.map(([variable, ...value]) => [variable, value.join('=')]));
  return { name, program: SERVICE.server, env };
}

/** A name, and the directory of another build: `before=../before`. */
function parseBuild(text: string): Setting {
  const [name = '', directory = ''] = text.split('=');
  return { name, program: join(directory, 'bin/serve'), env: {} };
}

const url = process.env['DATABASE_URL'];
if (!url) throw new Error('set DATABASE_URL to a PostgreSQL server on which the role can create databases');
const settings: Setting[] = [
  { name: 'as it is', program: SERVICE.server, env: {} },
  { name: 'again', program: SERVICE.server, env: {} },
  ...options.with.map(parseSetting),
  ...options.also.map(parseBuild),
];
const database = await prepareDatabase(url, `status_pages_bench_${PAGES}`, PAGES);
const drawn = await draw(database);
const contenders: Contender[] = [];
try {
  for (const { name, program, env } of settings) {
    const server = await Server.start(program, (port) => ({
      ...serviceEnv(database.url, port),
      ...env,
    }));
    contenders.push({ name, server, key: database.key, cursor: 'service', draw: drawn });
  }
  const workloads = WORKLOADS.filter(({ name }) => options.workload.includes(name));
  for (const workload of workloads) {
    const samples = contenders.map(() => new Array<PairedSample>());
    for (let round = 0; round <= Number(options.rounds); round++) {
      const order = [...contenders.entries()];
      if (round % 2 === 1) order.reverse(); // so that no contender always follows the same one
      for (const [index, contender] of order) {
        const salt = `${round} ${contender.name} ${Date.now()} `;
        await measure(contender, workload, { requests: round === 0 ? WARM_UP : LEAD_IN }, `${salt}lead-in`);
        if (round === 0) continue;
        const before = await backendTimes(database.url);
        const sample = await measure(contender, workload, { requests: Number(options.requests) }, salt);
        const backends = (await backendTimeSince(database.url, before)) * 1000;
        samples[index]?.push({ ...sample, backends: backends / sample.requests });
      }
    }
    const [base = []] = samples;
    // Rounds have about as many requests.
    const mean = (values: number[]) => values.reduce((total, value) => total + value, 0) / values.length;
    const cpu = (own: PairedSample[]) => mean(own.map((sample) => sample.cpu));
    const backends = (own: PairedSample[]) => mean(own.map((sample) => sample.backends));
    for (const [index, own] of samples.entries()) {
      const rates = own.map(({ rate }, round) => rate / (base[round]?.rate ?? NaN));
      const ratios = [cpu(own) / cpu(base), backends(own) / backends(base), median(rates)];
      const [ofCpu, ofBackends, ofRate] = ratios.map((ratio) => ratio.toFixed(3));
      print(
        `${workload.name} | ${contenders[index]?.name} | CPU ${cpu(own).toFixed(3)} ms, PostgreSQL ${backends(own).toFixed(3)} ms` +
          ` | ratios: CPU ${ofCpu}, PostgreSQL ${ofBackends}, rate ${ofRate}`,
      );
    }
  }
} finally {
  for (const { server } of contenders) await server.stop();
}
