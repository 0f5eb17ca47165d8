import type { MonitorStatus } from '../monitors/monitor-status.js';
import { Shape } from '../page-documents/components/status.js';
import { WORDS } from './words.js';

const { review: words } = WORDS;

/** Maximum number of monitors that a review lists. */
const MAX_ROWS = 10;

/** A monitor with its status before a change and after it. */
export interface ChangedMonitor {
  name: string;
  before: MonitorStatus;
  after: MonitorStatus;
}

/** Renders what happens to monitors: which get another status, and which keep theirs. */
export function ChangedMonitors({ monitors }: { monitors: readonly ChangedMonitor[] }) {
  if (monitors.length === 0) return null;
  const further = monitors.length - MAX_ROWS;
  return (
    <section>
      <h2>{words.monitors}</h2>
      <ul class="rows">
        {monitors.slice(0, MAX_ROWS).map(({ name, before, after }) => (
          <li class="row plain">
            <Shape status={after} />
            <span class="what">
              <bdi>{name}</bdi> {after === before ? words.stays(after) : words.becomes(after)}
            </span>
          </li>
        ))}
      </ul>
      {further > 0 && <p class="quiet">{words.further_monitors(further)}</p>}
    </section>
  );
}
