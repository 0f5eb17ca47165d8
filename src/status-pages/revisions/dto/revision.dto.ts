import { ApiProperty, ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { EXAMPLE_IDS } from '../../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId } from '../../../platform/openapi/response-fields.js';
import { Choice, Integer, Text, Uuid } from '../../../platform/validation/fields.js';
import { type Operation, OPERATIONS } from '../../revision-statements.js';
import { StatusPageDto } from '../../dto/status-page.dto.js';

const MAX_NUMBER = 2 ** 31 - 1;

/** The fields of a page that a revision can change. */
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

/** The path parameters of an operation on a revision. */
export class RevisionParams {
  @Uuid({ description: 'Identifier of the status page.' })
  id!: string;

  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[0-9]{1,10}$/.test(value) ? Number(value) : value,
  )
  @Integer({ min: 1, max: MAX_NUMBER, description: 'Number of the revision.', example: 1 })
  number!: number;
}

/** The API key of a revision. */
@ApiSchema({ name: 'StatusPageRevisionApiKey' })
export class RevisionApiKeyDto {
  @ResponseId('Identifier of the API key.', EXAMPLE_IDS.api_key)
  id!: string;

  @Text({ min: 1, max: 200, description: 'Name of the API key at that time.', example: 'CI' })
  name!: string;
}

/** A change of a status page, as lists show it. */
@ApiSchema({ name: 'StatusPageRevision' })
export class RevisionDto {
  @Integer({ min: 1, max: MAX_NUMBER, description: 'Counts the changes of the page from 1.', example: 7 })
  number!: number;

  @Choice({
    of: OPERATIONS,
    description:
      'What changed the page. `delete_monitor`: a monitor of its sections was deleted. `restore`: the page was restored after a `delete`.',
    example: 'update',
  })
  operation!: Operation;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...REVISED_FIELDS] },
    maxItems: REVISED_FIELDS.length,
    uniqueItems: true,
    description: 'The fields whose values changed.',
    example: ['name'],
  })
  changed_fields!: (typeof REVISED_FIELDS)[number][];

  @ApiProperty({
    type: RevisionApiKeyDto,
    nullable: true,
    description: 'The API key that changed the page; null: the command line, or a demo.',
  })
  api_key!: RevisionApiKeyDto | null;

  @CreatedAt()
  created_at!: Date;
}

/** Some fields of a status page. */
@ApiSchema({ name: 'StatusPageFields' })
export class RevisedFieldsDto extends PartialType(PickType(StatusPageDto, REVISED_FIELDS)) {}

/** A change of a status page, with the page as it stood after it. */
@ApiSchema({ name: 'StatusPageRevisionWithPage' })
export class RevisionWithPageDto extends RevisionDto {
  @ApiProperty({ description: 'The values of `changed_fields` before the change.' })
  before!: RevisedFieldsDto;

  @ApiProperty({
    description: 'The status page as it stood after the change; for `delete`, as it was deleted.',
  })
  page!: StatusPageDto;
}
