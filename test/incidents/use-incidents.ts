import type { Incident, IncidentUpdate } from '../../clients/typescript/src/index.js';
import type { Answer, One } from '../support/server.js';
import { useResource } from '../support/use-resource.js';

export { UNKNOWN_ID } from '../support/use-resource.js';

/** Statuses of affected monitors, by the impact that they cause. */
export const MINOR = 'degraded_performance';
export const MAJOR = 'partial_outage';
export const CRITICAL = 'major_outage';

/** An interval of a monitor: its status, and its start and end in minutes after the start in {@link useIncidents}. */
export type Interval = [status: string, from: number, to: number | null];

/** A server with a tenant, and requests to its incidents. Times are in minutes after a start six hours ago. */
export function useIncidents() {
  const { server, tenant, ask } = useResource<Incident>('/v1/incidents');
  const start = Date.now() - 6 * 3_600_000;
  const at = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
  const minutesOf = (time: Date): number => (time.getTime() - start) / 60_000;

  const create = (fields: object = {}): Promise<Answer<One<Incident>>> =>
    ask('POST', '', { project_id: tenant.project_id, title: 'Errors', body: 'We look into it.', ...fields });

  /** Creates an incident that started at minute 0. */
  async function make(fields: object = {}): Promise<Incident> {
    const { status, text, body } = await create({ started_at: at(0), ...fields });
    if (status !== 201) throw new Error(text);
    return body.data;
  }

  const get = async (id: string): Promise<Incident> => (await ask('GET', `/${id}`)).body.data;

  const post = (
    id: string,
    fields: object,
    headers: Record<string, string> = {},
  ): Promise<Answer<One<IncidentUpdate>>> =>
    ask('POST', `/${id}/updates`, { status: 'identified', body: 'An update.', ...fields }, headers);

  /** Posts an update at a minute. `monitors` are the affected monitors with their statuses; undefined: unchanged. */
  async function update(
    id: string,
    minute: number,
    status: string,
    monitors?: Record<string, string>,
  ): Promise<IncidentUpdate> {
    const {
      status: code,
      text,
      body,
    } = await post(id, {
      status,
      posted_at: at(minute),
      ...(monitors && { monitors: affected(monitors) }),
    });
    if (code !== 201) throw new Error(text);
    return body.data;
  }

  const updatesOf = async (id: string): Promise<IncidentUpdate[]> =>
    (await ask<{ data: IncidentUpdate[] }>('GET', `/${id}/updates?limit=100`)).body.data;

  /** Returns the stored intervals of a monitor in an incident. */
  async function intervalsOf(incident_id: string, monitor_id: string): Promise<Interval[]> {
    const rows = await server.sql<{ status: string; started_at: Date; ended_at: Date | null }[]>(
      `SELECT status, started_at, ended_at FROM incident_impacts
        WHERE incident_id = $1 AND monitor_id = $2 ORDER BY started_at`,
      [incident_id, monitor_id],
    );
    return rows.map(({ status, started_at, ended_at }) => [
      status,
      minutesOf(started_at),
      ended_at && minutesOf(ended_at),
    ]);
  }

  /** Creates a monitor of the tenant. */
  async function monitor(): Promise<string> {
    const [id = ''] = await server.monitors(tenant, 1);
    return id;
  }

  return { server, tenant, ask, at, start, create, make, get, post, update, updatesOf, intervalsOf, monitor };
}

/** Returns affected monitors as sent: `affected({ [id]: 'major_outage' })`. */
export function affected(statuses: Record<string, string>): { monitor_id: string; status: string }[] {
  return Object.entries(statuses).map(([monitor_id, status]) => ({ monitor_id, status }));
}
