import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { DomainChanges } from '../cluster/messages.js';
import { DomainSet } from './domain-set.js';
import { limitConnections } from './limit-connections.js';

// Runs in a worker thread, so that a busy event loop does not delay health checks. Loads no other service code than domain names need.

/** Start options of the thread. */
export interface AdminOptions {
  host: string;
  port: number;
  /** Time of the last heartbeat of the main thread, in nanoseconds of `process.hrtime`. */
  heartbeat: BigInt64Array;
  /** Age of the last heartbeat from which the main thread is considered stuck, in milliseconds. */
  stuckMs: number;
  /** Time limit of the main thread for metrics or readiness, in milliseconds. */
  answerMs: number;
  /** Domains for which a proxy may obtain certificates. */
  domains: string[];
}

/** Requests that only the main thread can handle. */
export type Question = 'metrics' | 'ready';

/** Message from the thread: it listens, it failed to listen, or it sends a request. */
export type FromThread = { port: number } | { error: Error } | { id: number; question: Question };

/** Response of the main thread. `text` is undefined if there is no response. */
export interface Answer {
  id: number;
  text: string | undefined;
}

/** Message from the main thread. */
export type ToThread = Answer | { domains: DomainChanges };

const { host, port, heartbeat, stuckMs, answerMs, domains: served }: AdminOptions = workerData;

const domains = new DomainSet();
domains.change({ added: served, removed: [], isComplete: true });

/** Far more than scrapes and health checks need. An idle connection uses 15 kB. */
const MAX_CONNECTIONS = 1_000;
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const PATHS: Readonly<Record<string, (response: ServerResponse, query: string) => void>> = {
  '/metrics': (response) =>
    void ask('metrics').then((text) =>
      text === undefined ? sendStatus(response, 'unavailable') : send(response, 200, METRICS_TYPE, text),
    ),
  '/health/live': (response) => sendStatus(response, isStuck() ? 'unavailable' : 'ok'),
  '/health/ready': (response) =>
    void ask('ready').then((text) => sendStatus(response, text === undefined ? 'unavailable' : 'ok')),
  '/tls/ask': (response, query) =>
    domains.has(new URLSearchParams(query).get('domain') ?? undefined)
      ? send(response, 200, 'text/plain', 'Verified domain\n')
      : send(response, 404, 'text/plain', 'Not a verified domain\n'),
};

const waiting = new Map<number, (text: string | undefined) => void>();
let lastId = 0;

/** Sends a request to the main thread. Returns undefined if there is no response, or after the time limit. */
function ask(question: Question): Promise<string | undefined> {
  const id = (lastId += 1);
  return new Promise((resolve) => {
    const timer = setTimeout(() => answer(undefined), answerMs);
    const answer = (text: string | undefined) => {
      clearTimeout(timer);
      waiting.delete(id);
      resolve(text);
    };
    waiting.set(id, answer);
    post({ id, question });
  });
}

function post(message: FromThread): void {
  parentPort?.postMessage(message, []);
}

function isStuck(): boolean {
  const age = process.hrtime.bigint() - Atomics.load(heartbeat, 0);
  return age > BigInt(stuckMs) * 1_000_000n;
}

function respond({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = url.split('?', 2);
  const handle = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined;
  if (!handle) return send(response, 404, 'text/plain', 'Not found\n');
  if (method === 'GET' || method === 'HEAD') return handle(response, query);
  response.setHeader('Allow', 'GET, HEAD');
  send(response, 405, 'text/plain', 'Method not allowed\n');
}

function sendStatus(response: ServerResponse, status: 'ok' | 'unavailable'): void {
  send(response, status === 'ok' ? 200 : 503, 'application/json', JSON.stringify({ status }));
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  response.end(text); // Node.js sends no body in response to HEAD
}

const server = createServer(
  { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 },
  respond,
);
limitConnections(server, MAX_CONNECTIONS);
server.on('error', (error) => post({ error }));
server.listen(port, host, () => {
  const address = server.address();
  post({ port: typeof address === 'object' && address ? address.port : port });
});
parentPort?.on('message', (message: ToThread) => {
  if ('domains' in message) domains.change(message.domains);
  else waiting.get(message.id)?.(message.text);
});
