import type { MonitorStatus } from '../monitors/monitor-status.js';
import type { Headline } from '../summaries/headline.js';
import type { StatusCounts } from '../summaries/status-counts.js';

/** Color and shape next to a text: of a status, or neutral. */
export type Sign = MonitorStatus | 'neutral';

/** Contents of a page that affect the sign of its headline. */
interface Signed {
  headline: Headline;
  counts: StatusCounts;
  /** Open incidents. */
  incidents: readonly unknown[];
}

/**
 * Returns the sign of a page's headline. It is neutral if no monitor has a problem but an incident is open, because a page with an
 * open incident never looks operational.
 */
export function signOf({ headline: { status }, counts, incidents }: Signed): Sign {
  const isQuiet = status === 'operational' || (status === 'unknown' && counts.total === 0);
  return isQuiet && incidents.length > 0 ? 'neutral' : status;
}
