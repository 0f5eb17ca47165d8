import { readFile } from 'node:fs/promises';
import prom from 'prom-client';
import { afterAll, describe, expect, it } from 'vitest';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { adminUrlOf } from '../support/metrics.js';
import { Program, stop } from '../support/process.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { askAll, openConnections, startWorkers, workersIn } from './use-workers.js';

const server = useTestServer();
const tenant = useTenant(server);

describe('admin server of several workers', () => {
  afterAll(() => Program.killAll());

  it('returns the sums of all workers', async () => {
    const { program, url } = await startWorkers(server, { ADMIN_PORT: '0' });
    const admin = await adminUrlOf(program);
    const metrics = async () => (await fetch(`${admin}/metrics`)).text();
    const connections = openConnections(6);
    expect(new Set(await askAll(connections, `${url}/v1/me`, tenant.key))).toEqual(new Set([200]));
    await until(async () => workersIn(program, '/v1/me').length === 2);
    const sum = 'http_request_duration_seconds_count{method="GET",route="/v1/me",status="200"} 6';
    await until(async () => (await metrics()).split('\n').includes(sum));
    expect(await metrics()).toMatch(/^status_pages_build_info\{[^}]*\} 1$/m);
    expect(await metrics()).toMatch(/^status_pages_database_connections_max 20$/m);
    for (const path of ['live', 'ready']) expect((await fetch(`${admin}/health/${path}`)).status).toBe(200);
    await stop(program);
    for (const agent of connections) agent.destroy();
  });

  it('returns the minimum or the maximum exactly for the metrics in docs/observability.md', async () => {
    const registry = new prom.Registry();
    server.app.get(Metrics).registerIn(registry, prom);
    const served = (await registry.getMetricsAsJSON()).flatMap(({ name, aggregator }) =>
      aggregator === 'min' || aggregator === 'max' ? [`${name} ${aggregator}imum`] : [],
    );
    const document = await readFile('docs/observability.md', 'utf8');
    const listed = document.matchAll(/^\| `(status_pages_\w+)` .* (M\w+) across workers\. *\|$/gm);
    expect(served.toSorted()).toEqual(
      Array.from(listed, ([, name, extreme = '']) => `${name} ${extreme.toLowerCase()}`).toSorted(),
    );
    expect(served.length).toBeGreaterThan(4);
  });
});
