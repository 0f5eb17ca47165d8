import { type Impact, IMPACTS, type IncidentStatus } from '../incidents/incident-status.js';
import { type MonitorStatus, worstIn, worstOf } from '../monitors/monitor-status.js';
import type { StatusCounts } from './status-counts.js';

/** The headline of a status page. */
export interface Headline {
  status: MonitorStatus;
  text: string;
}

/** Fields of an open incident that affect the headline. */
export interface HeadlineIncident {
  status: IncidentStatus;
  impact: Impact;
  /** Affected monitors of the page. */
  monitors: unknown[];
}

/** Headline texts by the worst status of the monitors: if all of them have it, and if only some do ("1 of 20"). */
const TEXTS: Record<MonitorStatus, { all: string; some: (part: string) => string }> = {
  major_outage: { all: 'Major outage of all systems', some: (part) => `Outage of ${part} systems` },
  partial_outage: {
    all: 'Partial outage of all systems',
    some: (part) => `Partial outage of ${part} systems`,
  },
  degraded_performance: {
    all: 'Degraded performance of all systems',
    some: (part) => `Degraded performance of ${part} systems`,
  },
  unknown: { all: 'No data from any system', some: (part) => `No data from ${part} systems` },
  under_maintenance: {
    all: 'All systems under maintenance',
    some: (part) => `${part} systems under maintenance`,
  },
  operational: { all: 'All systems operational', some: () => 'All systems operational' },
};

const NO_MONITORS = 'No systems on this page';

/** Status for an incident that affects no monitor of the page. Only monitors can cause a major outage. */
const STATUS_OF: Record<Impact, MonitorStatus> = {
  none: 'operational',
  minor: 'degraded_performance',
  major: 'partial_outage',
  critical: 'partial_outage',
};

/**
 * Returns the headline of a page: the worst status of its monitors, and the number of open incidents. The status is
 * `major_outage` only if all monitors have it. An incident that affects no monitor of the page counts by its impact, unless its
 * status is `monitoring`.
 *
 *     1 of 20 has a major outage         partial_outage   Outage of 1 of 20 systems
 *     all green, an incident is open     operational      1 open incident, all systems operational
 *     …with a major impact of its own    partial_outage   1 open incident with major impact
 */
export function headlineOf(counts: StatusCounts, incidents: HeadlineIncident[]): Headline {
  const worst = worstIn(counts);
  const isAll = counts[worst] === counts.total;
  const ofMonitors = worst === 'major_outage' && !isAll ? 'partial_outage' : worst;
  const { all, some } = TEXTS[worst];
  const ofSystems = isAll ? all : some(`${counts[worst]} of ${counts.total}`);
  const text = counts.total === 0 ? NO_MONITORS : ofSystems;
  if (incidents.length === 0) return { status: ofMonitors, text };

  const impact = impactOfOthers(incidents);
  const status = worstOf([ofMonitors, STATUS_OF[impact]]) ?? ofMonitors;
  const open = openIncidents(incidents.length);
  const isWorse = status !== ofMonitors;
  const withImpact = isWorse
    ? `${open} with ${incidents.length === 1 ? '' : 'up to '}${impact} impact`
    : open;
  // A headline must not begin with good news while an incident is open.
  if (worst === 'operational')
    return { status, text: isWorse ? withImpact : `${open}, all systems operational` };
  return { status, text: counts.total === 0 ? withImpact : `${text}, ${withImpact}` };
}

/** Returns a number of open incidents in words. */
export function openIncidents(count: number): string {
  return count === 1 ? '1 open incident' : `${count} open incidents`;
}

/** Returns the worst impact of incidents that affect no monitor of the page and whose status is not `monitoring`. */
function impactOfOthers(incidents: HeadlineIncident[]): Impact {
  const counted = incidents.filter(
    ({ status, monitors }) => status !== 'monitoring' && monitors.length === 0,
  );
  return IMPACTS.findLast((impact) => counted.some((incident) => incident.impact === impact)) ?? 'none';
}
