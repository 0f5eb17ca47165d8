import { REPORTED_STATUSES, type ReportedStatus } from '../../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { Choice, Text, Uuid } from '../../platform/validation/fields.js';

const MAX_IGNORED = 16_384; // characters; the headers have a limit of 16 KiB

const STATUSES = [...REPORTED_STATUSES, 'up', 'down'] as const;

/** Query parameters of `GET` and `POST /v1/receivers/push`. */
export class PushQuery {
  @Uuid({ description: 'ID of the monitor.', example: EXAMPLE_IDS.monitor })
  monitor_id!: string;

  @Choice({
    of: STATUSES,
    optional: true,
    description: 'Current status of the monitor. `up` means `operational`; `down` means `major_outage`.',
    default: 'operational',
  })
  status: (typeof STATUSES)[number] = 'operational';

  @Text({ min: 0, max: MAX_IGNORED, optional: true, description: 'Ignored. Uptime Kuma clients send it.' })
  msg?: string;

  @Text({ min: 0, max: MAX_IGNORED, optional: true, description: 'Ignored. Uptime Kuma clients send it.' })
  ping?: string;
}

/** Returns the status in a query. */
export function reportedStatusOf({ status }: PushQuery): ReportedStatus {
  if (status === 'up') return 'operational';
  return status === 'down' ? 'major_outage' : status;
}
