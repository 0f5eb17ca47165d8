import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { NullableTime, TimeOf } from '../../platform/openapi/response-fields.js';
import { MAX_FOUND, MAX_FOUND_LENGTH } from '../domain-record.js';
import { MAX_ADDRESSES } from '../routing-probe.js';
import { DOMAIN_STATUSES, type DomainStatus } from '../status-page-domain.entity.js';

const MAX_DOMAIN = 253;
const MAX_ERROR = 200;

const Reason = (description: string) =>
  ApiProperty({ type: 'string', maxLength: MAX_ERROR, nullable: true, description, example: null });

/** The record that proves a claim. */
@ApiSchema({ name: 'DomainRecord' })
export class DomainRecordDto {
  @ApiProperty({ enum: ['TXT'], description: 'Type of the DNS record.', example: 'TXT' })
  type!: 'TXT';

  @ApiProperty({
    maxLength: MAX_DOMAIN + 20,
    description: 'Full name of the DNS record.',
    example: '_status-pages.status.acme.example',
  })
  name!: string;

  @ApiProperty({
    maxLength: 100,
    description:
      'Value of the DNS record. It is the same for each domain of the status page, and not a secret.',
    example: 'status-pages-verification=4e1f0a2b3c4d5e6f708192a3b4c5d6e7f8091a2b',
  })
  value!: string;
}

/** Destination of a domain. */
@ApiSchema({ name: 'DomainRouting' })
export class DomainRoutingDto {
  @ApiProperty({
    type: 'array',
    maxItems: MAX_ADDRESSES,
    items: { type: 'string', maxLength: 45 },
    description: 'Addresses of the domain in DNS. Empty if DNS has no address, or if one is not public.',
    example: ['203.0.113.10'],
  })
  addresses!: string[];

  @ApiProperty({
    description: 'Whether a request to the domain arrives at this instance, directly or through a proxy.',
    example: true,
  })
  reaches_us!: boolean;

  @Reason('Reason why it does not arrive, or null if it arrives.')
  error!: string | null;
}

/** The custom domain of a status page in a response. */
@ApiSchema({ name: 'StatusPageDomain' })
export class StatusPageDomainDto {
  @ApiProperty({
    format: 'hostname',
    maxLength: MAX_DOMAIN,
    description: '`custom_domain` of the status page.',
    example: 'status.acme.example',
  })
  domain!: string;

  @ApiProperty({
    enum: DOMAIN_STATUSES,
    description:
      '`pending`: the record was never found. `verified`: the domain serves the status page. `lost`: the record is missing for 7 days, or another status page has proved that it may use the domain.',
    example: 'verified',
  })
  status!: DomainStatus;

  @ApiProperty({ type: () => DomainRecordDto, description: 'The record that the owner of the domain sets.' })
  record!: DomainRecordDto;

  @ApiProperty({
    type: 'array',
    nullable: true,
    maxItems: MAX_FOUND,
    items: { type: 'string', maxLength: MAX_FOUND_LENGTH },
    description: `The first ${MAX_FOUND} values that the last check found under the name of the record; null: not checked yet, or DNS has failed.`,
    example: ['status-pages-verification=4e1f0a2b3c4d5e6f708192a3b4c5d6e7f8091a2b'],
  })
  found!: string[] | null;

  @Reason('Reason why DNS has failed in the last check, or null if it has not.')
  error!: string | null;

  @ApiProperty({
    type: () => DomainRoutingDto,
    nullable: true,
    description: 'Destination of the domain, or null before the first check. It does not affect `status`.',
  })
  routing!: DomainRoutingDto | null;

  @NullableTime('Start of the last check; null: not checked yet.', '2026-11-25T12:00:00.000Z')
  checked_at!: Date | null;

  @NullableTime(
    'Time since which, or until `lost` since which, the status page has had the domain.',
    '2026-11-24T08:00:00.000Z',
  )
  verified_at!: Date | null;

  @NullableTime('Time since which the record of a verified domain is missing, or null if it is not missing.')
  missing_since!: Date | null;

  @TimeOf('Time of the next check.')
  next_check_at!: Date;
}
