import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openConnections } from '../cluster/use-workers.js';
import { answerOn, onceAnswered, textOf } from '../support/http-agent.js';
import { Program } from '../support/process.js';
import { until } from '../support/server.js';
import { Cluster } from './support/cluster.js';
import { Service } from './support/service.js';

/** The maximum staleness of reads in another worker (docs/database.md). */
const BOUND_MS = 2_000;
/** The replica lags by this time and is still in use. */
const LATE_MS = 1_000;
const WRITES = 5;

let primary: Cluster;
let standby: Cluster;

beforeAll(async () => {
  primary = await Cluster.create();
  standby = await primary.standby();
});
afterEach(() => Program.killAll());
afterAll(async () => {
  await standby?.destroy();
  await primary?.destroy();
});

describe('replica with a late log and two workers', () => {
  it('shows a write immediately in one worker, within two seconds in another', async () => {
    const { DATABASE_URL } = await primary.database();
    const name = new URL(DATABASE_URL).pathname.slice(1);
    await until(
      async () => (await standby.sql(`SELECT 1 FROM pg_database WHERE datname = '${name}'`)).length > 0,
    );
    await standby.configure({ recovery_min_apply_delay: `${LATE_MS}ms` });
    const env = {
      DATABASE_URL,
      DATABASE_REPLICA_URLS: standby.urlOf(name),
      EMBEDDED: '',
      WEB_CONCURRENCY: '2',
    };
    const service = await Service.start(env, primary.seed);
    await until(async () => service.program.stdout.split('replica is used for reads').length > 2);

    const url = `${service.url}/v1/projects/${service.seed.project}`;
    // The primary distributes connections to the workers in turn, so some readers use a worker that did not
    // write.
    const [writer = new Agent(), ...readers] = openConnections(4);
    const reads = async (agent: Agent, value: string) =>
      (await answerOn(agent, url, service.seed.key)).text.includes(`"name":"${value}"`);
    let oldest = 0;
    for (let turn = 1; turn <= WRITES; turn++) {
      const value = `Turn ${turn}`;
      const asked = request(url, {
        method: 'PATCH',
        agent: writer,
        headers: { Authorization: `Bearer ${service.seed.key}`, 'Content-Type': 'application/json' },
      });
      asked.end(JSON.stringify({ name: value }));
      const [answer] = await onceAnswered(asked);
      expect([answer.statusCode, (await textOf(answer)).includes(value)]).toEqual([200, true]);
      const writtenAt = performance.now();
      for (;;) {
        expect(await reads(writer, value)).toBe(true);
        const begun = performance.now();
        const fresh = await Promise.all(readers.map((reader) => reads(reader, value)));
        if (!fresh.includes(false)) break;
        oldest = Math.max(oldest, begun - writtenAt);
        await delay(20); // a poll, which measures how long the read is stale
      }
    }
    expect(oldest).toBeGreaterThan(0); // the replica was in use
    expect(oldest).toBeLessThan(BOUND_MS);
    for (const agent of [writer, ...readers]) agent.destroy();
    await service.stop();
  });
});
