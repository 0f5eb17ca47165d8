import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { RECORD_TYPES, type RecordType } from '../../platform/network/dns.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { Choice, Flag, Integer, Pattern, Text, Uuid } from '../../platform/validation/fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { FAILURE_STATUSES } from '../check.entity.js';
import type { Check } from '../check.entity.js';
import { CHECK_TYPES, type CheckType, HTTP_METHODS, type HttpMethod } from '../probes/target.js';
import { MAX_HEADERS, MAX_NAME } from './check-headers.js';

/** Up to ten codes and ranges of HTTP statuses. */
const STATUS_LIST = /^[1-5]\d\d(-[1-5]\d\d)?(,[1-5]\d\d(-[1-5]\d\d)?){0,9}$/;
const MAX_STATUS_LIST = 79;

/** A check in a response. */
@ApiSchema({ name: 'Check' })
export class CheckDto {
  @ResponseId('ID of the check.', EXAMPLE_IDS.check)
  id!: string;

  // The demo's first monitor has a check.
  @Uuid({
    description:
      'Monitor whose status the check reports. It must belong to the project. A monitor has at most one check.',
    example: EXAMPLE_IDS.monitor,
  })
  monitor_id!: string;

  @Choice({
    of: CHECK_TYPES,
    description:
      '`http`: a request, and its response. `tcp`: a connection. `dns`: a record. `tls`: a certificate. The type cannot be changed.',
    example: 'http',
  })
  type!: CheckType;

  @Pattern({
    pattern: /^\S+$/,
    max: 2_048,
    form: '1 to 2048 characters without white space',
    description:
      'Target. `http`: a URL with http or https. `tcp` and `tls`: host and port, such as `db.example.com:5432`. `dns`: a name.',
    example: 'https://api.example.com/health',
  })
  target!: string;

  @Integer({
    min: 30,
    max: 86_400,
    default: 60,
    description: 'Time between two runs, in seconds.',
    example: 60,
  })
  interval_seconds!: number;

  @Integer({
    min: 1,
    max: 30,
    default: 10,
    description:
      'Time after which a run has failed, in seconds. A run ends at least a second before the next one.',
    example: 10,
  })
  timeout_seconds!: number;

  @Integer({
    min: 1,
    max: 10,
    default: 2,
    description: 'Number of failures in a row after which the monitor gets `status_on_failure`.',
    example: 2,
  })
  failures!: number;

  @Integer({
    min: 1,
    max: 10,
    default: 1,
    description: 'Number of successes in a row after which `status_on_failure` ends.',
    example: 1,
  })
  recoveries!: number;

  @Integer({
    min: 1,
    max: 30_000,
    nullable: true,
    description:
      'The monitor gets `degraded_performance` if successful runs take longer than this, as many in a row as `failures`, in milliseconds; null: never.',
    example: 2_000,
  })
  degraded_above_ms!: number | null;

  @Choice({
    of: FAILURE_STATUSES,
    default: 'major_outage',
    description: 'Status of the monitor while the check fails.',
    example: 'major_outage',
  })
  status_on_failure!: Check['status_on_failure'];

  @Flag({ default: true, description: 'Whether the check runs.', example: true })
  enabled!: boolean;

  @Choice({ of: HTTP_METHODS, default: 'GET', description: '`http`: method of the request.', example: 'GET' })
  method!: HttpMethod;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', maxLength: MAX_NAME },
    maxItems: MAX_HEADERS,
    description:
      '`http`: names of the headers, in lower case. Their values are stored encrypted, and never shown.',
    example: ['authorization'],
  })
  header_names!: string[];

  @Text({ min: 0, max: 10_000, default: '', description: '`http`: body of the request.', example: '' })
  body!: string;

  @Pattern({
    pattern: STATUS_LIST,
    max: MAX_STATUS_LIST,
    form: 'up to 10 codes and ranges of HTTP statuses, such as 200-299,401',
    default: '200-399',
    description: '`http`: codes and ranges of expected statuses.',
    example: '200-299,401',
  })
  expected_status!: string;

  @Text({
    min: 1,
    max: 500,
    nullable: true,
    description: '`http`: text that the first MiB of the response must contain; null: any response.',
    example: 'ok',
  })
  body_contains!: string | null;

  @Flag({
    default: true,
    description:
      '`http`: whether up to 10 redirects are followed. Another host gets neither the headers nor the body.',
    example: true,
  })
  follow_redirects!: boolean;

  @Choice({ of: RECORD_TYPES, default: 'A', description: '`dns`: type of the record.', examples: ['A'] })
  record_type!: RecordType;

  @Text({
    min: 1,
    max: 500,
    nullable: true,
    description: '`dns`: value that one of the records must have; null: any value.',
    examples: ['192.0.2.10'],
  })
  expected!: string | null;

  @Integer({
    min: 1,
    max: 90,
    default: 14,
    description: '`tls`: the check fails if the certificate expires in less than this number of days.',
    examples: [14],
  })
  days_before_expiry!: number;

  @ProjectId('Project that owns the check and its monitor.')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
