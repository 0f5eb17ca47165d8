import type { Maintenance, MaintenanceWindowUpdate } from '../../clients/typescript/src/index.js';
import type { Answer, One } from '../support/server.js';
import { useResource } from '../support/use-resource.js';

export { UNKNOWN_ID } from '../support/use-resource.js';

/** Returns the time in the given number of hours, as sent over the wire. */
export const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A server with a tenant, and requests to its maintenance windows. */
export function useMaintenances() {
  const { server, tenant, ask } = useResource<Maintenance>('/v1/maintenances');

  /** Creates a maintenance window with `[from, to]` in hours from now. */
  const make = async ([from, to]: [number, number], fields: object = {}): Promise<Maintenance> => {
    const json = {
      project_id: tenant.project_id,
      title: 'Upgrade',
      starts_at: inHours(from),
      ends_at: inHours(to),
      ...fields,
    };
    const { status, text, body } = await ask('POST', '', json);
    if (status !== 201) throw new Error(text);
    return body.data;
  };

  const get = async (id: string): Promise<Maintenance> => (await ask('GET', `/${id}`)).body.data;

  /** Moves a maintenance window back in time, as if the given hours had passed. */
  const pass = async (id: string, hours: number): Promise<void> => {
    const times = ['starts_at', 'ends_at', 'closed_at', 'created_at', 'updated_at'];
    const moved = times.map((name) => `${name} = ${name} - interval '${hours} hours'`);
    await server.sql(`UPDATE maintenances SET ${moved.join(', ')} WHERE id = $1`, [id]);
  };

  /** Posts an update. */
  const post = (
    id: string,
    fields: object = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<One<MaintenanceWindowUpdate>>> =>
    ask('POST', `/${id}/updates`, { body: 'An update.', ...fields }, headers);

  /** Posts an update at a time in hours from now. */
  const update = async (id: string, hours: number, body = 'An update.'): Promise<MaintenanceWindowUpdate> => {
    const { status, text, body: made } = await post(id, { posted_at: inHours(hours), body });
    if (status !== 201) throw new Error(text);
    return made.data;
  };

  const updatesOf = async (id: string): Promise<MaintenanceWindowUpdate[]> =>
    (await ask<{ data: MaintenanceWindowUpdate[] }>('GET', `/${id}/updates?limit=100`)).body.data;

  return { server, tenant, ask, make, get, pass, post, update, updatesOf };
}
