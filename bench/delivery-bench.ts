import { Agent, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { backendTimes, backendTimeSince, type Database, withClient } from './databases.js';
import type { Server } from './processes.js';

const POLL_MS = 50;
/** Time without a message after which sending is regarded as broken. */
const STALLED_MS = 120_000;

/** Messages that the other side has received; times in ms. */
interface Received {
  count: number;
  first: number;
  last: number;
  /** The first message. */
  message: string;
}

/** One batch of messages: messages per second, and CPU time per message of the senders and of PostgreSQL, in ms. */
export interface DeliverySample {
  rate: number;
  cpu: number;
  backends: number;
}

/** Measures deliveries to a sink in a separate process. GET of its URL returns the counts, POST resets them. */
export class DeliveryBench {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  protected readonly servers = new Set<Server>();

  protected constructor(
    protected readonly database: Database,
    private readonly sink: Server,
  ) {
    this.servers.add(sink);
  }

  async stop(...servers: Server[]): Promise<void> {
    for (const server of servers.length > 0 ? servers : this.servers) {
      await server.stop();
      this.servers.delete(server);
    }
  }

  /** Waits until the sink has received so many messages since the beginning of the batch. */
  async receives(count: number): Promise<void> {
    for (let last = performance.now(), before = 0; ; await delay(POLL_MS)) {
      const received = await this.received();
      if (received.count >= count) return;
      if (received.count > before) last = performance.now();
      if (performance.now() - last > STALLED_MS)
        throw new Error(`no further message after ${received.count} of ${count}`);
      before = received.count;
    }
  }

  async received(): Promise<Received> {
    const received: Received = JSON.parse(await (await fetch(this.sink.url)).text());
    return received;
  }

  async reset(): Promise<void> {
    await fetch(this.sink.url, { method: 'POST' });
  }

  /** Ends what has not been sent. */
  async discard(): Promise<void> {
    await withClient(this.database.url, async (client) => {
      await client.query('UPDATE events SET due_at = NULL WHERE due_at IS NOT NULL');
      await client.query(`DELETE FROM deliveries WHERE status = 'pending'`);
    });
  }

  /** Waits until all results are written. */
  protected async settles(): Promise<void> {
    await withClient(this.database.url, async (client) => {
      for (;;) {
        const { rows } = await client.query(
          `SELECT FROM deliveries WHERE status = 'pending' UNION ALL SELECT FROM events WHERE due_at IS NOT NULL LIMIT 1`,
        );
        if (rows.length === 0) return;
        await delay(POLL_MS);
      }
    });
  }

  protected async sample(
    senders: Server[],
    count: number,
    send: () => Promise<unknown>,
  ): Promise<DeliverySample> {
    const cpu = async () => {
      const times = await Promise.all(senders.map((server) => server.processorTime()));
      return times.reduce((total, time) => total + time, 0);
    };
    await this.reset();
    const [cpuBefore, before] = [await cpu(), await backendTimes(this.database.url)];
    await send();
    const received = await this.received();
    if (received.count !== count) throw new Error(`${received.count} messages instead of ${count}`);
    return {
      rate: ((received.count - 1) / (received.last - received.first)) * 1000,
      cpu: (((await cpu()) - cpuBefore) / count) * 1000,
      backends: ((await backendTimeSince(this.database.url, before)) / count) * 1000,
    };
  }

  /** Sends a request that must succeed, and returns the response. */
  async post(server: Server, path: string, body: object): Promise<string> {
    const sent = request(server.url + path, {
      method: 'POST',
      agent: this.agent,
      headers: { Authorization: `Bearer ${this.database.key}`, 'Content-Type': 'application/json' },
    }).end(JSON.stringify(body));
    const [response]: IncomingMessage[] = await once(sent, 'response');
    const answer = response ? await text(response) : '';
    if (response?.statusCode !== 200 && response?.statusCode !== 201)
      throw new Error(`POST ${path}: ${response?.statusCode} ${answer}`);
    return answer;
  }
}
