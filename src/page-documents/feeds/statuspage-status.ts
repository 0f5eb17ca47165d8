import type { Impact } from '../../incidents/incident-status.js';
import { type HeadlineIncident, impactOfOthers } from '../../summaries/headline.js';
import type { ComponentStatus, StatuspageComponent, StatuspageStatus } from './statuspage-types.js';

type Indicator = StatuspageStatus['indicator'];

/** Statuspage's indicators, best first. */
const SEVERITY: readonly Indicator[] = ['none', 'maintenance', 'minor', 'major', 'critical'];

const OPERATIONAL: StatuspageStatus = { indicator: 'none', description: 'All Systems Operational' };
const MAINTENANCE: StatuspageStatus = { indicator: 'maintenance', description: 'Service Under Maintenance' };
const SOME_DEGRADED: StatuspageStatus = { indicator: 'minor', description: 'Partially Degraded Service' };
const ALL_DEGRADED: StatuspageStatus = { indicator: 'minor', description: 'Degraded System Service' };
const MINOR: StatuspageStatus = { indicator: 'minor', description: 'Minor Service Outage' };
const PARTIAL: StatuspageStatus = { indicator: 'major', description: 'Partial System Outage' };
const MAJOR: StatuspageStatus = { indicator: 'critical', description: 'Major System Outage' };

/** Statuses for an incident that affects no component of the page. */
const OF_IMPACT: Record<Impact, StatuspageStatus> = {
  none: OPERATIONAL,
  minor: MINOR,
  major: PARTIAL,
  critical: MAJOR,
};

/**
 * Returns the status of a page by the rules and in the words of Statuspage, because clients compare the text. It can differ
 * from the page's headline. Groups do not count. An open incident counts by its impact if it affects no component of the page,
 * unless its status is `monitoring`.
 *
 *     1 of 20 has a major outage    major    Partial System Outage
 *     1 of 20 has a partial outage  minor    Minor Service Outage
 *
 * https://support.atlassian.com/statuspage/docs/top-level-status-and-incident-impact-calculations/
 */
export function statuspageStatus(
  components: readonly Pick<StatuspageComponent, 'group' | 'status'>[],
  incidents: readonly HeadlineIncident[],
): StatuspageStatus {
  const ofComponents = ofStatuses(components.filter(({ group }) => !group).map(({ status }) => status));
  const ofIncidents = OF_IMPACT[impactOfOthers(incidents)];
  const isWorse = SEVERITY.indexOf(ofIncidents.indicator) > SEVERITY.indexOf(ofComponents.indicator);
  return isWorse ? ofIncidents : ofComponents;
}

function ofStatuses(statuses: readonly ComponentStatus[]): StatuspageStatus {
  const has = (status: ComponentStatus) => statuses.includes(status);
  const isAll = (status: ComponentStatus) => has(status) && statuses.every((one) => one === status);
  if (isAll('major_outage')) return MAJOR;
  if (has('major_outage') || isAll('partial_outage')) return PARTIAL;
  if (has('partial_outage')) return MINOR;
  // A page of one component is also “Partially Degraded”.
  if (isAll('degraded_performance') && statuses.length > 1) return ALL_DEGRADED;
  if (has('degraded_performance')) return SOME_DEGRADED;
  return has('under_maintenance') ? MAINTENANCE : OPERATIONAL;
}
