import { once } from 'node:events';
import { createServer } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { AdminServer } from '../../src/platform/admin/admin-server.js';
import { Program, startProgram, stop, useDirectory } from '../support/process.js';
import { adminUrlOf } from '../support/metrics.js';
import { DatabaseProxy } from '../support/proxy.js';
import { useTestServer } from '../support/server.js';
import { useAdmin } from './use-admin.js';

const directory = useDirectory();
const opened = new Set<AdminServer>();
afterEach(async () => {
  for (const server of opened) await server.close();
  opened.clear();
});

const statusOf = async (url: string, init?: RequestInit): Promise<number> => (await fetch(url, init)).status;

describe('server with ADMIN_PORT', () => {
  const server = useAdmin();

  it('serves its health checks until the shutdown closes the port', async () => {
    for (const path of ['/health/live', '/health/ready'])
      expect([path, await statusOf(server.admin_url + path)]).toEqual([path, 200]);
    await stop(server.program);
    await expect(fetch(`${server.admin_url}/health/live`)).rejects.toThrow('fetch failed');
  });

  it('reports the variable if the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const ADMIN_PORT = String(typeof address === 'object' && address ? address.port : 0);
    const program = Program.run('main.js', [], {
      DATA_DIR: await directory.migrated(),
      PORT: '0',
      ADMIN_PORT,
    });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toContain('ADMIN_PORT');
    taken.close();
  });
});

describe('server with ADMIN_PORT and an unavailable database', { tags: ['postgres'] }, () => {
  const shared = useTestServer();

  it('returns 503 for readiness until the database recovers', async () => {
    const proxy = await DatabaseProxy.start(shared.databaseEnv['DATABASE_URL'] ?? '');
    const env = { ...shared.databaseEnv, DATABASE_URL: proxy.url, ADMIN_PORT: '0' };
    const program = await startProgram(env);
    try {
      const url = await adminUrlOf(program);
      const statuses = async () => [
        await statusOf(`${url}/health/live`),
        await statusOf(`${url}/health/ready`),
      ];
      expect(await statuses()).toEqual([200, 200]);
      proxy.cut();
      await expect.poll(statuses, { timeout: 20_000 }).toEqual([200, 503]);
      proxy.mend();
      await expect.poll(statuses, { timeout: 20_000 }).toEqual([200, 200]);
    } finally {
      await stop(program);
      await proxy.stop();
    }
  });
});

describe('server without ADMIN_PORT and OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('loads neither prom-client nor OpenTelemetry, and never the readers of uploaded pictures', async () => {
    const loaded = async (name: string, env: Record<string, string>): Promise<string[]> => {
      const LOADED_MODULES = join(directory.path, name);
      const hook = pathToFileURL(join(process.cwd(), 'test/support/loaded-modules.mjs')).href;
      const program = await startProgram({
        DATA_DIR: await directory.migrated(`${name}-data`),
        DEMO: 'false',
        NODE_OPTIONS: `--import=${hook}`,
        LOADED_MODULES,
        ...env,
      });
      if ('ADMIN_PORT' in env) await adminUrlOf(program);
      await stop(program);
      const modules = await readFile(LOADED_MODULES, 'utf8');
      return ['prom-client/', '@opentelemetry/', 'express/', 'sharp/', 'saxes/'].filter((one) =>
        modules.includes(`node_modules/${one}`),
      );
    };
    expect(await loaded('without', {})).toEqual(['express/']);
    const env = { ADMIN_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    expect(await loaded('with', env)).toEqual(['prom-client/', '@opentelemetry/', 'express/']);
  });
});
