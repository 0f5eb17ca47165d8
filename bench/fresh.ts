import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cli, createKey, type Database, withClient } from './databases.js';
import { LARGE_PROJECT } from './fill.js';
import { insertLargePages, type LargePages } from './fresh-fill.js';
import { percentile } from './percentile.js';
import { print } from './print.js';
import { Server, SERVICE, serviceEnv } from './processes.js';

const LISTS = 590;
const LISTS_PER_SECOND = 100;
const LARGE_PAGES = 50;
const VISITS_PER_SECOND = 50;
/** The parts of a public page that are rendered separately. */
const PARTS = ['', '/history', '/feed.rss', '/feed.atom', '/feed.json', '/api/v2/summary.json', '/badge.svg'];
const PROBE_MS = 100;
const PATIENCE_MS = 10_000;
const TIMES = [2, 5];

/** The result of a client: the status of the first response, or 0 without a response. */
interface Answer {
  status: number;
  time: number;
}

/**
 * Response times of other clients during the load, in milliseconds, and the memory of the service, in MB (10^6
 * bytes).
 */
interface Meanwhile {
  live: Answer[];
  other: Answer[];
  memory: number;
}

interface Attacker extends LargePages {
  key: string;
}

/**
 * Measures clients that open a connection for each request. A server accepts new connections between the turns of its
 * event loop, so these clients see waits that persistent connections do not. Returns the results as Markdown.
 */
export async function measureFresh(database: Database, isQuick: boolean): Promise<string> {
  const { id } = await cli(database.url, 'organization', 'create', '--name', 'Large');
  const key = await createKey(database.url, id);
  const pages = await withClient(database.url, (client) => insertLargePages(client, id, LARGE_PAGES));
  const attacker = { ...pages, key };
  const seconds = isQuick ? 0.5 : 15;
  return [
    '| lists of one organization, new connections | 200 | 503, 429 | unanswered | /health/live p99, max, ms | list of another organization p99, max, ms | memory, MB |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    await measureLists(database, attacker, { isRead: true, count: isQuick ? 10 : LISTS }),
    await measureLists(database, attacker, { isRead: false, count: isQuick ? 10 : LISTS }),
    await measurePipelined(database, attacker),
    await measureFlood(database, attacker, seconds),
    '',
    '| arrivals, new connections | goodput of capacity | rejected | unanswered | /health/live p99, max, ms |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...(await measureArrivals(database, seconds)),
  ].join('\n');
}

/** Large lists of one organization within the default rate limit, read or not read. */
async function measureLists(
  database: Database,
  attacker: Attacker,
  { isRead, count }: { isRead: boolean; count: number },
): Promise<string> {
  const name = `${count} of 5 MB at ${LISTS_PER_SECOND} a second, ${isRead ? 'read' : 'not read'}`;
  print(`new connections: ${name} …`);
  return withServer(database, { RATE_LIMIT: '' }, async (server) => {
    const path = `/v1/status-pages?project_id=${attacker.project_id}&limit=100`;
    const requests: FreshRequest[] = [];
    const meanwhile = await probe(server, database, async () => {
      await arrive(LISTS_PER_SECOND, count / LISTS_PER_SECOND, () => {
        requests.push(new FreshRequest(server.url, path, { key: attacker.key, isRead }));
      });
      await Promise.all(requests.map(({ answer }) => answer));
    });
    return row(name, await endAll(requests), meanwhile);
  });
}

/** Large lists, five at a time over a connection that reads no response. */
async function measurePipelined(database: Database, attacker: Attacker): Promise<string> {
  const name = '200 × 5 of 5 MB pipelined, not read';
  print(`new connections: ${name} …`);
  return withServer(database, { RATE_LIMIT: '0' }, async (server) => {
    const path = `/v1/status-pages?project_id=${attacker.project_id}&limit=100`;
    const requests: FreshRequest[] = [];
    const meanwhile = await probe(server, database, async () => {
      for (let count = 0; count < 200; count++)
        requests.push(new FreshRequest(server.url, path, { key: attacker.key, isRead: false, times: 5 }));
      await Promise.all(requests.map(({ answer }) => answer));
      await delay(5_000);
    });
    return row(name, await endAll(requests), meanwhile);
  });
}

/** First visits of large public pages by clients without a key. */
async function measureFlood(database: Database, { slugs }: Attacker, seconds: number): Promise<string> {
  const name = `${VISITS_PER_SECOND} first visits of 1 MB a second, without a key`;
  print(`new connections: ${name} …`);
  return withServer(database, {}, async (server) => {
    const requests: FreshRequest[] = [];
    const meanwhile = await probe(server, database, async () => {
      await arrive(VISITS_PER_SECOND, seconds, () => {
        const slug = slugs[requests.length % slugs.length] ?? '';
        const part = PARTS[Math.floor(requests.length / slugs.length) % PARTS.length] ?? '';
        requests.push(new FreshRequest(server.url, `/status/${slug}${part}`, { isCompressed: true }));
      });
      await Promise.all(requests.map(({ answer }) => answer));
    });
    return row(name, await endAll(requests), meanwhile);
  });
}

/** Arrivals above the capacity, which is measured with 16 clients that open a connection for each list. */
async function measureArrivals(database: Database, seconds: number): Promise<string[]> {
  return withServer(database, {}, async (server) => {
    // If taskset is available, the service runs on one core, and this process on the other.
    await pin(server.pid, '0');
    await pin(process.pid, '1');
    try {
      const path = `/v1/status-pages?project_id=${LARGE_PROJECT}&limit=100`;
      const list = () => new FreshRequest(server.url, path, { key: database.key, patience: PATIENCE_MS });
      await capacityOf(list, seconds);
      const capacity = await capacityOf(list, seconds);
      const rows: string[] = [];
      for (const times of TIMES) {
        print(`new connections: ${times} × ${Math.round(capacity)} lists of 100 a second …`);
        const requests: FreshRequest[] = [];
        const { live } = await probe(server, database, async () => {
          await arrive(times * capacity, seconds, () => requests.push(list()));
          await Promise.all(requests.map(({ answer }) => answer));
        });
        const answers = await endAll(requests);
        const goodput = answers.filter(({ status }) => status === 200).length / seconds / capacity;
        rows.push(
          `| ${times}× | ${goodput.toFixed(2)} | ${count(answers, 503)} | ${count(answers, 0)} | ${worst(live)} |`,
        );
      }
      return rows;
    } finally {
      await pin(process.pid, '0-1');
    }
  });
}

async function capacityOf(list: () => FreshRequest, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let served = 0;
  const client = async () => {
    while (performance.now() < until) if ((await list().answer).status === 200) served += 1;
  };
  await Promise.all(Array.from({ length: 16 }, client));
  return served / seconds;
}

/** Starts requests at a constant rate, independent of earlier responses. */
async function arrive(rate: number, seconds: number, start: () => void): Promise<void> {
  const begun = performance.now();
  for (let count = 0; count < rate * seconds; await delay(1))
    for (const due = ((performance.now() - begun) / 1_000) * rate; count < due; count++) start();
}

/** Sends requests of other clients on new connections while `work` runs. */
async function probe(server: Server, { key }: Database, work: () => Promise<void>): Promise<Meanwhile> {
  const path = `/v1/status-pages?project_id=${LARGE_PROJECT}&limit=25`;
  const started: { live: Promise<Answer>[]; other: Promise<Answer>[] } = { live: [], other: [] };
  const done = new AbortController();
  let memory = 0;
  const probing = (async () => {
    for (; !done.signal.aborted; await delay(PROBE_MS)) {
      started.live.push(new FreshRequest(server.url, '/health/live', {}).answer);
      started.other.push(new FreshRequest(server.url, path, { key }).answer);
      memory = Math.max(memory, (await server.memory())?.now ?? NaN);
    }
  })();
  await work().finally(() => done.abort());
  await probing;
  return { live: await Promise.all(started.live), other: await Promise.all(started.other), memory };
}

const BUFFER = new Uint8Array(256 * 1024);

/** A request on a separate connection. */
class FreshRequest {
  /** The time at which the response is complete, or has begun if the client does not read. */
  readonly answer: Promise<Answer>;
  private readonly socket: Socket;

  constructor(
    url: string,
    path: string,
    {
      key = '',
      isRead = true,
      isCompressed = false,
      times = 1,
      patience = 60_000,
    }: { key?: string; isRead?: boolean; isCompressed?: boolean; times?: number; patience?: number },
  ) {
    const { hostname, port } = new URL(url);
    const sent = performance.now();
    const headers = [
      ...(times === 1 && isRead ? ['Connection: close'] : []),
      ...(isCompressed ? ['Accept-Encoding: br'] : []),
      ...(key === '' ? [] : [`Authorization: Bearer ${key}`]),
    ];
    const request = [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
    let status = 0;
    // All connections read into one buffer, because streams of Node.js would take more CPU time than the service.
    const callback = (_: number, bytes: Uint8Array) => {
      status ||= Number(String.fromCharCode(...bytes.subarray(9, 12)));
      if (!isRead) this.socket.emit('begun');
      return isRead;
    };
    this.socket = connect({ port: Number(port), host: hostname, onread: { buffer: BUFFER, callback } });
    this.answer = new Promise((resolve) => {
      const end = () => resolve({ status, time: performance.now() - sent });
      this.socket.once('begun', end).once('close', end);
    });
    this.socket.on('error', () => undefined);
    this.socket.setTimeout(patience, () => this.end());
    this.socket.write(request.repeat(times));
  }

  end(): void {
    this.socket.destroy();
  }
}

async function endAll(requests: FreshRequest[]): Promise<Answer[]> {
  for (const request of requests) request.end();
  return Promise.all(requests.map(({ answer }) => answer));
}

async function withServer<T>(
  { url }: Database,
  env: NodeJS.ProcessEnv,
  work: (server: Server) => Promise<T>,
): Promise<T> {
  const server = await Server.start(SERVICE.server, (port) => ({ ...serviceEnv(url, port), ...env }));
  return work(server).finally(() => server.stop());
}

async function pin(pid: number | undefined, cores: string): Promise<void> {
  await promisify(execFile)('taskset', ['-a', '-c', '-p', cores, String(pid)]).catch(() => undefined);
}

function row(name: string, answers: Answer[], { live, other, memory }: Meanwhile): string {
  const refused = `${count(answers, 503)}, ${count(answers, 429)}`;
  return `| ${name} | ${count(answers, 200)} | ${refused} | ${count(answers, 0)} | ${worst(live)} | ${worst(other)} | ${memory.toFixed(0)} |`;
}

const count = (answers: Answer[], status: number) => answers.filter((one) => one.status === status).length;

function worst(answers: Answer[]): string {
  const times = answers.map(({ status, time }) => (status === 200 ? time : Infinity));
  return `${percentile(times, 0.99).toFixed(0)}, ${Math.max(...times).toFixed(0)}`;
}
