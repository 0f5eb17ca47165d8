import { randomBytes, randomUUID } from 'node:crypto';
import { METHODS, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { onceAnswered } from '../support/http-agent.js';
import { readSamples } from '../support/metrics.js';
import { until } from '../support/server.js';
import { useAdmin } from './use-admin.js';

const server = useAdmin();

const BATCH = 1_500;

const word = () => randomBytes(8).toString('hex');

/** Paths with a unique part wherever a visitor or a client can send one. */
function hostilePath(index: number): string {
  const paths = [
    () => `/${word()}`,
    () => `/status/${word()}`,
    () => `/status/${word()}/monitors/${randomUUID()}`,
    () => `/status/${word()}/api/v2/${word()}.json`,
    () => `/status/acme-cloud/incidents/${randomUUID()}`,
    () => `/status/acme-cloud/feed.${word()}`,
    () => `/status/acme-cloud?${word()}=${word()}`,
    () => `/status/acme-cloud/history?month=${word()}`,
    () => `/v1/${word()}`,
    () => `/v1/monitors/${word()}`,
    () => `/v1/monitors/${randomUUID()}/${word()}`,
    () => `/v1/status-pages?${word()}=1`,
    () => `/docs/${word()}.js`,
    () => `/%${word()}`,
    () => `//${word()}//`,
    () => `http://${word()}.example/${word()}`,
  ];
  return paths[index % paths.length]?.() ?? '/';
}

const methods = METHODS.filter((method) => method !== 'CONNECT');

async function sendBatch(): Promise<void> {
  const { hostname, port } = new URL(server.program.url);
  for (let place = 0; place < BATCH; place += 25)
    await Promise.all(
      Array.from({ length: 25 }, async (_, offset) => {
        const index = place + offset;
        const host = `${word()}.example`;
        const headers = {
          Host: host,
          'Accept-Encoding': word(),
          'User-Agent': word(),
          Origin: `http://${host}`,
        };
        const method = index % 3 === 0 ? (methods[index % methods.length] ?? 'GET') : 'GET';
        const [response] = await onceAnswered(
          request({ hostname, port, path: hostilePath(index), method, headers }).end(),
        );
        response.resume();
        expect(response.statusCode).toBeLessThan(500);
      }),
    );
}

/** The names of all series of the service, with their labels. Series of Node.js's own resources vary. */
async function series(): Promise<string[]> {
  const names = Object.keys(await readSamples(server.admin_url));
  return names.filter((name) => !name.startsWith('nodejs_active_')).toSorted();
}

describe('unique paths, methods, hosts and slugs', () => {
  it('create no series in /metrics', { timeout: 120_000 }, async () => {
    await sendBatch(); // each pattern of a route, method and status
    await sendBatch();
    // Measured periodically, for the first time some seconds after the start.
    const isMeasured = (name: string) => name.startsWith('status_pages_deliveries_oldest_due_seconds');
    await until(async () => (await series()).some(isMeasured));
    const before = await series();
    const heap = async () => (await readSamples(server.admin_url))['nodejs_heap_size_used_bytes'] ?? 0;
    const used = await heap();
    for (let count = 0; count < 3; count++) await sendBatch();
    const created = (await series()).filter((name) => !before.includes(name));
    expect(created).toEqual([]);
    expect(before.join('\n')).not.toMatch(/[0-9a-f]{16}|\.example/);
    await until(async () => (await heap()) - used < 32 * 1024 * 1024); // after the next garbage collection
  });
});
