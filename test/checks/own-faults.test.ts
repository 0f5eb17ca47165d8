import { describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { OwnFaults } from '../../src/checks/own-faults.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { passTime } from '../support/clock.js';
import { useChecks, useTargets } from './use-checks.js';

const start = useTargets();

/** Faults without canaries, and the messages that they log. */
function faultsWithLog(env: NodeJS.ProcessEnv = {}) {
  const messages: unknown[] = [];
  const logger = pino({ base: null }, { write: (line: string) => void messages.push(JSON.parse(line).msg) });
  return { faults: new OwnFaults(loadEnv({ EMBEDDED: 'true', ...env }), logger), messages };
}

/** Runs of some organizations. */
const runsOf = (organizations: number, each: number, hasFailed: boolean) =>
  Array.from({ length: organizations * each }, (_, index) => ({
    organization_id: `organization ${index % organizations}`,
    hasFailed,
    hadFailed: false,
  }));

const ENDED = 'the results of checks are recorded again';
const BEGUN = 'checks fail because this process has no network; their results are not recorded';

describe('failures in a process', () => {
  it('count as its own if most runs of most organizations fail together, and are logged once', async () => {
    const { faults, messages } = faultsWithLog();
    expect(await faults.areOwn(runsOf(4, 5, false))).toBe(false);
    await passTime(61_000);
    expect(await faults.areOwn(runsOf(4, 5, true))).toBe(true);
    expect(await faults.areOwn(runsOf(4, 5, true))).toBe(true);
    await passTime(61_000);
    expect(await faults.areOwn(runsOf(4, 5, false))).toBe(false);
    expect(messages).toEqual([BEGUN, ENDED]);
    expect(await faults.areOwn(runsOf(1, 1, true))).toBe(false);
    expect(messages).toHaveLength(2);
  });

  it('count if they belong to one or two organizations, or if most runs succeed', async () => {
    const { faults, messages } = faultsWithLog();
    expect(await faults.areOwn(runsOf(2, 500, true))).toBe(false);
    await passTime(61_000);
    await faults.areOwn(runsOf(10, 10, false));
    expect(await faults.areOwn(runsOf(9, 5, true))).toBe(false);
    expect(messages).toEqual([]);
  });
});

describe('with CHECK_CANARIES that do not respond', () => {
  const { server, check, stateOf, statusOf, runChecks } = useChecks({
    CHECK_CANARIES: '127.0.0.1:1,127.0.0.1:2',
  });

  it('records only successes', async () => {
    const target = await start();
    target.respond = ({ url }, response) => void response.writeHead(url === '/up' ? 200 : 503).end();
    const [up, down] = [
      await check({ target: target.url('/up'), failures: 1 }),
      await check({ target: target.url('/down'), failures: 1 }),
    ];
    await runChecks(up, down);
    expect([await statusOf(up), await statusOf(down)]).toEqual(['operational', 'unknown']);
    expect(await stateOf(down)).toMatchObject({ status: null, failed_runs: 0 });
    expect(server.env['CHECK_CANARIES']).toBeDefined();
  });
});

describe('with a canary that responds', () => {
  it('records failures', async () => {
    const target = await start();
    const { faults } = faultsWithLog({ CHECK_CANARIES: `127.0.0.1:1,127.0.0.1:${target.port}` });
    expect(await faults.areOwn(runsOf(10, 10, true))).toBe(false);
  });
});
