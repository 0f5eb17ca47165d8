import type { MonitorDaysDto } from '../../src/summaries/days/dto/monitor-days.dto.js';
import type { Answer, One } from '../support/server.js';
import { useReports } from '../reports/use-reports.js';

const DAY_MS = 86_400_000;

/**
 * A server with reports, incidents and maintenance windows at times of past days. `at(-2, 9.5)` is 9:30 UTC of the day
 * before yesterday.
 */
export function useDays() {
  const reports = useReports();
  const { server, tenant } = reports;
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const at = (day: number, hour: number): string =>
    new Date(midnight + day * DAY_MS + hour * 3_600_000).toISOString();
  const dayAt = (day: number): string => at(day, 0).slice(0, 10);

  const send = <Body = One<{ id: string }>>(
    method: string,
    path: string,
    json?: object,
  ): Promise<Answer<Body>> => server.ask<Body>(path, { method, key: tenant.key, json });

  /** Creates a resource of the project. Returns its ID. */
  async function make(path: string, fields: object): Promise<string> {
    const { status, text, body } = await send('POST', path, { project_id: tenant.project_id, ...fields });
    if (status !== 201) throw new Error(text);
    return body.data.id;
  }

  /** Reports statuses of a monitor at days and hours. */
  async function reportAt(
    monitor_id: string,
    ...sent: [status: string, day: number, hour: number][]
  ): Promise<void> {
    const { status, text } = await reports.post(
      sent.map(([of, day, hour]) => ({ monitor_id, status: of, observed_at: at(day, hour) })),
    );
    if (status !== 200) throw new Error(text);
  }

  const daysOf = (id: string, query: string): Promise<Answer<One<MonitorDaysDto>>> =>
    send<One<MonitorDaysDto>>('GET', `/v1/monitors/${id}/days${query}`);

  /** Returns one past day of a monitor with only the statuses that occurred. */
  async function oneDay(id: string, of: number): Promise<Record<string, unknown>> {
    const { body } = await daysOf(id, `?from=${dayAt(of)}&to=${dayAt(of)}`);
    return Object.fromEntries(Object.entries(body.data.days[0] ?? {}).filter(([, value]) => value !== 0));
  }

  return { ...reports, at, dayAt, send, make, reportAt, daysOf, oneDay };
}
