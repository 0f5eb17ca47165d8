import type { Incident, StatusPageSummary } from '../../clients/typescript/src/index.js';
import { useDays } from '../days/use-days.js';
import type { Answer, One } from '../support/server.js';

/** Sections by ID, with their monitors. */
type Sections = Record<string, string[]>;

/** A server with reports, incidents, maintenance windows and pages, and helpers to read summaries. */
export function useSummaries() {
  const days = useDays();
  const { server, tenant, send, make, monitor, post } = days;

  /** Creates a monitor that reports a status now. If it is `unknown`, the monitor waits for a first report. */
  async function monitorIn(status: string): Promise<string> {
    if (status === 'under_maintenance') return monitorInMaintenance();
    const id = await monitor(status === 'unknown' ? 3_600 : null);
    if (status !== 'unknown') await post([{ monitor_id: id, status }]);
    return id;
  }

  async function monitorInMaintenance(): Promise<string> {
    const id = await monitorIn('major_outage');
    await make('/v1/maintenances', {
      title: 'Upgrade',
      starts_at: inDays(-1),
      ends_at: inDays(1),
      monitor_ids: [id],
      status_page_ids: [],
    });
    return id;
  }

  /** Creates a page of these sections. Returns its ID. */
  async function page(sections: Sections, settings: { history_days?: number } = {}): Promise<string> {
    const made = await server.page(tenant, {
      sections: Object.entries(sections).map(([id, monitor_ids]) => ({
        id,
        title: `The ${id}`,
        monitor_ids,
      })),
      ...settings,
    });
    return made.id;
  }

  const get = (id: string): Promise<Answer<One<StatusPageSummary>>> =>
    send<One<StatusPageSummary>>('GET', `/v1/status-pages/${id}/summary`);

  const summaryOf = async (id: string): Promise<StatusPageSummary> => (await get(id)).body.data;

  /** Creates an open incident. `monitors` are the statuses of affected monitors by ID. */
  async function incident(monitors: Record<string, string>, fields: object = {}): Promise<Incident> {
    const { status, text, body } = await send<One<Incident>>('POST', '/v1/incidents', {
      project_id: tenant.project_id,
      title: 'Errors',
      body: 'We look into it.',
      monitors: Object.entries(monitors).map(([monitor_id, one]) => ({ monitor_id, status: one })),
      ...fields,
    });
    if (status !== 201) throw new Error(text);
    return body.data;
  }

  /** Creates a maintenance window between two times in days from now. Returns its ID. */
  const maintenance = (from: number, to: number, fields: object): Promise<string> =>
    make('/v1/maintenances', { title: 'Upgrade', starts_at: inDays(from), ends_at: inDays(to), ...fields });

  return { ...days, monitorIn, page, get, summaryOf, incident, maintenance };
}

/** Returns the time in the given number of days. */
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
