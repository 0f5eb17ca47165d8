import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon, { type Result } from 'autocannon';
import type { Database } from './databases.js';
import { LARGE_PROJECT } from './fill.js';
import { percentile } from './percentile.js';
import { print } from './print.js';
import { Server, SERVICE, serviceEnv } from './processes.js';

/** A list of 100 status pages, so that PostgreSQL and the service are the limit, not the generator. */
const PATH = `/v1/status-pages?project_id=${LARGE_PROJECT}&limit=100`;
/** A client disconnects after this time. */
const PATIENCE_MS = 2_000;
const TICK_MS = 10;
const PROBE_MS = 100;
const TIMES = [1, 2, 5];

interface Answer {
  sent: number;
  status: number;
  time: number;
}

interface Phase {
  times: number;
  goodput: number;
  refusals: number;
  refusalTime: number;
  liveP99: number;
  memory: number;
  recovery: number;
  after: number;
}

/** Measures arrivals above the capacity, in one run of one process. Returns the results as Markdown. */
export async function measureOverload(database: Database, isQuick: boolean): Promise<string> {
  const seconds = isQuick ? 1 : 15;
  const server = await Server.start(SERVICE.server, (port) => serviceEnv(database.url, port));
  try {
    const load = new Arrivals(server, database.key);
    await load.capacity(seconds);
    const capacity = await load.capacity(seconds);
    print(`overload: capacity ${Math.round(capacity)} lists of 100 a second …`);
    const idle = await load.liveAtRest(seconds);
    const phases: Phase[] = [];
    for (const times of TIMES) phases.push(await load.phase(times, capacity, seconds));
    const [normal] = phases;
    return [
      `| arrivals | goodput of capacity | rejected | p99 of a rejection, ms | /health/live p99, ms (idle ${idle.toFixed(1)}) | memory of 1× | recovery, s | served in the 5 s after |`,
      '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
      ...phases.map(
        (one) =>
          `| ${one.times}× | ${one.goodput.toFixed(2)} | ${one.refusals} | ${one.refusalTime.toFixed(0)} | ${one.liveP99.toFixed(1)} | ${(one.memory / (normal?.memory ?? NaN)).toFixed(2)} | ${one.recovery.toFixed(1)} | ${one.after.toFixed(3)} |`,
      ),
    ].join('\n');
  } finally {
    await server.stop();
  }
}

/** Clients that send independently of each other. */
class Arrivals {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    private readonly server: Server,
    private readonly key: string,
  ) {}

  /** Lists a second over 16 connections. */
  async capacity(duration: number): Promise<number> {
    const { url } = this.server;
    const headers = { Authorization: `Bearer ${this.key}` };
    const result = await new Promise<Result>((resolve, reject) => {
      autocannon({ url: url + PATH, connections: 16, duration, headers }, (error: unknown, found) =>
        error instanceof Error ? reject(error) : resolve(found),
      );
    });
    return result['2xx'] / result.duration;
  }

  async liveAtRest(seconds: number): Promise<number> {
    const ended = new AbortController();
    const probing = this.probe(ended.signal);
    await delay(seconds * 1_000);
    ended.abort();
    return percentile(await probing, 0.99);
  }

  /** Arrivals at a multiple of the capacity, then five seconds at half of it. */
  async phase(times: number, capacity: number, seconds: number): Promise<Phase> {
    print(`overload: ${times} × …`);
    const ended = new AbortController();
    const probing = this.probe(ended.signal);
    const { answers, memory } = await this.arrive(times * capacity, seconds);
    ended.abort();
    const { answers: later } = await this.arrive(capacity / 2, 5);
    const refusals = answers.filter(({ status }) => status === 503);
    const [firstLater] = later;
    const bad = later.filter(({ status }) => status !== 200).map(({ sent }) => sent);
    return {
      times,
      goodput: answers.filter(({ status }) => status === 200).length / seconds / capacity,
      refusals: refusals.length,
      refusalTime: percentile(
        refusals.map(({ time }) => time),
        0.99,
      ),
      liveP99: percentile(await probing, 0.99),
      memory,
      recovery: bad.length === 0 ? 0 : (Math.max(...bad) - (firstLater?.sent ?? 0)) / 1_000,
      after: later.filter(({ status }) => status === 200).length / later.length,
    };
  }

  private async arrive(rate: number, seconds: number): Promise<{ answers: Answer[]; memory: number }> {
    const requests: Promise<Answer>[] = [];
    const start = performance.now();
    let memory = 0;
    for (let tick = 0; performance.now() - start < seconds * 1_000; tick++) {
      const due = Math.floor(((performance.now() - start) / 1_000) * rate);
      while (requests.length < due) requests.push(this.ask(PATH));
      if (tick % 20 === 0) memory = Math.max(memory, (await this.server.memory())?.now ?? NaN);
      await delay(TICK_MS);
    }
    return { answers: await Promise.all(requests), memory };
  }

  private async probe(signal: AbortSignal): Promise<number[]> {
    const times: number[] = [];
    while (!signal.aborted) {
      const { time } = await this.ask('/health/live');
      times.push(time);
      await delay(PROBE_MS);
    }
    return times;
  }

  /** The status is 0 if the client has disconnected. */
  private ask(path: string): Promise<Answer> {
    const sent = performance.now();
    return new Promise((resolve) => {
      const end = (status: number) => resolve({ sent, status, time: performance.now() - sent });
      const request = get(
        this.server.url + path,
        { agent: this.agent, headers: { Authorization: `Bearer ${this.key}` } },
        (response) => response.resume().once('end', () => end(response.statusCode ?? 0)),
      );
      const timer = setTimeout(() => request.destroy(), PATIENCE_MS);
      request.once('close', () => {
        clearTimeout(timer);
        end(0);
      });
      request.on('error', () => undefined);
    });
  }
}
