import type { MaintenanceData } from '../data/page-data.js';
import type { Links } from '../documents/links.js';
import { WORDS } from '../documents/words.js';
import { LatestUpdates, Period } from './incident.js';
import { Shape } from './status.js';
import { Markdown, Name } from './text.js';

/** Renders a maintenance window that is in progress or upcoming, with its latest updates. */
export function PlannedMaintenance({ maintenance, links }: { maintenance: MaintenanceData; links: Links }) {
  const { id, title, body, updates } = maintenance;
  const href = links.to({ kind: 'maintenance', id });
  return (
    <article class="card maintenance">
      <h3>
        <a href={href}>
          <Name>{title}</Name>
        </a>
      </h3>
      <MaintenanceFacts maintenance={maintenance} />
      <Markdown text={body} level={4} />
      {updates.length > 0 && <LatestUpdates updates={updates} href={href} />}
    </article>
  );
}

/** Renders the status, time and monitors of a maintenance window. */
export function MaintenanceFacts({ maintenance }: { maintenance: MaintenanceData }) {
  const { status, starts_at, ends_at, ended_at, monitors } = maintenance;
  return (
    <>
      <p class="facts">
        <span class="status">
          <Shape status="under_maintenance" />
          {WORDS.maintenance_status[status]}
        </span>
        <Period from={starts_at} to={status === 'completed' ? ended_at : ends_at} />
      </p>
      {monitors.length > 0 && (
        <p class="affected">
          {WORDS.affects}{' '}
          {monitors.map(({ name }, index) => (
            <>
              {index > 0 && ', '}
              <Name>{name}</Name>
            </>
          ))}
        </p>
      )}
    </>
  );
}
