import type { IncidentData, MaintenanceData } from '../data/page-data.js';
import type { View } from '../documents/view.js';
import { IncidentFacts } from './incident.js';
import { MaintenanceFacts } from './maintenance.js';
import { Name } from './text.js';

interface Props {
  incidents: IncidentData[];
  maintenances: MaintenanceData[];
  view: View;
  /** Heading level. */
  level: 2 | 3;
}

/** Renders incidents and maintenance windows in one list, newest start first. */
export function PastList({ incidents, maintenances, view, level }: Props) {
  const Heading = `h${level}` as const;
  const entries = [
    ...incidents.map((incident) => ({
      at: incident.started_at,
      title: incident.title,
      href: view.links.to({ kind: 'incident', id: incident.id }),
      facts: <IncidentFacts view={view} incident={incident} />,
    })),
    ...maintenances.map((maintenance) => ({
      at: maintenance.starts_at,
      title: maintenance.title,
      href: view.links.to({ kind: 'maintenance', id: maintenance.id }),
      facts: <MaintenanceFacts view={view} maintenance={maintenance} />,
    })),
  ].toSorted((one, other) => other.at.getTime() - one.at.getTime());
  return (
    <ul class="past">
      {entries.map(({ title, href, facts }) => (
        <li>
          <Heading>
            <a href={href}>
              <Name>{title}</Name>
            </a>
          </Heading>
          {facts}
        </li>
      ))}
    </ul>
  );
}
