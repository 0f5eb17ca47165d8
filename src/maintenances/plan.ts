import { type FieldError, pointerTo, validationFailed } from '../platform/problems/problem.js';
import type { UpdateMaintenanceDto } from './dto/update-maintenance.dto.js';
import { windowFault } from './dto/window.js';
import type { Maintenance } from './maintenance.entity.js';
import type { LockedMaintenance } from './maintenances.repository.js';

/** Fields of an update that can change the history of monitors. */
type Plan = Pick<Maintenance, 'starts_at' | 'ends_at' | 'monitor_ids' | 'closed_as' | 'closed_at'>;

/**
 * Returns the plan after an update.
 * @throws Problem 400 `validation_failed` if the window or the status is invalid together with the current values
 */
export function planOf(
  current: LockedMaintenance,
  { starts_at, ends_at, monitor_ids, status }: UpdateMaintenanceDto,
): Plan {
  const window = { starts_at: starts_at ?? current.starts_at, ends_at: ends_at ?? current.ends_at };
  const errors = [
    ...windowErrors(window, ends_at ? 'ends_at' : 'starts_at'),
    ...statusErrors(current, status),
  ];
  if (errors.length > 0) throw validationFailed(errors);
  return { ...window, monitor_ids: monitor_ids ?? current.monitor_ids, ...closingOf(current, status) };
}

function windowErrors(
  window: Pick<Plan, 'starts_at' | 'ends_at'>,
  field: 'starts_at' | 'ends_at',
): FieldError[] {
  const detail = windowFault(window, field);
  return detail === undefined ? [] : [{ code: 'out_of_range', detail, pointer: pointerTo([field]) }];
}

function statusErrors(current: LockedMaintenance, status: UpdateMaintenanceDto['status']): FieldError[] {
  if (status === current.status || (status !== 'scheduled' && status !== 'in_progress')) return [];
  const detail =
    'must be completed, cancelled or null; scheduled and in_progress are derived from starts_at and ends_at';
  return [{ code: 'invalid_format', detail, pointer: pointerTo(['status']) }];
}

/**
 * Returns how and when the window is closed. A window that is already closed keeps its time, so that closing it in another way
 * does not extend it.
 */
function closingOf(
  { status: today, closed_as, closed_at, now }: LockedMaintenance,
  status: UpdateMaintenanceDto['status'],
): Pick<Plan, 'closed_as' | 'closed_at'> {
  if (status === null) return { closed_as: null, closed_at: null };
  if (status === today || (status !== 'completed' && status !== 'cancelled')) return { closed_as, closed_at };
  return { closed_as: status, closed_at: closed_at ?? now };
}

/** Returns whether two plans differ in a window or a monitor. */
export function changesWindow(before: Plan, after: Plan): boolean {
  const textOf = ({ starts_at, ends_at, monitor_ids, closed_at }: Plan) =>
    JSON.stringify([starts_at, ends_at, monitor_ids, closed_at]);
  return textOf(before) !== textOf(after);
}

/** Returns the time range from the first start to the last end of plans. */
export function windowOf(...plans: Pick<Plan, 'starts_at' | 'ends_at'>[]): { from: Date; to: Date } {
  return {
    from: new Date(Math.min(...plans.map(({ starts_at }) => starts_at.getTime()))),
    to: new Date(Math.max(...plans.map(({ ends_at }) => ends_at.getTime()))),
  };
}
