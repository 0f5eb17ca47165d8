import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach } from 'vitest';
import type { Check, CheckCreate, CheckState } from '../../clients/typescript/src/index.js';
import { CheckRunner } from '../../src/checks/check-runner.js';
import { type One, type Tenant, useTenant, useTestServer } from '../support/server.js';

/** A server that checks ask. `respond` can be replaced. */
export class Target {
  readonly requests: IncomingMessage[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly protocol: string,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  respond: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    void response.end('ok');

  static async start(tls?: { cert: string; key: string }): Promise<Target> {
    let target: Target | undefined;
    const listener: RequestListener = (request, response) => {
      target?.requests.push(request);
      target?.respond(request, response);
    };
    const server = tls ? createTlsServer(tls, listener) : createServer(listener);
    target = new Target(server, tls ? 'https' : 'http');
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return target;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  url(path = '/', host = '127.0.0.1'): string {
    return `${this.protocol}://${host}:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }
}

/** Targets that are stopped after each test. */
export function useTargets(): (tls?: { cert: string; key: string }) => Promise<Target> {
  const targets: Target[] = [];
  afterEach(async () => {
    await Promise.all(targets.splice(0).map((target) => target.stop()));
  });
  return async (tls) => {
    const target = await Target.start(tls);
    targets.push(target);
    return target;
  };
}

/** A server whose checks can reach this machine, with a tenant. */
export function useChecks(env: Record<string, string> = {}) {
  const server = useTestServer({ CHECK_ALLOWED_NETWORKS: '127.0.0.0/8', ...env });
  const tenant = useTenant(server);
  const runner = (): CheckRunner => server.app.get(CheckRunner, { strict: false });

  const create = (json: Partial<CheckCreate>, { key, project_id }: Tenant = tenant) =>
    server.ask<One<Check>>('/v1/checks', { method: 'POST', key, json: { project_id, ...json } });

  return {
    server,
    tenant,
    runner,
    create,

    /** Creates a check of a new monitor. */
    async check(json: Partial<CheckCreate>, owner: Tenant = tenant): Promise<Check> {
      const [monitor_id = ''] = await server.monitors(owner, 1);
      const { status, text, body } = await create({ monitor_id, type: 'http', ...json }, owner);
      if (status !== 201) throw new Error(text);
      return body.data;
    },

    stateOf: async ({ id }: { id: string }, { key }: Tenant = tenant): Promise<CheckState> =>
      (await server.ask<One<CheckState>>(`/v1/checks/${id}/state`, { key })).body.data,

    statusOf: async ({ monitor_id }: { monitor_id: string }): Promise<string> =>
      (await server.ask<One<{ status: string }>>(`/v1/monitors/${monitor_id}/status`, { key: tenant.key }))
        .body.data.status,

    /** Makes checks due, and runs the checks that are due, as a delivering process does. */
    async runChecks(...checks: { id: string }[]): Promise<void> {
      await server.sql(
        'UPDATE check_states SET due_at = now() - make_interval(secs => 0.001) WHERE check_id = ANY($1)',
        [checks.map(({ id }) => id)],
      );
      await runner().runDue();
      await runner().settle();
    },
  };
}
