import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { UUID_SCHEMA } from '../../../platform/validation/uuid.js';
import { MAX_MONITORS } from '../../dto/section.dto.js';
import { StatusPageDto } from '../../dto/status-page.dto.js';

/** Additional fields of a restore response. */
export const OMITTED_MONITORS = {
  omitted_monitor_ids: {
    type: 'array',
    items: UUID_SCHEMA,
    maxItems: MAX_MONITORS,
    description: 'Monitors that were not restored because they have been deleted.',
  },
} as const;

/** Request body of `POST /v1/status-pages/{id}/revisions/{number}/restore`. It has no fields. */
@ApiSchema({ name: 'StatusPageRevisionRestore' })
export class RestoreRevisionDto {}

/** Request body of `POST /v1/status-pages/{id}/restore`: replacements for values that another page may have taken. */
@ApiSchema({ name: 'StatusPageRestore' })
export class RestoreStatusPageDto extends PartialType(PickType(StatusPageDto, ['slug', 'custom_domain'])) {}
