import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Program } from '../support/process.js';
import { useCluster } from './support/cluster.js';
import { Service } from './support/service.js';
import { TcpProxy } from './support/tcp-proxy.js';
import { AFTER_BREAK, AFTER_FREEZE, expectSoundPages, Stream, Writer } from './support/writers.js';

const cluster = useCluster();
let network: TcpProxy;
let service: Service;
let writers: Writer[];
let stream: Stream;
let stopWatching: () => Promise<void>;

beforeEach(async () => {
  network = await TcpProxy.start(cluster.current.port);
  const env = await cluster.current.database();
  service = await Service.start(
    { ...env, DATABASE_URL: network.through(env.DATABASE_URL) },
    cluster.current.seed,
  );
  writers = await Writer.create(service, 8);
  stream = new Stream(service, writers);
  stopWatching = service.watchLive();
  await stream.reaches(40);
});
afterEach(async () => {
  await Program.killAll();
  await network.stop();
});

/**
 * Ends a test: after the network works again, the service recovers, and the pages show an allowed version.
 */
async function expectRecovery(options = AFTER_BREAK): Promise<void> {
  network.become({ kind: 'forward' });
  await service.recovers();
  await stream.reaches(40);
  await stream.stop();
  await stopWatching();
  await expectSoundPages(writers, options);
  await service.stop();
}

describe('network during a stream of updates', () => {
  it.each([
    ['closes all connections', () => network.cut()],
    ['resets all connections', () => network.reset()],
  ])('%s repeatedly without losing an update', async (_what, act) => {
    for (let round = 0; round < 10; round++) {
      act();
      await stream.reaches(10);
    }
    await expectRecovery();
  });

  it('accepts no new connections, which causes 503 until it recovers', async () => {
    network.become({ kind: 'refuse' });
    network.reset();
    await stream.reaches(40, 'refused');
    expect((await service.ask('/health/ready')).status).toBe(503);
    await expectRecovery();
  });

  it('delays each packet by 50 ms without a failed request', async () => {
    network.become({ kind: 'delay', ms: 50 });
    await stream.reaches(40);
    expect(writers.map((writer) => writer.count('refused'))).toEqual(writers.map(() => 0));
    await expectRecovery();
  });

  it('delays each packet by 6 s, which causes 503 until it recovers', async () => {
    network.become({ kind: 'delay', ms: 6_000 });
    await stream.reaches(8, 'refused');
    await expectRecovery(AFTER_FREEZE);
  });

  it('delivers 1 kB a second, and responses arrive in bounded time', async () => {
    network.become({ kind: 'drip', bytesPerSecond: 1_000 });
    // Lists of 25 kB take too long.
    const list = `/v1/status-pages?project_id=${cluster.current.seed.project}`;
    expect((await service.ask(list)).status).toBe(503);
    await delay(2_000);
    await expectRecovery(AFTER_FREEZE);
  });

  it('drops all packets, which causes 503 in bounded time', async () => {
    network.become({ kind: 'black-hole' });
    expect((await service.ask('/health/ready')).status).toBe(503);
    await stream.reaches(8, 'refused');
    await delay(2_000);
    await expectRecovery();
  });
});
