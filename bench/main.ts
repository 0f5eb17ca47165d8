import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareAnswers, measureEmbeddedStart, measureMemory, measureStart } from './checks.js';
import { type Database, dropDatabase, prepareDatabase, withClient } from './databases.js';
import { measureFairness } from './fairness.js';
import { measureFresh } from './fresh.js';
import { measureGrowth } from './growth.js';
import { measureDomains } from './domains.js';
import { measureHerd } from './herd.js';
import { measureHistory } from './history.js';
import { measureMail } from './mail.js';
import { measureOverload } from './overload.js';
import { measureWebhooks } from './webhooks.js';
import { type Contender, measure, type Sample } from './measure.js';
import { BASELINES, baselineEnv, Server, SERVICE as PROGRAMS, serviceEnv, V8_FLAGS } from './processes.js';
import {
  CEILING,
  EXPRESS,
  type Measurement,
  type Results,
  SERVICE,
  SMALL,
  targets,
  toMarkdown,
  WITHOUT_REVISIONS,
} from './report.js';
import { print } from './print.js';
import { BY_SIZE, type Draw, draw, type Workload, type WorkloadName, WORKLOADS } from './workloads.js';

const PAGES = 1_000_000;
const FEW_PAGES = 10_000;
const QUICK_PAGES = 1_000;
const RESULTS = 'bench/results';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    history: { type: 'boolean', default: false },
    mail: { type: 'boolean', default: false },
    webhooks: { type: 'boolean', default: false },
    fairness: { type: 'boolean', default: false },
    herd: { type: 'boolean', default: false },
    domains: { type: 'boolean', default: false },
    overload: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    pages: { type: 'string', default: '10000000' },
    keys: { type: 'string', default: '1000000' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    requests: { type: 'string' },
    workload: { type: 'string', multiple: true, default: [] },
    also: { type: 'string', multiple: true, default: [] },
  },
});

/** The size of the run. */
const plan = {
  pages: options.quick ? QUICK_PAGES : PAGES,
  rounds: Number(options.rounds ?? (options.quick ? 1 : 15)),
  // A run in short measures a number of requests, because a busy machine completes none in a part of a second.
  seconds: Number(options.seconds ?? (options.quick ? 0 : 1)),
  requests: Number(options.requests ?? (options.quick ? 1_000 : 1_000_000)),
  warmUp: options.quick ? 500 : 10_000,
  leadIn: options.quick ? 64 : 300,
  starts: options.quick ? 1 : 5,
  // On a busy machine, the service would reject some of more requests, which ends the run.
  connections: options.quick ? 4 : 16,
  workloads: WORKLOADS.filter(({ name }) => options.workload.length === 0 || options.workload.includes(name)),
};

const isFullRun = !options.quick && options.workload.length === 0;

if (plan.workloads.length === 0)
  throw new Error(`--workload must be one of: ${WORKLOADS.map(({ name }) => name).join('; ')}`);

const servers: Server[] = [];

async function startService(
  name: string,
  database: Database,
  drawn: Draw,
  program = PROGRAMS.server,
): Promise<Contender> {
  const server = await Server.start(program, (port) => serviceEnv(database.url, port));
  servers.push(server);
  return { name, server, key: database.key, cursor: 'service', draw: drawn, connections: plan.connections };
}

/** The service without revisions. Only its updates of status pages differ. */
async function startWithoutRevisions(database: Database, drawn: Draw): Promise<Contender> {
  const env = (port: number) => serviceEnv(database.url, port);
  const server = await Server.start(BASELINES.withoutRevisions, env, { flags: V8_FLAGS });
  servers.push(server);
  const only = 'PATCH name';
  return {
    name: WITHOUT_REVISIONS,
    server,
    key: database.key,
    cursor: 'service',
    draw: drawn,
    connections: plan.connections,
    only,
  };
}

async function startBaseline(
  name: string,
  program: string,
  { url, organization_id, key }: Database,
  drawn: Draw,
): Promise<Contender> {
  const server = await Server.start(program, (port) => baselineEnv(url, port, organization_id), {
    path: `/v1/status-pages?project_id=${drawn.single}`,
  });
  servers.push(server);
  return { name, server, key, cursor: 'baselines', draw: drawn, connections: plan.connections };
}

/** Measures all workloads and contenders alternately, round by round. The first round is a warm-up. */
async function measureAll(
  workloads: readonly (Workload & { name: WorkloadName })[],
  contenders: Contender[],
): Promise<Measurement[]> {
  const extent = plan.seconds > 0 ? { seconds: plan.seconds } : { requests: plan.leadIn };
  print(`warming up ${contenders.map(({ name }) => name).join('; ')} …`);
  for (const contender of contenders)
    await measure(contender, WORKLOADS[0], { requests: plan.warmUp }, 'warm-up');
  const measurements = workloads.flatMap((workload) =>
    contenders
      .filter(
        ({ cursor, only = workload.name }) => (workload.only ?? cursor) === cursor && only === workload.name,
      )
      .map((contender) => ({ workload, contender, samples: new Array<Sample>() })),
  );
  for (let round = 0; round <= plan.rounds; round++) {
    if (round > 0) print(`round ${round} of ${plan.rounds} …`);
    for (const { workload, contender, samples } of measurements) {
      const salt = `${round} ${contender.name} ${Date.now()} `;
      // Reopens idle connections of the pools before the measurement.
      await measure(contender, workload, { requests: plan.leadIn }, `${salt}lead-in`);
      const sample = await measure(contender, workload, extent, salt);
      if (round > 0) samples.push(sample);
    }
  }
  return measurements.map(({ workload, contender, samples }) => ({
    workload: workload.name,
    contender: contender.name,
    samples,
  }));
}

async function versionsOf({ url }: Database): Promise<Record<string, string>> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ version: string }>(`SELECT split_part(version(), ' ', 2) AS version`),
  );
  return { 'Node.js': process.versions.node, PostgreSQL: rows[0]?.version ?? 'unknown' };
}

/** Compares the service with all status pages and with few. Both are freshly started, on unchanged data. */
async function compareSizes(
  url: string,
  database: Database,
  drawn: Draw,
  few: string,
): Promise<Measurement[]> {
  const small = await prepareDatabase(url, few, FEW_PAGES);
  const contenders = [
    await startService(SERVICE, database, drawn),
    await startService(SMALL, small, await draw(small)),
  ];
  const measurements = await measureAll([BY_SIZE], contenders);
  for (const { server } of contenders) await server.stop();
  return measurements;
}

/** Runs the benchmark with databases on the server of `url`. */
async function run(url: string, names: { all: string; few: string }): Promise<Results> {
  const database = await prepareDatabase(url, names.all, plan.pages);
  const drawn = await draw(database);
  const bySize = isFullRun ? await compareSizes(url, database, drawn, names.few) : [];
  const also = options.also.map((one) => one.split('='));
  const contenders = [
    await startBaseline(CEILING, BASELINES.nodeHttp, database, drawn),
    await startBaseline(EXPRESS, BASELINES.express, database, drawn),
    await startService(SERVICE, database, drawn),
    await startWithoutRevisions(database, drawn),
  ];
  for (const [name = '', folder = ''] of also)
    contenders.push(await startService(name, database, drawn, resolve(folder, 'bin/serve')));
  await compareAnswers(contenders);
  const measurements = await measureAll(plan.workloads, contenders);
  const peaks: Results['peaks'] = {};
  for (const { name, server } of contenders) peaks[name] = (await server.memory())?.peak ?? null;
  for (const server of servers) await server.stop();

  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB`,
    versions: await versionsOf(database),
    pages: plan.pages,
    rounds: plan.rounds,
    seconds: plan.seconds,
    measurements: [...measurements, ...bySize],
    peaks,
    ...(options.workload.length === 0 ? await checkProcess(database, drawn) : NOT_CHECKED),
  };
}

const NOT_CHECKED = { memory: null, start_seconds: null, embedded_start_seconds: null };

/** Measures the service alone: memory over many requests, and start times. */
async function checkProcess(
  database: Database,
  drawn: Draw,
): Promise<Pick<Results, 'memory' | 'start_seconds' | 'embedded_start_seconds'>> {
  print(`memory over ${plan.requests} requests …`);
  const service = await startService(SERVICE, database, drawn);
  const memory = await measureMemory(service, plan.requests);
  await service.server.stop();
  print('starts …');
  return {
    memory,
    start_seconds: await measureStart(database.url, plan.starts),
    embedded_start_seconds: await measureEmbeddedStart(plan.starts),
  };
}

/** Measures reports, days and summaries in a separate database. */
async function runHistory(url: string, name: string): Promise<string> {
  const database = await prepareDatabase(url, name, FEW_PAGES);
  return measureHistory(database, options.quick).finally(() => dropDatabase(url, name));
}

/** Measures mail to subscribers in a separate database. */
async function runMail(url: string, name: string): Promise<string> {
  const database = await prepareDatabase(url, name, FEW_PAGES);
  return measureMail(database, options.quick).finally(() => dropDatabase(url, name));
}

/** Measures webhooks in a separate database. */
async function runWebhooks(url: string, name: string): Promise<string> {
  const database = await prepareDatabase(url, name, FEW_PAGES);
  return measureWebhooks(database, options.quick).finally(() => dropDatabase(url, name));
}

/** Measures messages of one organization beside work of another, in a separate database. */
async function runFairness(url: string, name: string): Promise<string> {
  const database = await prepareDatabase(url, name, FEW_PAGES);
  return measureFairness(database, options.quick).finally(() => dropDatabase(url, name));
}

/** Measures visits of a public page in a separate database. */
async function runHerd(url: string, name: string): Promise<string> {
  const database = await prepareDatabase(url, name, FEW_PAGES);
  return measureHerd(database, options.quick).finally(() => dropDatabase(url, name));
}

/** Measures visits by domain in a separate database. */
async function runDomains(url: string, name: string): Promise<string> {
  const database = await prepareDatabase(url, name, FEW_PAGES);
  return measureDomains(database, options.quick).finally(() => dropDatabase(url, name));
}

/** Measures arrivals above the capacity in a separate database. */
async function runOverload(url: string, name: string): Promise<string> {
  const database = await prepareDatabase(url, name, FEW_PAGES);
  try {
    const kept = await measureOverload(database, options.quick);
    return `${kept}\n\n${await measureFresh(database, options.quick)}`;
  } finally {
    await dropDatabase(url, name);
  }
}

const url = process.env['DATABASE_URL'];
if (!url) throw new Error('set DATABASE_URL to a PostgreSQL server on which the role can create databases');
const suffix = randomBytes(4).toString('hex');
const names = options.quick
  ? { all: `status_pages_bench_${suffix}`, few: '' }
  : { all: `status_pages_bench_${PAGES}`, few: `status_pages_bench_${FEW_PAGES}` };
try {
  // PATCH requests of earlier runs have moved rows of this database, but not of the small one.
  if (isFullRun) await dropDatabase(url, names.all);
  const { history, mail, webhooks, fairness, herd, domains, overload, growth } = options;
  const isPart = history || mail || webhooks || fairness || herd || domains || overload || growth;
  const results = isPart ? undefined : await run(url, names);
  const isWhole = !isPart && options.workload.length === 0;
  const markdown = [
    ...(results ? [toMarkdown(results)] : []),
    ...(isWhole || history ? [await runHistory(url, `status_pages_bench_history_${suffix}`)] : []),
    ...(isWhole || mail ? [await runMail(url, `status_pages_bench_mail_${suffix}`)] : []),
    ...(isWhole || webhooks ? [await runWebhooks(url, `status_pages_bench_webhooks_${suffix}`)] : []),
    ...(isWhole || fairness ? [await runFairness(url, `status_pages_bench_fairness_${suffix}`)] : []),
    ...(herd || (isWhole && !options.quick) ? [await runHerd(url, `status_pages_bench_herd_${suffix}`)] : []),
    ...(domains || (isWhole && !options.quick)
      ? [await runDomains(url, `status_pages_bench_domains_${suffix}`)]
      : []),
    ...(overload || (isWhole && !options.quick)
      ? [await runOverload(url, `status_pages_bench_overload_${suffix}`)]
      : []),
    ...(growth
      ? [await measureGrowth(url, { pages: Number(options.pages), keys: Number(options.keys) })]
      : []),
  ].join('\n\n');
  await mkdir(RESULTS, { recursive: true });
  const file = `${RESULTS}/${new Date().toISOString().replaceAll(/[:.]/g, '-')}${options.quick ? '-quick' : ''}`;
  if (results) await writeFile(`${file}.json`, JSON.stringify(results, null, 2));
  await writeFile(`${file}.md`, `${markdown}\n`);
  print(`\n${markdown}\n\nwritten to ${file}.md`);
  if (options.check && results && targets(results).some(({ isMet: holds }) => !holds)) process.exitCode = 1;
} finally {
  for (const server of servers) await server.stop();
  if (options.quick) await dropDatabase(url, names.all);
}
