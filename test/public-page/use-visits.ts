import { until } from '../support/server.js';
import { useSummaries } from '../summaries/use-summaries.js';

/** A response to a visitor. */
export interface Visited {
  status: number;
  headers: Headers;
  text: string;
}

/** A server with reports, incidents, maintenance windows and pages, and helpers to visit them. */
export function useVisits() {
  const summaries = useSummaries();
  const { server, tenant } = summaries;

  /** Requests a path below `/status/`, without a key. */
  async function visit(path: string, init?: RequestInit): Promise<Visited> {
    const response = await fetch(`${server.url}/status/${path}`, { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Creates a page with these monitors in one section. Returns its slug. */
  async function pageOf(monitor_ids: string[], fields: object = {}): Promise<{ id: string; slug: string }> {
    const sections = [{ id: 'all', title: 'All', monitor_ids }];
    const { id, slug } = await server.page(tenant, { sections, subscribe_enabled: true, ...fields });
    return { id, slug };
  }

  /** Waits until a visit meets `isAsExpected`. A process shows a change within two seconds. */
  const visitUntil = (path: string, isAsExpected: (visited: Visited) => boolean): Promise<Visited> =>
    until(async () => {
      const visited = await visit(path);
      return isAsExpected(visited) && visited;
    });

  return { ...summaries, visit, pageOf, visitUntil };
}

/** Returns all parts of a page as paths below it: an incident and a maintenance window by ID, and a monitor. */
export function partsOf(ids: { monitor: string; incident: string; maintenance: string }): string[] {
  return [
    '',
    `/monitors/${ids.monitor}`,
    '/history',
    `/history?month=${new Date().toISOString().slice(0, 7)}`,
    `/incidents/${ids.incident}`,
    `/maintenances/${ids.maintenance}`,
    '/subscribe',
    '/feed.rss',
    '/feed.atom',
    '/feed.json',
    '/maintenance.ics',
    '/api/v2/summary.json',
    '/api/v2/status.json',
    '/api/v2/components.json',
    '/api/v2/incidents.json',
    '/api/v2/incidents/unresolved.json',
    '/api/v2/scheduled-maintenances.json',
    '/api/v2/scheduled-maintenances/upcoming.json',
    '/api/v2/scheduled-maintenances/active.json',
    '/badge.svg',
    '/badge.json',
    '/og-image.png',
    '/embed',
    '/banner.js',
  ];
}
