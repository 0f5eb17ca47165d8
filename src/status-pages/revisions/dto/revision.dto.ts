import { ApiProperty, ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ActorDto } from '../../../platform/openapi/actor.dto.js';
import { EXAMPLE_IDS } from '../../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId } from '../../../platform/openapi/response-fields.js';
import { Choice, Integer, Text, Uuid } from '../../../platform/validation/fields.js';
import { type Operation, OPERATIONS } from '../../revision-statements.js';
import { StatusPageDto } from '../../dto/status-page.dto.js';

const MAX_NUMBER = 2 ** 31 - 1;

/** Fields of a page that a revision can change. */
export const REVISED_FIELDS = [
  'name',
  'slug',
  'is_public',
  'description',
  'accent_color',
  'show_powered_by',
  'show_history',
  'history_days',
  'rss_enabled',
  'subscribe_enabled',
  'custom_domain',
  'sections',
] as const satisfies (keyof StatusPageDto)[];

export class RevisionParams {
  @Uuid({ description: 'ID of the status page.' })
  id!: string;

  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[0-9]{1,10}$/.test(value) ? Number(value) : value,
  )
  @Integer({ min: 1, max: MAX_NUMBER, description: 'Number of the revision.', example: 1 })
  number!: number;
}

/** API key that created a revision. */
@ApiSchema({ name: 'StatusPageRevisionApiKey' })
export class RevisionApiKeyDto {
  @ResponseId('ID of the API key.', EXAMPLE_IDS.api_key)
  id!: string;

  @Text({ min: 1, max: 200, description: 'Name of the API key when it made the change.', example: 'CI' })
  name!: string;
}

/** A revision of a status page in a list. */
@ApiSchema({ name: 'StatusPageRevision' })
export class RevisionDto {
  @Integer({
    min: 1,
    max: MAX_NUMBER,
    description: 'Sequence number of the revision, starting at 1.',
    example: 7,
  })
  number!: number;

  @Choice({
    of: OPERATIONS,
    description:
      'Operation that created the revision. `delete_monitor`: a monitor in a section was deleted. `restore`: the status page was restored after a `delete`.',
    example: 'update',
  })
  operation!: Operation;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...REVISED_FIELDS] },
    maxItems: REVISED_FIELDS.length,
    uniqueItems: true,
    description: 'Fields whose values changed.',
    example: ['name'],
  })
  changed_fields!: (typeof REVISED_FIELDS)[number][];

  @ApiProperty({ description: 'Author of the change.' })
  actor!: ActorDto;

  @ApiProperty({
    type: RevisionApiKeyDto,
    nullable: true,
    description: 'API key that made the change; null: another `actor` made it.',
  })
  api_key!: RevisionApiKeyDto | null;

  @CreatedAt()
  created_at!: Date;
}

/** Some fields of a status page. */
@ApiSchema({ name: 'StatusPageFields' })
export class RevisedFieldsDto extends PartialType(PickType(StatusPageDto, REVISED_FIELDS)) {}

/** A revision of a status page, with the page after the change. */
@ApiSchema({ name: 'StatusPageRevisionWithPage' })
export class RevisionWithPageDto extends RevisionDto {
  @ApiProperty({ description: 'Values of `changed_fields` before the change.' })
  before!: RevisedFieldsDto;

  @ApiProperty({
    description: 'The status page after the change; for `delete`, the deleted status page.',
  })
  page!: StatusPageDto;
}
