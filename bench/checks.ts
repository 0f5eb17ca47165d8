import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contender, measure, median } from './measure.js';
import { Server, SERVICE, serviceEnv } from './processes.js';
import { LARGE_PROJECT } from './fill.js';
import { WORKLOADS } from './workloads.js';

const SAMPLE_EVERY_MS = 250;

/** Memory of the service under load, in MB: after half of the requests, after all, and the peak. */
export interface Memory {
  requests: number;
  half: number;
  end: number;
  peak: number;
}

/**
 * Sends the same requests to each contender, and requires equal `data`. Compares parsed JSON, because PostgreSQL
 * writes spaces and node:http sends no `pagination`.
 */
export async function compareAnswers(contenders: Contender[]): Promise<void> {
  for (const [number, ask] of REQUESTS.entries()) {
    const answers: string[] = [];
    for (const contender of contenders) answers.push(await fetchData(contender, ask(contender)));
    const [first] = answers;
    assert.ok(first && first.length > 100, `request ${number}: the response is almost empty`);
    for (const [index, answer] of answers.entries())
      assert.equal(answer, first, `request ${number}: ${contenders[index]?.name} sends other data`);
  }
}

interface BenchRequest {
  path: string;
  patch?: object;
}

const REQUESTS: ((contender: Contender) => BenchRequest)[] = [
  ({ draw }) => ({ path: `?project_id=${draw.projects[0]}` }),
  ({ draw }) => ({ path: `?project_id=${draw.projects.at(-1)}` }),
  ({ draw }) => ({ path: `?project_id=${draw.single}` }),
  () => ({ path: `?project_id=${LARGE_PROJECT}&limit=100` }),
  ({ draw, cursor }) => ({ path: `?project_id=${LARGE_PROJECT}&cursor=${draw.last[cursor]}` }),
  ({ draw }) => ({ path: `/${draw.pages[0]?.id}` }),
  ({ draw }) => ({ path: `/${draw.pages[0]?.id}`, patch: { name: 'Compared' } }),
  ({ draw }) => ({ path: `/${draw.pages[0]?.id}`, patch: { sections: draw.pages[0]?.sections } }),
];

async function fetchData({ server, key }: Contender, { path, patch }: BenchRequest): Promise<string> {
  const response = await fetch(`${server.url}/v1/status-pages${path}`, {
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(patch && { method: 'PATCH', body: JSON.stringify(patch) }),
  });
  assert.equal(response.status, 200, path);
  const { data }: { data: object } = JSON.parse(await response.text());
  return JSON.stringify(patch ? { ...data, updated_at: 'now' } : data);
}

/** Median time until the service is ready, in seconds, over `times` starts. */
export async function measureStart(databaseUrl: string, times: number): Promise<number> {
  return medianOf(times, () => secondsToReady((port) => serviceEnv(databaseUrl, port)));
}

/** The same for the first startup with the embedded PostgreSQL, which creates the database. */
export async function measureEmbeddedStart(times: number): Promise<number> {
  return medianOf(times, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'status-pages-bench-'));
    return secondsToReady((port) => serviceEnv('', port, directory)).finally(() =>
      rm(directory, { recursive: true, force: true }),
    );
  });
}

async function secondsToReady(env: (port: number) => NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now();
  const server = await Server.start(SERVICE.server, env);
  const seconds = (performance.now() - started) / 1000;
  await server.stop();
  return seconds;
}

async function medianOf(times: number, one: () => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let time = 0; time < times; time++) found.push(await one());
  return median(found);
}

/** Measures the memory of the service under lists of 25; null if the system does not report it. */
export async function measureMemory(service: Contender, requests: number): Promise<Memory | null> {
  const half = await watchMemory(service, requests / 2);
  const end = await watchMemory(service, requests / 2);
  const memory = await service.server.memory();
  return half === null || end === null || memory === null ? null : { requests, half, end, peak: memory.peak };
}

/** Median resident memory in the last fifth of `requests` requests. */
async function watchMemory(service: Contender, requests: number): Promise<number | null> {
  const samples: (number | null)[] = [];
  const timer = setInterval(() => {
    void service.server.memory().then((memory) => samples.push(memory && memory.now));
  }, SAMPLE_EVERY_MS);
  await measure(service, WORKLOADS[0], { requests }, 'memory').finally(() => clearInterval(timer));
  const known = samples.flatMap((sample) => sample ?? []);
  return known.length === 0 ? null : median(known.slice(Math.floor(known.length * 0.8)));
}
