import { type Impact, IMPACTS, type IncidentStatus } from '../incidents/incident-status.js';
import { type MonitorStatus, worstIn, worstOf } from '../monitors/monitor-status.js';
import type { StatusCounts } from './status-counts.js';

/** Headline texts by kind, in English. Public pages translate them (`page-model/languages/`). */
export const HEADLINE_TEXTS = {
  operational: 'All systems operational',
  some_degraded: 'Some systems are degraded',
  all_degraded: 'All systems are degraded',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
  maintenance: 'Maintenance in progress',
  some_unknown: 'Some systems are not reporting',
  all_unknown: 'No system is reporting',
  no_monitors: 'No systems on this page',
  open_incidents: (count: number) => (count === 1 ? '1 open incident' : `${count} open incidents`),
};

export type HeadlineTexts = typeof HEADLINE_TEXTS;

export type HeadlineKind = keyof HeadlineTexts;

/** The headline of a status page. */
export interface Headline {
  status: MonitorStatus;
  kind: HeadlineKind;
}

/** Fields of an open incident that affect the headline. */
export interface HeadlineIncident {
  status: IncidentStatus;
  impact: Impact;
  /** Affected monitors of the page. */
  monitors: unknown[];
}

/** Kinds by the worst status of the monitors: if all of them have it, and if only some do. */
const KINDS: Record<MonitorStatus, { all: HeadlineKind; some: HeadlineKind }> = {
  major_outage: { all: 'major_outage', some: 'partial_outage' },
  partial_outage: { all: 'partial_outage', some: 'partial_outage' },
  degraded_performance: { all: 'all_degraded', some: 'some_degraded' },
  unknown: { all: 'all_unknown', some: 'some_unknown' },
  under_maintenance: { all: 'maintenance', some: 'maintenance' },
  operational: { all: 'operational', some: 'operational' },
};

/** Status for an incident that affects no monitor of the page. Only monitors can cause a major outage. */
const STATUS_OF: Record<Impact, MonitorStatus> = {
  none: 'operational',
  minor: 'degraded_performance',
  major: 'partial_outage',
  critical: 'partial_outage',
};

/**
 * Returns the headline of a page: the worst status of its monitors. The status is `major_outage` only if all monitors have it.
 * An incident that affects no monitor of the page counts by its impact, unless its status is `monitoring`. The text is the
 * number of open incidents if the monitors are operational, or not as bad as such an incident.
 *
 *     1 of 20 has a major outage         partial_outage   Partial outage
 *     all green, an incident is open     operational      1 open incident
 *     …with a major impact of its own    partial_outage   1 open incident
 */
export function headlineOf(counts: StatusCounts, incidents: HeadlineIncident[]): Headline {
  const worst = worstIn(counts);
  const isAll = counts[worst] === counts.total;
  const ofMonitors = worst === 'major_outage' && !isAll ? 'partial_outage' : worst;
  const status = worstOf([ofMonitors, STATUS_OF[impactOfOthers(incidents)]]) ?? ofMonitors;
  const isQuiet = worst === 'operational' || counts.total === 0;
  if (incidents.length > 0 && (isQuiet || status !== ofMonitors)) return { status, kind: 'open_incidents' };
  if (counts.total === 0) return { status, kind: 'no_monitors' };
  return { status, kind: KINDS[worst][isAll ? 'all' : 'some'] };
}

/**
 * Returns the text of a headline.
 * @param incidents the number of open incidents
 */
export function headlineText(
  { kind }: Pick<Headline, 'kind'>,
  incidents: number,
  texts = HEADLINE_TEXTS,
): string {
  const text = texts[kind];
  return typeof text === 'string' ? text : text(incidents);
}

/** Returns the worst impact of incidents that affect no monitor of the page and whose status is not `monitoring`. */
export function impactOfOthers(incidents: readonly HeadlineIncident[]): Impact {
  const counted = incidents.filter(
    ({ status, monitors }) => status !== 'monitoring' && monitors.length === 0,
  );
  return IMPACTS.findLast((impact) => counted.some((incident) => incident.impact === impact)) ?? 'none';
}
