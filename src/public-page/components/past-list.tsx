import type { IncidentData, MaintenanceData } from '../data/page-data.js';
import type { Links } from '../documents/links.js';
import { IncidentFacts } from './incident.js';
import { MaintenanceFacts } from './maintenance.js';
import { Name } from './text.js';

interface Props {
  incidents: IncidentData[];
  maintenances: MaintenanceData[];
  links: Links;
  /** Heading level. */
  level: 2 | 3;
}

/** Renders incidents and maintenance windows in one list, newest start first. */
export function PastList({ incidents, maintenances, links, level }: Props) {
  const Heading = `h${level}` as const;
  const entries = [
    ...incidents.map((incident) => ({
      at: incident.started_at,
      title: incident.title,
      href: links.to({ kind: 'incident', id: incident.id }),
      facts: <IncidentFacts incident={incident} />,
    })),
    ...maintenances.map((maintenance) => ({
      at: maintenance.starts_at,
      title: maintenance.title,
      href: links.to({ kind: 'maintenance', id: maintenance.id }),
      facts: <MaintenanceFacts maintenance={maintenance} />,
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
