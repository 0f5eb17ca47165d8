import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { UUID_SCHEMA } from '../../platform/validation/uuid.js';
import { MAX_DAYS } from '../day-range.js';

/** Documents a number of seconds of a day. */
const SecondsOfDay = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int32', minimum: 0, maximum: 86_400, description, example });

/** Documents an uptime. */
const Uptime = (description: string) =>
  ApiProperty({ type: 'number', minimum: 0, maximum: 100, nullable: true, description, example: 99.93 });

const Day = (description: string) =>
  ApiProperty({
    type: 'string',
    format: 'date',
    minLength: 10,
    maxLength: 10,
    description,
    example: '2026-11-20',
  });

/** A day of a monitor, in UTC. The seconds add up to 86,400; today has only the seconds until now. */
@ApiSchema({ name: 'MonitorDay' })
export class MonitorDayDto {
  @Day('The day, in UTC.')
  day!: string;

  @Uptime('Uptime in percent, rounded down to two decimals; null: nothing was observed.')
  uptime!: number | null;

  @SecondsOfDay('Seconds in which it was operational.', 86_140)
  operational!: number;

  @SecondsOfDay('Seconds with degraded performance. They count as up.', 0)
  degraded_performance!: number;

  @SecondsOfDay('Seconds with a partial outage. 30 % of them count as down.', 200)
  partial_outage!: number;

  @SecondsOfDay('Seconds with a major outage.', 0)
  major_outage!: number;

  @SecondsOfDay('Seconds in a maintenance. They do not count.', 60)
  under_maintenance!: number;

  @SecondsOfDay('Seconds without a report. They do not count.', 0)
  unknown!: number;
}

/** The days of a monitor. */
@ApiSchema({ name: 'MonitorDays' })
export class MonitorDaysDto {
  @ApiProperty({ ...UUID_SCHEMA, description: 'The monitor.', example: EXAMPLE_IDS.monitor })
  monitor_id!: string;

  @Day('First day.')
  from!: string;

  @Day('Last day.')
  to!: string;

  @Uptime('Uptime of all days together in percent, rounded down to two decimals; null: nothing was observed.')
  uptime!: number | null;

  @ApiProperty({ type: () => MonitorDayDto, isArray: true, maxItems: MAX_DAYS, description: 'Oldest first.' })
  days!: MonitorDayDto[];
}
