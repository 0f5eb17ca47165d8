import { REMINDER_MS } from '../maintenances/maintenance-events.js';
import type { MaintenanceData } from './page-data.js';
import type { MaintenanceSubject } from './mail-content.js';

/**
 * Returns whether mail about an event is still true: the window may have been moved, closed or cancelled after the event.
 * Compares with the time of the event, not with the clock of this process, which can be slow.
 * @param at time of the event, which was planned as the start or the end of the window
 */
export function isStillTrue(
  type: MaintenanceSubject['type'],
  { status, starts_at, ends_at }: Pick<MaintenanceData, 'status' | 'starts_at' | 'ends_at'>,
  at: Date,
): boolean {
  const isOver = status === 'completed' || status === 'cancelled';
  switch (type) {
    case 'maintenance.scheduled':
    case 'maintenance.rescheduled':
      return !isOver;
    case 'maintenance.reminder':
      return status === 'scheduled' && starts_at > at && starts_at.getTime() - at.getTime() <= REMINDER_MS;
    case 'maintenance.started':
      return !isOver && starts_at <= at;
    case 'maintenance.completed':
      return status === 'completed' || (status !== 'cancelled' && ends_at <= at);
    case 'maintenance.cancelled':
      return status === 'cancelled';
  }
}
