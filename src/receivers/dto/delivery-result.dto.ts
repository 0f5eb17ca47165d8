import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { FIELD_ERRORS, type FieldErrorCode } from '../../platform/problems/catalogue.js';
import { MAX_ALERTS } from '../alertmanager.js';
import { MAX_LABEL_LENGTH } from './alertmanager.query.js';

/** Maximum number of ignored alerts that a result lists. */
export const MAX_LISTED = 100;

/** Codes of ignored alerts. */
export const IGNORED_CODES = ['unknown_monitor', 'invalid_format'] as const satisfies FieldErrorCode[];

const MAX_TIMES = 3 * MAX_ALERTS;
const count = (maximum: number) => ({ type: 'integer', format: 'int32', minimum: 0, maximum }) as const;

/** An alert that was ignored because it identifies no monitor of the project. */
@ApiSchema({ name: 'IgnoredAlert' })
export class IgnoredAlertDto {
  @ApiProperty({
    type: 'string',
    enum: [...IGNORED_CODES],
    description: IGNORED_CODES.map((code) => `\`${code}\`: ${FIELD_ERRORS[code]}`).join(' '),
    example: 'unknown_monitor',
  })
  code!: (typeof IGNORED_CODES)[number];

  @ApiProperty({
    maxLength: 100,
    description: 'Description of the error.',
    example: 'is not a monitor of the project',
  })
  detail!: string;

  @ApiProperty({
    maxLength: '#/alerts/999/labels/'.length + MAX_LABEL_LENGTH,
    description: 'Label of the alert, as a JSON Pointer in URI fragment form (RFC 6901).',
    example: '#/alerts/3/labels/monitor_key',
  })
  pointer!: string;
}

/** Result of `POST /v1/receivers/alertmanager`. */
@ApiSchema({ name: 'AlertmanagerResult' })
export class DeliveryResultDto {
  @ApiProperty({
    ...count(MAX_TIMES),
    description:
      'Number of reports. For each monitor, the service records a report when its first alert in the delivery starts, at each later start or end that changes the worst status of its alerts, and at the current time. The start of an alert is not recorded if the monitor already had a worse status at that time.',
    example: 2,
  })
  reports!: number;

  @ApiProperty({
    ...count(MAX_TIMES),
    description:
      "Number of reports with a status different from the monitor's previous status at `observed_at`.",
    example: 1,
  })
  changed!: number;

  @ApiProperty({
    ...count(MAX_ALERTS),
    description: 'Number of alerts that were skipped because they have neither label.',
    example: 0,
  })
  skipped!: number;

  @ApiProperty({
    ...count(MAX_ALERTS),
    description:
      'Number of alerts that were ignored because their label identifies no monitor of the project.',
    example: 1,
  })
  ignored!: number;

  @ApiProperty({
    type: () => IgnoredAlertDto,
    isArray: true,
    maxItems: MAX_LISTED,
    description: `The first ${MAX_LISTED} ignored alerts.`,
  })
  ignored_alerts!: IgnoredAlertDto[];
}
