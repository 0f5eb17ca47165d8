import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import { ObservedSeconds } from '../days/dto/monitor-days.dto.js';
import { IncidentUpdateDto } from '../../incidents/dto/incident-update.dto.js';
import { IncidentDto } from '../../incidents/dto/incident.dto.js';
import { MaintenanceDto } from '../../maintenances/dto/maintenance.dto.js';
import { MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { MONITOR_STATUSES, type MonitorStatus } from '../../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { MAX_MONITORS, MAX_MONITORS_IN_SECTION, SectionDto } from '../../status-pages/dto/section.dto.js';
import { UUID_SCHEMA } from '../../platform/validation/uuid.js';
import type { StatusCounts } from '../status-counts.js';

/** Documents a status. */
export const Status = (description: string) =>
  ApiProperty({ type: 'string', enum: [...MONITOR_STATUSES], description, example: 'partial_outage' });

const Count = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int32', minimum: 0, maximum: MAX_MONITORS, description, example });

/** Number of monitors in each status. "1 of 20 with a major outage" is `major_outage` of `total`. */
@ApiSchema({ name: 'StatusCounts' })
export class StatusCountsDto implements StatusCounts {
  @Count('Number of monitors.', 20)
  total!: number;

  @Count('Monitors with status `major_outage`.', 0)
  major_outage!: number;

  @Count('Monitors with status `partial_outage`.', 1)
  partial_outage!: number;

  @Count('Monitors with status `degraded_performance`.', 0)
  degraded_performance!: number;

  @Count('Monitors with status `unknown`.', 0)
  unknown!: number;

  @Count('Monitors with status `under_maintenance`.', 0)
  under_maintenance!: number;

  @Count('Monitors with status `operational`.', 19)
  operational!: number;
}

/** A monitor on a status page. */
@ApiSchema({ name: 'MonitorSummary' })
export class MonitorSummaryDto extends PickType(MonitorDto, ['name', 'description']) {
  @ApiProperty({ ...UUID_SCHEMA, description: 'ID of the monitor.', example: EXAMPLE_IDS.monitor })
  monitor_id!: string;

  @Status('Current status of the monitor.')
  status!: MonitorStatus;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    maximum: 100,
    nullable: true,
    description:
      'Uptime of the last `history_days` days in percent, rounded down to two decimals; null: no data.',
    example: 99.93,
  })
  uptime!: number | null;

  @ObservedSeconds(
    'Seconds of the last `history_days` days on which the uptime is based: those in status `operational`, `degraded_performance`, `partial_outage` or `major_outage`. 0 if `uptime` is null.',
    365 * 86_400,
    7_775_940,
  )
  observed_seconds!: number;
}

/** A section of a status page. */
@ApiSchema({ name: 'SectionSummary' })
export class SectionSummaryDto extends PickType(SectionDto, ['id', 'title']) {
  @Status('Worst status of the monitors; `unknown` if there are no monitors.')
  status!: MonitorStatus;

  @ApiProperty({ description: 'Number of monitors by status.' })
  counts!: StatusCountsDto;

  @ApiProperty({
    type: () => MonitorSummaryDto,
    isArray: true,
    maxItems: MAX_MONITORS_IN_SECTION,
    description: 'Monitors in the order of the section.',
  })
  monitors!: MonitorSummaryDto[];
}

/** Latest update of an open incident. */
@ApiSchema({ name: 'LastIncidentUpdate' })
export class LastUpdateDto extends PickType(IncidentUpdateDto, ['id', 'status', 'body', 'posted_at']) {}

/** An open incident on a status page. `monitors` contains only monitors of the page. */
@ApiSchema({ name: 'OpenIncident' })
export class OpenIncidentDto extends PickType(IncidentDto, [
  'id',
  'title',
  'status',
  'impact',
  'monitors',
  'started_at',
  'created_at',
  'updated_at',
]) {
  @ApiProperty({ description: 'Latest update, which set the status.' })
  last_update!: LastUpdateDto;
}

/** A maintenance window on a status page. `monitor_ids` contains only monitors of the page. */
@ApiSchema({ name: 'UpcomingMaintenance' })
export class UpcomingMaintenanceDto extends PickType(MaintenanceDto, [
  'id',
  'title',
  'body',
  'status',
  'starts_at',
  'ends_at',
  'monitor_ids',
  'created_at',
  'updated_at',
]) {}
