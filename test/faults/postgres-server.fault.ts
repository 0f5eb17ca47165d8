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
let stopWatching: () => Promise<void>;

beforeEach(async () => {
  service = await Service.start(await cluster.current.database(), cluster.current.seed);
  writers = await Writer.create(service, 8);
  stream = new Stream(service, writers);
  stopWatching = service.watchLive();
  await stream.reaches(40);
});
afterEach(() => Program.killAll());

/** Ends a test: after the fault, the service recovers, and the pages show an allowed version. */
async function expectRecovery(options = AFTER_BREAK): Promise<void> {
  await service.recovers();
  await stream.reaches(40);
  await stream.stop();
  await stopWatching();
  await expectSoundPages(writers, options);
  await service.stop();
}

describe('PostgreSQL during a stream of updates', () => {
  it('terminates its connections repeatedly without losing an update', async () => {
    for (let round = 0; round < 10; round++) {
      const pids = await cluster.current.backends();
      expect(pids.length).toBeGreaterThan(0);
      await cluster.current.sql(`SELECT pg_terminate_backend(pid) FROM unnest('{${pids}}'::int[]) AS pid`);
      await stream.reaches(10);
    }
    await expectRecovery();
  });

  it('restarts after kill -9 of a process without losing an update', async () => {
    for (let round = 0; round < 3; round++) {
      const [pid = 0] = await cluster.current.backends();
      process.kill(pid, 'SIGKILL');
      await service.recovers();
      await stream.reaches(20);
    }
    await expectRecovery();
  });

  it('stops and starts later without losing an update', async () => {
    await cluster.current.stopAtOnce();
    await stream.reaches(40, 'refused');
    expect((await service.ask('/health/ready')).status).toBe(503);
    await cluster.current.start();
    await expectRecovery();
  });

  it('resumes after any request has timed out without losing an update', async () => {
    const resume = await cluster.current.suspend();
    try {
      expect((await service.ask('/health/ready')).status).toBe(503);
      await stream.reaches(8, 'refused');
      await delay(1_000);
    } finally {
      resume();
    }
    // An update of one statement that PostgreSQL received before it was suspended can still be applied
    // (docs/reliability.md).
    await expectRecovery(AFTER_FREEZE);
  });
});
