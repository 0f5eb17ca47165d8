import { ApiSchema } from '@nestjs/swagger';
import { REPORTED_STATUSES, type ReportedStatus } from '../../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import {
  Choice,
  type FieldOptions,
  type InputError,
  ListOf,
  Uuid,
} from '../../platform/validation/fields.js';
import type { AffectedMonitor } from '../incident-status.js';

/** Maximum number of monitors that an incident affects at one time. */
export const MAX_MONITORS = 100;

/** A monitor that an incident affects. */
@ApiSchema({ name: 'AffectedMonitor' })
export class AffectedMonitorDto implements AffectedMonitor {
  @Uuid({
    description: 'ID of the monitor. It must belong to the project of the incident.',
    example: EXAMPLE_IDS.monitor,
  })
  monitor_id!: string;

  @Choice({
    of: REPORTED_STATUSES,
    description: 'Status that the incident sets for this monitor.',
    example: 'partial_outage',
  })
  status!: ReportedStatus;
}

/** Monitors that an incident affects, without duplicates. */
export const AffectedMonitors = (options: FieldOptions) =>
  ListOf(AffectedMonitorDto, {
    max: MAX_MONITORS,
    crossCheck: findDuplicates,
    example: [{ monitor_id: EXAMPLE_IDS.monitor, status: 'partial_outage' }],
    ...options,
  });

function findDuplicates(monitors: ReadonlyMap<number, AffectedMonitorDto>): InputError[] {
  const seen = new Set<string>();
  return [...monitors].flatMap(([index, { monitor_id }]): InputError[] => {
    const isRepeated = typeof monitor_id === 'string' && seen.has(monitor_id);
    seen.add(monitor_id);
    if (!isRepeated) return [];
    return [{ path: [index, 'monitor_id'], code: 'duplicate', detail: 'must not be repeated' }];
  });
}
