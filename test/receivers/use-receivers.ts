import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, vi } from 'vitest';
import type { Answer, One } from '../support/server.js';
import { useResource } from '../support/use-resource.js';

/** Response of a receiver. */
export interface Received {
  reports: number;
  changed: number;
  skipped?: number;
  ignored?: number;
  ignored_alerts?: { code: string; detail: string; pointer: string }[];
}

/** A stored run, with times in ISO format. */
export type StoredRun = [status: string, first: string, last: string];

/** A server with a tenant, and requests to receivers. */
export function useReceivers() {
  const { server, tenant, ask } = useResource<Received>('/v1/receivers');

  const monitors = (count: number): Promise<string[]> => server.monitors(tenant, count);

  /** Creates a monitor with a key. Returns its ID. */
  async function keyed(monitor_key: string, { key, project_id } = tenant): Promise<string> {
    const json = { project_id, name: 'Monitor', key: monitor_key };
    const { body } = await server.ask<One<{ id: string }>>('/v1/monitors', { method: 'POST', key, json });
    return body.data.id;
  }

  /** Returns the stored runs of a monitor, the current one last. */
  async function runsOf(monitor_id: string | undefined): Promise<StoredRun[]> {
    const rows = await server.sql<{ status: string; started_at: Date; last_observed_at: Date }[]>(
      `SELECT status, started_at, last_observed_at FROM monitor_runs WHERE monitor_id = $1
        UNION ALL
       SELECT status, started_at, last_observed_at FROM monitor_states WHERE monitor_id = $1 AND status IS NOT NULL
        ORDER BY started_at`,
      [monitor_id],
    );
    return rows.map(({ status, started_at, last_observed_at }) => [
      status,
      started_at.toISOString(),
      last_observed_at.toISOString(),
    ]);
  }

  /** Sends a delivery of Alertmanager. */
  const deliver = (payload: unknown, query: Record<string, string> = {}): Promise<Answer<One<Received>>> => {
    const search = new URLSearchParams({ project_id: tenant.project_id, ...query });
    return ask('POST', `/alertmanager?${search}`, payload);
  };

  return { server, tenant, ask, monitors, keyed, runsOf, deliver };
}

/** Lets the tests of a file set the clock of the server, which runs in this process. Timers continue to run. */
export function useClock(): (time: string) => void {
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterAll(() => void vi.useRealTimers());
  return (time) => void vi.setSystemTime(time);
}

/** Returns a delivery of Alertmanager from `test/receivers/alertmanager/`, with the IDs of monitors. */
export function deliveryOf(name: string, monitors: string[]): unknown {
  const text = readFileSync(`test/receivers/alertmanager/${name}.json`, 'utf8');
  return JSON.parse(
    text.replaceAll(/MONITOR_(\d)/g, (_match, number: string) => monitors[Number(number) - 1] ?? ''),
  );
}
