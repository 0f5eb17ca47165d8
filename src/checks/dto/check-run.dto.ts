import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { REPORTED_STATUSES, type ReportedStatus } from '../../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { NullableTime, ResponseId, TimeOf } from '../../platform/openapi/response-fields.js';

/** Longest error of a run. */
export const MAX_ERROR = 200;

/** Longest duration of a run. */
const MAX_MS = 60_000;

/** Maximum of a count of runs in a row. */
const MAX_COUNT = 2_147_483_647;

const Milliseconds = (description: string, example: number) =>
  ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_MS,
    nullable: true,
    description,
    example,
  });

const RunError = () =>
  ApiProperty({
    type: 'string',
    maxLength: MAX_ERROR,
    nullable: true,
    description: 'Why the run has failed; null if it has succeeded.',
    example: null,
  });

/** Response of `POST /v1/checks/{id}/run`. */
@ApiSchema({ name: 'CheckRun' })
export class CheckRunDto {
  @TimeOf('Start of the run.')
  started_at!: Date;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_MS,
    description: 'Time until the result, in milliseconds.',
    example: 120,
  })
  duration_ms!: number;

  @RunError()
  error!: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 100,
    maximum: 999,
    nullable: true,
    description: '`http`: status of the last response; null: no response.',
    example: 200,
  })
  status_code!: number | null;

  @Milliseconds('Time of the DNS query, in milliseconds; null if the run does not have this phase.', 5)
  dns_ms!: number | null;

  @Milliseconds(
    'Time to establish the connection, in milliseconds; null if the run does not have this phase.',
    20,
  )
  connect_ms!: number | null;

  @Milliseconds('Time of the TLS handshake, in milliseconds; null if the run does not have this phase.', 40)
  tls_ms!: number | null;

  @Milliseconds('`http`: time from the request to the first byte of the response; null: no response.', 55)
  first_byte_ms!: number | null;

  @NullableTime('End of the server certificate; null: no TLS.')
  certificate_expires_at!: Date | null;
}

/** Response of `GET /v1/checks/{id}/state`. */
@ApiSchema({ name: 'CheckState' })
export class CheckStateDto {
  @ResponseId('ID of the check.', EXAMPLE_IDS.check)
  check_id!: string;

  @ApiProperty({
    type: 'string',
    enum: [...REPORTED_STATUSES],
    nullable: true,
    description: 'Status that the runs report; null: not decided yet.',
    example: null,
  })
  status!: ReportedStatus | null;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_COUNT,
    description: 'Number of failed runs in a row.',
    example: 0,
  })
  failed_runs!: number;

  @NullableTime('Start of the last run; null: the check has not run yet.')
  checked_at!: Date | null;

  @Milliseconds('Duration of the last run, in milliseconds; null: the check has not run yet.', 120)
  duration_ms!: number | null;

  @RunError()
  error!: string | null;

  @NullableTime('Start of the next run; null: the check is disabled.')
  next_run_at!: Date | null;
}
