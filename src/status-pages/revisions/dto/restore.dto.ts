import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { UUID_SCHEMA } from '../../../platform/validation/uuid.js';
import { MAX_MONITORS } from '../../dto/section.dto.js';
import { StatusPageDto } from '../../dto/status-page.dto.js';

/** What the response of a restoration has beside the page. */
export const OMITTED_MONITORS = {
  omitted_monitor_ids: {
    type: 'array',
    items: UUID_SCHEMA,
    maxItems: MAX_MONITORS,
    description:
      'Monitors that the sections contained and that do not exist any more. The page does not contain them.',
  },
} as const;

/** The body of `POST /v1/status-pages/{id}/revisions/{number}/restore`. It has no fields. */
@ApiSchema({ name: 'StatusPageRevisionRestore' })
export class RestoreRevisionDto {}

/** The body of `POST /v1/status-pages/{id}/restore`: other values for those that another page can have taken. */
@ApiSchema({ name: 'StatusPageRestore' })
export class RestoreStatusPageDto extends PartialType(PickType(StatusPageDto, ['slug', 'custom_domain'])) {}
