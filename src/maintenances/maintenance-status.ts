/** Statuses of a maintenance window. Follow from the clock, unless an update has closed the window. */
export const MAINTENANCE_STATUSES = ['scheduled', 'in_progress', 'completed', 'cancelled'] as const;

export type MaintenanceStatus = (typeof MAINTENANCE_STATUSES)[number];

/** Ways to close a maintenance window: it ended early, or was cancelled. */
export type Closing = Extract<MaintenanceStatus, 'completed' | 'cancelled'>;

/** Maximum number of updates of a maintenance window. */
export const MAX_UPDATES = 1_000;

// SQL expressions on a row of `maintenances`. A statement has one time, so status and version are consistent.

/** Time of the statement, but not before `updated_at`, because a change in the same statement has a slightly later time. */
export const CLOCK = 'GREATEST(statement_timestamp(), updated_at)';

export const STATUS = `
  CASE
    WHEN closed_as IS NOT NULL THEN closed_as
    WHEN ${CLOCK} < starts_at THEN 'scheduled'
    WHEN ${CLOCK} < ends_at THEN 'in_progress'
    ELSE 'completed'
  END`;

/** Version: the time of the last change. The start and the end of the window are also changes, because the status changes. */
export const VERSION = `
  GREATEST(
    updated_at,
    CASE WHEN closed_as IS NULL AND starts_at <= ${CLOCK} THEN starts_at END,
    CASE WHEN closed_as IS NULL AND ends_at <= ${CLOCK} THEN ends_at END
  )`;

/** SQL condition: the window is in progress or upcoming. */
export const HAS_NOT_ENDED = 'closed_as IS NULL AND ends_at > statement_timestamp()';

/** End of the window. If it is not after `starts_at`, there is no window. LEAST ignores null. */
export const ENDED_AT = 'LEAST(ends_at, closed_at)';

/**
 * Returns an SQL condition: a page shows the window. `status_page_ids` contains the page; or it is null, and the page shows one
 * of the monitors, or `monitor_ids` is empty; or the page showed a monitor that was deleted before the end.
 * @param page the parameter with the ID of the page
 * @param monitors the parameter with the IDs of the monitors that the page shows
 */
export function isShownOn(page: string, monitors: string): string {
  const affects = `(monitor_ids && ${monitors}::uuid[] OR monitor_ids = '{}')`;
  return `(status_page_ids @> ARRAY[${page}::uuid] OR status_page_ids IS NULL AND ${affects}
           OR former_page_ids @> ARRAY[${page}::uuid])`;
}
