/** The statuses of a maintenance. The clock decides, unless an update has closed the maintenance. */
export const MAINTENANCE_STATUSES = ['scheduled', 'in_progress', 'completed', 'cancelled'] as const;

export type MaintenanceStatus = (typeof MAINTENANCE_STATUSES)[number];

/** How an update can close a maintenance: it ended early, or it was called off. */
export type Closing = Extract<MaintenanceStatus, 'completed' | 'cancelled'>;

// SQL expressions on a row of `maintenances`. A statement has one time, so status and version agree.

/** The time of the statement, but not before `updated_at`: a change in the same statement has a slightly later time. */
export const CLOCK = 'GREATEST(statement_timestamp(), updated_at)';

/** The status now. */
export const STATUS = `
  CASE
    WHEN closed_as IS NOT NULL THEN closed_as
    WHEN ${CLOCK} < starts_at THEN 'scheduled'
    WHEN ${CLOCK} < ends_at THEN 'in_progress'
    ELSE 'completed'
  END`;

/** The version: the time of the last change, by an update or, as the status follows from the clock, by its start or end. */
export const VERSION = `
  GREATEST(
    updated_at,
    CASE WHEN closed_as IS NULL AND starts_at <= ${CLOCK} THEN starts_at END,
    CASE WHEN closed_as IS NULL AND ends_at <= ${CLOCK} THEN ends_at END
  )`;

/** When the window ends. If that is not after `starts_at`, there is none. LEAST ignores null. */
export const ENDED_AT = 'LEAST(ends_at, closed_at)';
