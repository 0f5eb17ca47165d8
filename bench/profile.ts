// Profiles the service under load, and sums self time by package and by function.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareDatabase } from './databases.js';
import { measure } from './measure.js';
import { Server, SERVICE, serviceEnv } from './processes.js';
import { print } from './print.js';
import { draw, WORKLOADS } from './workloads.js';

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '10' },
    workload: { type: 'string', default: WORKLOADS[0].name },
    top: { type: 'string', default: '25' },
    program: { type: 'string', default: SERVICE.modules },
  },
});

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const GROUPS: [string, RegExp][] = [
  ['pg', /^(pg|pg-.*|postgres-.*)$/],
  ['Express', /^(express|router|path-to-regexp|parseurl|send|on-finished|accepts|vary|content-.*)$/],
  ['NestJS', /^(@nestjs\/(core|common|platform-express)|rxjs|reflect-metadata)$/],
  ['passport', /^(@nestjs\/passport|passport.*)$/],
  ['class-validator, class-transformer', /^class-/],
  ['pino', /^(pino.*|sonic-boom|quick-format-unescaped|safe-stable-stringify)$/],
];

/** Time outside JavaScript functions. */
const OUTSIDE = new Set(['(idle)', '(program)', '(garbage collector)', '(root)']);

const url = process.env['DATABASE_URL'];
if (!url) throw new Error('set DATABASE_URL to a PostgreSQL server on which the role can create databases');
const workload = WORKLOADS.find(({ name }) => name === options.workload);
if (!workload) throw new Error(`--workload must be one of: ${WORKLOADS.map(({ name }) => name).join('; ')}`);
const database = await prepareDatabase(url, `status_pages_bench_${options.pages}`, Number(options.pages));
const drawn = await draw(database);
const directory = await mkdtemp(join(tmpdir(), 'status-pages-profile-'));
try {
  const spawned = performance.now();
  const server = await Server.start(options.program, (port) => serviceEnv(database.url, port), {
    flags: ['--cpu-prof', `--cpu-prof-dir=${directory}`],
  });
  const service = { name: 'service', server, key: database.key, cursor: 'service', draw: drawn } as const;
  const startMs = performance.now() - spawned;
  const { rate } = await measure(
    service,
    workload,
    { seconds: Number(options.seconds) },
    `${Date.now()}`,
  ).finally(() => server.stop());
  const [file = ''] = await readdir(directory);
  const profile: Profile = JSON.parse(await readFile(join(directory, file), 'utf8'));
  print(`${workload.name}: ${rate.toFixed(0)} requests/s under the profiler\n`);
  summarize(profile, startMs);
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** Prints self time by package and by function, as a share of busy time after the startup. */
function summarize({ nodes, samples, timeDeltas }: Profile, startMs: number): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const packages = new Map<string, number>();
  const functions = new Map<string, number>();
  let elapsed = 0;
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const time = timeDeltas[index] ?? 0;
    const frame = frames.get(id);
    elapsed += time;
    if (elapsed < startMs * 1000 || !frame || frame.functionName === '(idle)') continue;
    total += time;
    const owner = ownerOf(frame);
    const file = frame.url.split('/').at(-1);
    const name = `${owner}: ${frame.functionName || 'anonymous'}${file ? `, ${file}:${frame.lineNumber + 1}` : ''}`;
    packages.set(owner, (packages.get(owner) ?? 0) + time);
    functions.set(name, (functions.get(name) ?? 0) + time);
  }
  for (const [title, times] of [
    ['self time in', packages],
    ['self time in the function', functions],
  ] as const) {
    print(`| ${title} | share |\n| --- | ---: |`);
    const sorted = [...times].toSorted(([, one], [, other]) => other - one).slice(0, Number(options.top));
    for (const [name, time] of sorted) print(`| ${name} | ${((time / total) * 100).toFixed(1)} % |`);
    print('');
  }
}

/** The package of a function. V8 attributes built-ins such as JSON.parse to their callers. */
function ownerOf({ functionName, url: file }: Profile['nodes'][number]['callFrame']): string {
  if (OUTSIDE.has(functionName)) return functionName;
  const [, name = ''] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (name === 'express' && functionName === 'stringify') return 'JSON.stringify';
  if (name) return GROUPS.find(([, pattern]) => pattern.test(name))?.[0] ?? name;
  const [, folder] = /\/dist\/modules\/src\/([^/]+)/.exec(file) ?? [];
  if (folder) return `src/${folder}`;
  if (file.includes('_http')) return 'node:http';
  return file.startsWith('node:') ? 'Node.js, other' : 'native';
}
