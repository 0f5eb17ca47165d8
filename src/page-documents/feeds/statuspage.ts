import type { PageDocument } from '../../page-model/page-document.js';
import type { CurrentPart, LatestPart, MaintenanceData } from '../../page-model/page-data.js';
import type { Links } from '../../page-model/links.js';
import type { ApiDocument } from '../../page-model/parts.js';
import { type Components, componentsOf } from './statuspage-components.js';
import { toIncident } from './statuspage-incidents.js';
import { toMaintenance } from './statuspage-maintenances.js';
import { statuspageStatus } from './statuspage-status.js';
import type { StatuspageStatus, StatuspageSummary } from './statuspage-types.js';

/** Maximum number of incidents and of maintenance windows in the lists of all of them, as in Statuspage. */
const MAX_LISTED = 50;

/**
 * Renders a document of the public Atlassian Statuspage API, version 2, so that its clients can read the page. Texts are
 * Markdown, whereas Statuspage uses HTML or text.
 */
export function apiDocument(
  document: ApiDocument,
  current: CurrentPart,
  latest: LatestPart,
  links: Links,
): PageDocument {
  const content = contentOf(document, current, latest, links);
  const body = JSON.stringify({ page: pageOf(current, latest, links), ...content });
  return { type: 'application/json; charset=utf-8', body };
}

function contentOf(
  document: ApiDocument,
  current: CurrentPart,
  latest: LatestPart,
  links: Links,
): Partial<StatuspageSummary> {
  const components = componentsOf(current);
  const asIncident = toIncident(current.page.id, components, links);
  const asMaintenance = toMaintenance(current.page.id, components, links);
  const maintenances = (...statuses: MaintenanceData['status'][]) => ({
    scheduled_maintenances: ahead(current, latest)
      .filter(({ status }) => statuses.includes(status))
      .flatMap(asMaintenance),
  });
  switch (document) {
    case 'summary':
      return {
        components: components.all,
        incidents: current.incidents.map(asIncident),
        ...maintenances('scheduled', 'in_progress'),
        status: statusOf(current, components),
      };
    case 'status':
      return { status: statusOf(current, components) };
    case 'components':
      return { components: components.all };
    case 'incidents':
      return { incidents: latest.incidents.slice(0, MAX_LISTED).map(asIncident) };
    case 'incidents/unresolved':
      return { incidents: current.incidents.map(asIncident) };
    case 'scheduled-maintenances':
      return { scheduled_maintenances: latest.maintenances.flatMap(asMaintenance).slice(0, MAX_LISTED) };
    case 'scheduled-maintenances/upcoming':
      return maintenances('scheduled');
    case 'scheduled-maintenances/active':
      return maintenances('in_progress');
  }
}

function statusOf({ incidents }: CurrentPart, { all }: Components): StatuspageStatus {
  const affecting = incidents.map((one) => ({ ...one, monitors: one.affected_now }));
  return statuspageStatus(all, affecting);
}

/**
 * Returns the page. `updated_at` is the last change of its contents instead of the request time, so that the ETag stays
 * the same.
 */
function pageOf(current: CurrentPart, latest: LatestPart, links: Links): StatuspageSummary['page'] {
  const { page, sections, incidents, maintenances } = current;
  const shown = [
    page,
    ...sections.flatMap(({ monitors }) => monitors),
    ...[...incidents, ...latest.incidents].flatMap((incident) => [incident, ...incident.updates]),
    ...maintenances,
    ...latest.maintenances,
  ];
  const updatedAt = Math.max(...shown.map(({ updated_at }) => updated_at.getTime()));
  return {
    id: page.id,
    name: page.name,
    url: links.absolute({ kind: 'overview' }),
    time_zone: 'Etc/UTC',
    updated_at: new Date(updatedAt).toISOString(),
  };
}

/** Returns the maintenance windows that have not ended, sorted by start: the next ones, and later ones. */
function ahead(current: CurrentPart, latest: LatestPart): MaintenanceData[] {
  const all = new Map([...latest.maintenances, ...current.maintenances].map((one) => [one.id, one]));
  return [...all.values()].toSorted((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
}
