import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Program } from '../support/process.js';
import { useCluster } from './support/cluster.js';
import { Service } from './support/service.js';
import { AFTER_BREAK, AFTER_FREEZE, expectSoundPages, Stream, Writer } from './support/writers.js';

const cluster = useCluster();
let service: Service;
let writers: Writer[];
let stream: Stream;
let live: () => Promise<void>;

beforeEach(async () => {
  service = await Service.start(await cluster.current.database(), cluster.current.seed);
  writers = await Writer.create(service, 8);
  stream = new Stream(service, writers);
  live = service.watchLive();
  await stream.reaches(40);
});
afterEach(() => Program.killAll());

/** Ends a test: the fault is gone, the service works again by itself, and the pages show what they may. */
async function expectRecovery(options = AFTER_BREAK): Promise<void> {
  await service.recovers();
  await stream.reaches(40);
  await stream.stop();
  await live();
  await expectSoundPages(writers, options);
  await service.stop();
}

describe('PostgreSQL under the server, in a stream of updates,', () => {
  it('ends its connections again and again: those that run get 503, nothing is lost or half written, and it goes on', async () => {
    for (let round = 0; round < 10; round++) {
      const pids = await cluster.current.backends();
      expect(pids.length).toBeGreaterThan(0);
      await cluster.current.sql(`SELECT pg_terminate_backend(pid) FROM unnest('{${pids}}'::int[]) AS pid`);
      await stream.reaches(10);
    }
    await expectRecovery();
  });

  it('restarts all of its processes after kill -9 of one: 503 meanwhile, nothing is lost or half written, and it goes on', async () => {
    for (let round = 0; round < 3; round++) {
      const [pid = 0] = await cluster.current.backends();
      process.kill(pid, 'SIGKILL');
      await service.recovers();
      await stream.reaches(20);
    }
    await expectRecovery();
  });

  it('is stopped at once, stays away, and is started again: 503 meanwhile, nothing is lost or half written, and it goes on', async () => {
    await cluster.current.stopAtOnce();
    await stream.reaches(40, 'refused');
    expect((await service.ask('/health/ready')).status).toBe(503);
    await cluster.current.start();
    await expectRecovery();
  });

  it('is suspended for longer than any request waits, and continues: 503 meanwhile, nothing is lost or half written, and it goes on', async () => {
    const resume = await cluster.current.suspend();
    try {
      expect((await service.ask('/health/ready')).status).toBe(503);
      await stream.reaches(8, 'refused');
      await delay(1_000);
    } finally {
      resume();
    }
    // An update of one statement that PostgreSQL had received before it was suspended can be applied (docs/reliability.md).
    await expectRecovery(AFTER_FREEZE);
  });
});
