import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Program } from '../support/process.js';
import { RawConnection } from '../support/raw-connection.js';
import { useCluster } from './support/cluster.js';
import { NoAnswerError, Service } from './support/service.js';
import { expectSoundPages, Stream, Writer } from './support/writers.js';

const cluster = useCluster();
let service: Service;
let writers: Writer[];

beforeEach(async () => {
  service = await Service.start(await cluster.current.database(), cluster.current.seed);
  writers = await Writer.create(service, 4);
});
afterEach(() => Program.killAll());

/**
 * Sends the bytes of a request piece by piece until the server closes the connection. Returns the responses.
 */
async function sendSlowly(connection: RawConnection, head: string, piece: string): Promise<number[]> {
  connection.send(head);
  while (!connection.socket.closed) {
    connection.send(piece);
    await Promise.race([delay(1_000), connection.closed]);
  }
  return connection.statuses;
}

const connect = (count: number) => Array.from({ length: count }, () => new RawConnection(service.url));

describe('slow clients', () => {
  it('get 408 or cost bounded memory while others are served', async () => {
    const { key, project } = cluster.current.seed;
    const authorization = `Host: x\r\nAuthorization: Bearer ${key}\r\n`;
    // Status pages of 31 kB. A list of them has 125 kB.
    const sections = Array.from({ length: 100 }, (_, index) => ({
      id: `s${index}`,
      title: 'x'.repeat(200),
      monitor_ids: [],
    }));
    for (let page = 0; page < 4; page++) {
      const json = { project_id: project, name: 'Large', sections };
      expect((await service.ask('/v1/status-pages', { method: 'POST', json })).status).toBe(201);
    }
    const list = `/v1/status-pages?project_id=${project}&limit=4`;
    const { text } = await service.ask(list);
    expect(text.length).toBeGreaterThan(100_000);

    const before = await service.memory();
    const headers = connect(100).map((one) => sendSlowly(one, 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX-', 'x'));
    const patch = `PATCH /v1/status-pages/${writers[0]?.page} HTTP/1.1\r\n${authorization}`;
    const typed = `${patch}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
    const bodies = connect(100).map((one) => sendSlowly(one, typed, ' '));
    const readers = connect(100).map((one) =>
      one.send(`GET ${list} HTTP/1.1\r\n${authorization}\r\n`.repeat(40)),
    );
    for (const { socket } of readers) socket.pause();

    const stopWatching = service.watchLive();
    const stream = new Stream(service, writers);
    await stream.reaches(40);
    for (const statuses of await Promise.all(headers)) expect(statuses).toEqual([408]);
    for (const statuses of await Promise.all(bodies)) expect(statuses).toEqual([408]);
    // 100 readers with 40 responses of 125 kB each would need 500 MB.
    expect((await service.memory()) - before).toBeLessThan(300);
    await stream.reaches(40);

    // A reader that continues gets its complete responses.
    const [reader] = readers;
    reader?.socket.resume();
    await reader?.answers(1);
    for (const { socket } of readers) socket.destroy();
    await service.recovers();
    await stream.stop();
    await stopWatching();
    await expectSoundPages(writers);
    await service.stop();
  });
});

describe("load of five times the server's capacity", () => {
  it('causes 200 or 503 in bounded time and memory', async () => {
    const path = `/v1/status-pages?project_id=${cluster.current.seed.project}`;
    // The capacity is measured with eight clients that send one request after the other.
    const started = performance.now();
    let carried = 0;
    const client = async () => {
      while (performance.now() - started < 2_000) {
        await service.ask(path);
        carried += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    const perTick = Math.ceil((5 * carried) / 2_000);

    const before = await service.memory();
    const stopWatching = service.watchLive();
    const counts = new Map<number | string, number>();
    const count = (outcome: number | string) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const asked: Promise<unknown>[] = [];
    const ask = async () => {
      try {
        count((await service.ask(path)).status);
      } catch (error) {
        if (!(error instanceof NoAnswerError)) throw error;
        count('no answer');
      }
    };
    let largest = before;
    // Requests arrive without waiting for responses.
    for (const end = performance.now() + 6_000; performance.now() < end; await delay(1)) {
      for (let arrival = 0; arrival < perTick; arrival++) asked.push(ask());
      if (asked.length % 100 < perTick) largest = Math.max(largest, await service.memory());
    }
    await Promise.all(asked);
    expect([...counts.keys()].filter((outcome) => outcome !== 200 && outcome !== 503)).toEqual([]);
    expect(counts.get(200)).toBeGreaterThan(0);
    expect(largest - before).toBeLessThan(700);
    await service.recovers();
    await stopWatching();
    await service.stop();
  });
});
