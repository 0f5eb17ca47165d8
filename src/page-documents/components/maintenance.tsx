import type { MaintenanceData } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { LatestUpdates, Period } from './incident.js';
import { Shape } from './status.js';
import { Markdown, Name, Spaced } from './text.js';

/** Renders a maintenance window that is in progress or upcoming, with its newest update. */
export function PlannedMaintenance({ maintenance, view }: { maintenance: MaintenanceData; view: View }) {
  const { id, title, body, updates } = maintenance;
  const href = view.links.to({ kind: 'maintenance', id });
  return (
    <article class="card maintenance">
      <h3>
        <a href={href}>
          <Name>{title}</Name>
        </a>
      </h3>
      <MaintenanceFacts view={view} maintenance={maintenance} />
      <Markdown text={body} level={4} />
      {updates.length > 0 && <LatestUpdates view={view} updates={updates} href={href} />}
    </article>
  );
}

/** Renders the status, time and monitors of a maintenance window. */
export function MaintenanceFacts({ maintenance, view }: { maintenance: MaintenanceData; view: View }) {
  const { status, starts_at, ends_at, ended_at, monitors } = maintenance;
  return (
    <>
      <p class="facts">
        <Spaced>
          <span class="status">
            <Shape status="under_maintenance" />
            {view.words.maintenance_status[status]}
          </span>
          {status === 'scheduled' && view.dates.relative(starts_at) !== null && (
            <time dateTime={starts_at.toISOString()} data-relative>
              {view.dates.relative(starts_at)}
            </time>
          )}
          <Period view={view} from={starts_at} to={status === 'completed' ? ended_at : ends_at} />
        </Spaced>
      </p>
      {monitors.length > 0 && (
        <p class="affected">
          {view.words.affects}{' '}
          {monitors.map(({ name }, index) => (
            <>
              {index > 0 && view.words.comma}
              <Name>{name}</Name>
            </>
          ))}
        </p>
      )}
    </>
  );
}
