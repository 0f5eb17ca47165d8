import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AdmissionOptions, FairAdmission, leaveTurn, withoutTurn } from '../src/index.js';

interface Exchange {
  path: string;
  request: IncomingMessage;
  response: ServerResponse;
}

let server: Server;
let admission: FairAdmission;
/** Started requests, in order. */
let started: Exchange[];
let url: string;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Starts a server that uses the first path segment as the tenant. The test sends the responses. */
async function listen(options: AdmissionOptions<IncomingMessage>): Promise<void> {
  started = [];
  admission = new FairAdmission({ tenantOf: (request) => request.url?.split('/')[1] ?? '', ...options });
  server = createServer((request, response) => {
    admission.admit(request, response, () => started.push({ path: request.url ?? '', request, response }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** Sends a request, and waits until the server has received it. */
async function send(path: string, signal?: AbortSignal): Promise<{ response: Promise<Response> }> {
  const received = () => admission.turns.running + admission.turns.waiting + admission.counts.rejected;
  const before = received();
  const response = fetch(`${url}${path}`, { ...(signal && { signal }) });
  response.catch(() => undefined); // rejects if the test closes the server
  await vi.waitUntil(() => received() > before);
  return { response };
}

const paths = () => started.map(({ path }) => path);
const exchange = (path: string): Exchange => {
  const found = started.find((one) => one.path === path);
  if (!found) throw new Error(`${path} has not started`);
  return found;
};

describe('FairAdmission', () => {
  it('starts at most `total` concurrent requests, and the next one when a response ends', async () => {
    await listen({ total: 2 });
    for (const path of ['/a/1', '/a/2', '/a/3']) await send(path);
    expect(paths()).toEqual(['/a/1', '/a/2']);
    expect([admission.turns.running, admission.turns.waiting]).toEqual([2, 1]);
    exchange('/a/1').response.end();
    await vi.waitUntil(() => started.length === 3);
    expect(paths()).toEqual(['/a/1', '/a/2', '/a/3']);
  });

  it('starts the request of the tenant with the fewest running requests first', async () => {
    await listen({ total: 2 });
    for (const path of ['/many/1', '/many/2', '/many/3', '/many/4', '/few/1']) await send(path);
    exchange('/many/1').response.end();
    await vi.waitUntil(() => started.length === 3);
    expect(paths()).toEqual(['/many/1', '/many/2', '/few/1']);
  });

  it('keeps a slot free for other tenants if it has five or more slots', async () => {
    await listen({ total: 5 });
    for (let number = 1; number <= 5; number++) await send(`/many/${number}`);
    expect(paths()).toHaveLength(4);
    await send('/other/1');
    expect(paths().at(-1)).toBe('/other/1');
  });

  it('rejects the oldest queued request with 503 if the queue is full', async () => {
    await listen({ total: 1, waiting: 1 });
    await send('/a/1');
    const oldest = await send('/a/2');
    await send('/a/3');
    const { status, headers } = await oldest.response;
    expect([status, headers.get('Retry-After')]).toEqual([503, '1']);
    exchange('/a/1').response.end();
    await vi.waitUntil(() => started.length === 2);
    expect(paths()).toEqual(['/a/1', '/a/3']);
    expect(admission.counts).toEqual({ rejected: 1, abandoned: 0 });
  });

  it('rejects a request that times out in the queue with the response of the application', async () => {
    await listen({
      total: 1,
      patienceMs: 1,
      refuse: (_request, response) => response.writeHead(429).end(),
    });
    await send('/a/1');
    const late = await send('/a/2');
    expect((await late.response).status).toBe(429);
  });

  it('drops a queued request if its client disconnects', async () => {
    const onLeave = vi.fn<() => void>();
    await listen({ total: 1, onLeave });
    await send('/a/1');
    const client = new AbortController();
    await send('/a/2', client.signal);
    client.abort();
    await vi.waitUntil(() => admission.turns.waiting === 0);
    expect(admission.counts).toEqual({ rejected: 0, abandoned: 1 });
    expect(onLeave).toHaveBeenCalledTimes(1);
    exchange('/a/1').response.end();
    await vi.waitUntil(() => admission.turns.running === 0);
    expect(paths()).toEqual(['/a/1']);
  });

  it('releases the slot of a disconnected client only when the work of its request ends', async () => {
    await listen({ total: 1 });
    const client = new AbortController();
    await send('/a/1', client.signal);
    await send('/a/2');
    const { response } = exchange('/a/1');
    client.abort();
    await once(response, 'close');
    expect(admission.turns.running).toBe(1);
    expect(paths()).toEqual(['/a/1']);
    response.end();
    await vi.waitUntil(() => started.length === 2);
  });
});

describe('withoutTurn', () => {
  it('releases the slot while the work runs, and queues for it again', async () => {
    await listen({ total: 1 });
    await send('/a/1');
    await send('/b/1');
    const body = new EventEmitter();
    const rest = withoutTurn(exchange('/a/1').request, () => once(body, 'end'));
    await vi.waitUntil(() => started.length === 2);
    body.emit('end');
    await vi.waitUntil(() => admission.turns.waiting === 1);
    exchange('/b/1').response.end();
    await rest;
    expect([admission.turns.running, admission.turns.waiting]).toEqual([1, 0]);
  });

  it('throws the error of the application if the request does not get a slot in time', async () => {
    await listen({ total: 1, patienceMs: 1, createError: () => new Error('busy') });
    await send('/a/1');
    const body = new EventEmitter();
    const rest = withoutTurn(exchange('/a/1').request, () => once(body, 'end'));
    await send('/b/1');
    body.emit('end');
    await expect(rest).rejects.toThrow('busy');
  });
});

describe('leaveTurn', () => {
  it('starts another request before the response ends', async () => {
    await listen({ total: 1 });
    await send('/a/1');
    await send('/a/2');
    leaveTurn(exchange('/a/1').request);
    await vi.waitUntil(() => started.length === 2);
    expect(exchange('/a/1').response.writableEnded).toBe(false);
  });
});
