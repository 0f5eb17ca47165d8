import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../../platform/openapi/example-ids.js';
import { UUID_SCHEMA } from '../../../platform/validation/uuid.js';
import { MAX_DAYS } from '../day-range.js';

/** Documents a number of seconds of a day. */
const SecondsOfDay = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int32', minimum: 0, maximum: 86_400, description, example });

/** Documents an uptime. */
const Uptime = (description: string) =>
  ApiProperty({ type: 'number', minimum: 0, maximum: 100, nullable: true, description, example: 99.93 });

/** Documents the seconds on which an uptime is based. */
export const ObservedSeconds = (description: string, maximum: number, example: number) =>
  ApiProperty({ type: 'integer', format: 'int32', minimum: 0, maximum, description, example });

const Day = (description: string) =>
  ApiProperty({
    type: 'string',
    format: 'date',
    minLength: 10,
    maxLength: 10,
    description,
    example: '2026-11-20',
  });

/** A day of a monitor, in UTC. The seconds add up to 86,400. Today contains only the seconds until now. */
@ApiSchema({ name: 'MonitorDay' })
export class MonitorDayDto {
  @Day('Day in UTC.')
  day!: string;

  @Uptime('Uptime in percent, rounded down to two decimals; null: no data.')
  uptime!: number | null;

  @ObservedSeconds(
    'Seconds on which the uptime is based: those in status `operational`, `degraded_performance`, `partial_outage` or `major_outage`. 0 if `uptime` is null.',
    86_400,
    86_340,
  )
  observed_seconds!: number;

  @SecondsOfDay('Seconds in status `operational`.', 86_140)
  operational!: number;

  @SecondsOfDay('Seconds in status `degraded_performance`. Counted as up.', 0)
  degraded_performance!: number;

  @SecondsOfDay('Seconds in status `partial_outage`. 30 % of them are counted as down.', 200)
  partial_outage!: number;

  @SecondsOfDay('Seconds in status `major_outage`. Counted as down.', 0)
  major_outage!: number;

  @SecondsOfDay('Seconds in status `under_maintenance`. Excluded from uptime.', 60)
  under_maintenance!: number;

  @SecondsOfDay(
    'Seconds in status `unknown`: no current report, or before the monitor existed. Excluded from uptime.',
    0,
  )
  unknown!: number;
}

@ApiSchema({ name: 'MonitorDays' })
export class MonitorDaysDto {
  @ApiProperty({ ...UUID_SCHEMA, description: 'ID of the monitor.', example: EXAMPLE_IDS.monitor })
  monitor_id!: string;

  @Day('First day in UTC.')
  from!: string;

  @Day('Last day in UTC.')
  to!: string;

  @Uptime('Total uptime of all days in percent, rounded down to two decimals; null: no data.')
  uptime!: number | null;

  @ObservedSeconds(
    'Sum of the `observed_seconds` of all days, on which the total uptime is based.',
    MAX_DAYS * 86_400,
    7_775_940,
  )
  observed_seconds!: number;

  @ApiProperty({
    type: () => MonitorDayDto,
    isArray: true,
    maxItems: MAX_DAYS,
    description: 'Days, oldest first.',
  })
  days!: MonitorDayDto[];
}
