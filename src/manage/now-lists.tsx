import type { OpenIncident } from '../incidents/incidents.repository.js';
import { MONITOR_STATUSES } from '../monitors/monitor-status.js';
import { Shape } from '../page-documents/components/status.js';
import type { Now, ProjectNow } from './now.service.js';
import { may, type Visit } from './visit.js';
import { WORDS } from './words.js';

/** Maximum number of monitors of a project that the screen lists. */
const MAX_MONITORS = 12;

const { now: words } = WORDS;

/** Renders the monitors of a project that are not operational, worst first, and the number of the others. */
export function Monitors({
  visit,
  projectId,
  monitors,
  heading: Heading,
}: {
  visit: Visit;
  projectId: string;
  monitors: ProjectNow['monitors'];
  heading: 'h2' | 'h3';
}) {
  const bad = MONITOR_STATUSES.filter((status) => status !== 'operational').flatMap((status) =>
    monitors.filter((one) => one.status === status),
  );
  const good = monitors.length - bad.length;
  const canReport = may(visit, 'incidents:write');
  return (
    <>
      <Heading>{words.monitors}</Heading>
      {bad.length > 0 && (
        <ul class="rows">
          {bad.slice(0, MAX_MONITORS).map(({ id, name, status }) => (
            <li class="row plain">
              <Shape status={status} />
              <bdi class="what">{name}</bdi>
              <span class="quiet">{WORDS.status[status]}</span>
              {canReport && (
                <a
                  class="button small"
                  href={`/manage/incidents/new?project=${projectId}&monitor=${id}`}
                  aria-label={words.report_on_label(name)}
                >
                  {words.report_on}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        {bad.length > MAX_MONITORS && `${words.more(bad.length - MAX_MONITORS)} `}
        {bad.length === 0 ? words.all_operational(good) : good > 0 && `${words.some_operational(good)} `}{' '}
        <a href={`/manage/monitors?project=${projectId}`}>{words.all_monitors}</a>
      </p>
    </>
  );
}

/** Renders the messages that wait, and those that have failed. */
export function OutgoingList({ outgoing }: Pick<Now, 'outgoing'>) {
  const lines = outgoing.flatMap(({ channel, pending, failed }) => [
    ...(pending > 0 ? [{ sign: 'neutral' as const, text: words.waiting(pending, channel) }] : []),
    ...(failed > 0 ? [{ sign: 'partial_outage' as const, text: words.failed(failed, channel) }] : []),
  ]);
  if (lines.length === 0) return <p class="quiet">{words.nothing_waits}</p>;
  return (
    <ul class="rows">
      {lines.map(({ sign, text }) => (
        <li class="row plain">
          <Shape status={sign} />
          <span class="what">{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** Renders the names of the first affected monitors, and the number of the others. */
export function Affected({
  of: { monitor_ids, affected },
  names,
}: {
  of: Pick<OpenIncident, 'monitor_ids' | 'affected'>;
  names: ReadonlyMap<string, string>;
}) {
  const shown = monitor_ids.flatMap((id) => names.get(id) ?? []);
  if (shown.length === 0) return null;
  return (
    <span class="quiet">
      {shown.map((name, index) => (
        <>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </>
      ))}
      {affected > shown.length && ` +${affected - shown.length}`}
    </span>
  );
}
