import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { adminUrlOf } from '../support/metrics.js';
import { Program } from '../support/process.js';
import { RawConnection } from '../support/raw-connection.js';
import { useCluster } from './support/cluster.js';
import { Service } from './support/service.js';

const COUNT = 300;
/**
 * The timeout for headers is 10 s, checked once a second. On a busy machine, closing all connections takes a
 * while.
 */
const MAX_OPEN_MS = 20_000;

const cluster = useCluster();

afterEach(() => Program.killAll());

/**
 * Sends a byte of the headers every two seconds until the server closes the connection. Returns the
 * milliseconds.
 */
async function trickle(url: string): Promise<number> {
  const started = performance.now();
  const connection = new RawConnection(url).send('GET /health/live HTTP/1.1\r\nHost: x\r\nX-');
  while (!connection.socket.closed) {
    connection.send('x');
    await Promise.race([delay(2_000), connection.closed]);
  }
  return performance.now() - started;
}

describe('slow clients', () => {
  it('on hundreds of connections are disconnected after 10 seconds in flat memory', async () => {
    const url = await cluster.current.database();
    const service = await Service.start({ ...url, ADMIN_PORT: '0' }, cluster.current.seed);
    const admin = await adminUrlOf(service.program);
    await service.recovers();
    const before = await service.memory();

    const slow = [service.url, admin].flatMap((one) => Array.from({ length: COUNT }, () => trickle(one)));
    const over = new AbortController();
    const closed = Promise.all(slow).finally(() => over.abort());
    const statuses = new Set<number>();
    let slowest = 0;
    while (!over.signal.aborted) {
      const started = performance.now();
      statuses.add((await service.ask('/health/live')).status);
      statuses.add((await service.ask('/v1/me')).status);
      for (const path of ['/health/live', '/metrics']) statuses.add((await fetch(admin + path)).status);
      slowest = Math.max(slowest, performance.now() - started);
      expect((await service.memory()) - before).toBeLessThan(100);
      await delay(200);
    }
    const times = await closed;
    expect([...statuses]).toEqual([200]);
    expect(slowest).toBeLessThan(5_000);
    expect(Math.min(...times)).toBeGreaterThan(9_000);
    expect(Math.max(...times)).toBeLessThan(MAX_OPEN_MS);
    await service.stop();
  });
});
