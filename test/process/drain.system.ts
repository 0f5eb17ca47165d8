import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { answerOn } from '../support/http-agent.js';
import { adminUrlOf } from '../support/metrics.js';
import { Program, startProgram, useDirectory } from '../support/process.js';
import { until, useTenant, useTestServer } from '../support/server.js';

useDirectory();
const shared = useTestServer();
const tenant = useTenant(shared);

/** Longer than any test. A second signal ends the delay. */
const env = { DRAIN_DELAY: '600' };

/** Interval between probes, in milliseconds. */
const PROBE_MS = 20;

const WARNING = /"level":[456]0/;

type Server = Program & { url: string };

async function isReady({ url }: { url: string }): Promise<boolean> {
  const { status } = await fetch(`${url}/health/ready`);
  return status === 200;
}

/** Sends signals until one of them ends the drain delay. Signals within the first second do not. */
async function skipDelay(server: Server): Promise<void> {
  const ended = server.exit();
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  await until(async () => {
    server.kill('SIGTERM');
    return hasEnded;
  });
  expect([await ended, server.stderr]).toEqual([0, '']);
}

/** Sends requests to ready servers, like a load balancer that uses only `/health/ready`. */
class Balancer {
  readonly outcomes = new Map<string, number>();
  answered = 0;
  private readonly agent = new Agent({ keepAlive: true });
  private ready: Server[];
  private isStopped = false;

  constructor(
    private readonly servers: Server[],
    private readonly paths: string[],
    private readonly key: string,
  ) {
    this.ready = servers;
  }

  async run(clients: number): Promise<void> {
    await Promise.all([this.watch(), ...Array.from({ length: clients }, (_, client) => this.send(client))]);
    this.agent.destroy();
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Whether the balancer has removed a server. */
  leavesOut(server: Server): boolean {
    return !this.ready.includes(server);
  }

  private async watch(): Promise<void> {
    while (!this.isStopped) {
      const found = await Promise.all(this.servers.map((server) => isReady(server).catch(() => false)));
      const ready = this.servers.filter((_server, index) => found[index]);
      if (ready.length > 0) this.ready = ready;
      await delay(PROBE_MS);
    }
  }

  private async send(client: number): Promise<void> {
    for (let turn = client; !this.isStopped; turn++) {
      const { url = '' } = this.ready[turn % this.ready.length] ?? {};
      const path = this.paths[turn % this.paths.length] ?? '';
      const outcome = await answerOn(this.agent, url + path, this.key).then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => String(error.code),
      );
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      this.answered += 1;
    }
  }
}

describe('DRAIN_DELAY', () => {
  it('returns 503 for readiness after SIGTERM and serves other requests', async () => {
    const server = await startProgram({ ...shared.databaseEnv, ...env, ADMIN_PORT: '0' });
    const admin = { url: await adminUrlOf(server) };
    expect([await isReady(server), await isReady(admin)]).toEqual([true, true]);
    const agent = new Agent({ keepAlive: true });
    expect((await answerOn(agent, `${server.url}/health/live`)).headers.connection).toBe('keep-alive');
    server.kill('SIGTERM');
    server.kill('SIGTERM'); // npm forwards a Ctrl-C, which does not end the delay
    await until(async () => !(await isReady(server)));
    const { status, headers } = await answerOn(agent, `${server.url}/v1/me`, tenant.key);
    expect([status, headers.connection]).toEqual([200, 'close']);
    const page = await shared.page(tenant);
    expect((await shared.patch(tenant, page.id, { name: 'Renamed' })).status).toBe(200);
    expect(await isReady(admin)).toBe(false);
    for (const { url } of [server, admin]) expect((await fetch(`${url}/health/live`)).status).toBe(200);
    await skipDelay(server);
    expect(server.stdout).toMatch(/"path":"\/health\/ready",.*"status":503/);
    expect(server.stdout).not.toMatch(WARNING);
    agent.destroy();
  });

  it('ends by itself, and then the server stops', async () => {
    const server = await startProgram({ ...shared.databaseEnv, DRAIN_DELAY: '2' });
    const stopped = performance.now();
    server.kill('SIGTERM');
    await until(async () => !(await isReady(server)));
    let served = 0;
    const ask = () =>
      fetch(`${server.url}/health/live`).then(
        ({ status }) => status === 200,
        () => false,
      );
    for (; await ask(); served += 1) await delay(50);
    // The signal arrives later than it is sent, so the server serves for longer.
    expect(performance.now() - stopped).toBeGreaterThan(2_000);
    expect(served).toBeGreaterThan(0);
    expect([await server.exit(), server.stderr]).toEqual([0, '']);
    expect(server.stdout).not.toMatch(WARNING);
  });

  it('fails no request behind a load balancer while another server takes over', async () => {
    const page = await shared.page(tenant, { is_public: true });
    const [leaving, staying] = await Promise.all([
      startProgram({ ...shared.databaseEnv, ...env }),
      startProgram({ ...shared.databaseEnv }),
    ]);
    const paths = [
      `/v1/status-pages?project_id=${tenant.project_id}`,
      `/status/${page.slug}`,
      `/v1/status-pages/${page.id}`,
      '/openapi.json',
    ];
    const balancer = new Balancer([leaving, staying], paths, tenant.key);
    const running = balancer.run(8);
    await until(async () => balancer.answered > 100);
    leaving.kill('SIGTERM');
    await until(async () => balancer.leavesOut(leaving));
    const before = balancer.answered;
    await until(async () => balancer.answered > before + 50);
    await skipDelay(leaving);
    balancer.stop();
    await running;
    expect([...balancer.outcomes.keys()]).toEqual(['200']);
    expect(leaving.stdout).not.toMatch(WARNING);
  });
});
