// The upper bound for webhooks: a loop that signs bodies and posts them with undici. `POST /rows` also writes the rows that the
// service writes for its deliveries. `POST /sender` uses `WebhookSender` without rows, and so measures its memory. The response
// comes after the last request.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';
import { loadEnv } from '../../src/platform/config/env.js';
import { Dns } from '../../src/platform/network/dns.js';
import { NetworkGuard } from '../../src/platform/network/network-guard.js';
import { signatureHeaders } from '../../src/webhooks/outbound/signature.js';
import { WebhookSender } from '../../src/webhooks/outbound/webhook-sender.js';
import { DeliveryRows } from './delivery-rows.js';

const { HOST, PORT, DATABASE_URL = '' } = process.env;

/** The requests to post. */
interface Order {
  count: number;
  /** Beginning of the URLs. The rest is a number. */
  url: string;
  body: string;
  secret: string;
  concurrency: number;
}

const pools = new Map<string, Pool>();
const env = loadEnv({ EMBEDDED: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
const sender = new WebhookSender(new NetworkGuard(env, new Dns(env)));

function poolOf(origin: string, connections: number): Pool {
  const pool = pools.get(origin) ?? new Pool(origin, { connections });
  pools.set(origin, pool);
  return pool;
}

type Post = (url: URL, headers: Record<string, string>) => Promise<unknown>;

async function postOne(order: Order, number: number, post: Post): Promise<void> {
  const message = { id: randomUUID(), timestamp: new Date(), body: order.body };
  await post(new URL(`${order.url}${number}`), signatureHeaders(message, [order.secret]));
}

async function postAll(order: Order, post: Post): Promise<void> {
  let next = 0;
  const loops = Array.from({ length: order.concurrency }, async () => {
    for (let number = next++; number < order.count; number = next++) await postOne(order, number, post);
  });
  await Promise.all(loops);
}

async function handle(path: string, order: Order): Promise<void> {
  const { body, concurrency } = order;
  if (path === '/sender') return postAll(order, (url, headers) => sender.post(url.href, headers, body));
  const post: Post = async (url, headers) => {
    const response = await poolOf(url.origin, concurrency).request({
      method: 'POST',
      path: url.pathname,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    await response.body.dump();
  };
  if (path !== '/rows') return postAll(order, post);
  const rows = new DeliveryRows(DATABASE_URL);
  await rows.create();
  return rows.sendAll(order.count, concurrency, (number) => postOne(order, number, post));
}

createServer((request, response) => {
  const answer = async () => {
    if (request.method === 'POST') await handle(request.url ?? '', JSON.parse(await text(request)));
    response.end();
  };
  answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
}).listen(Number(PORT), HOST);
