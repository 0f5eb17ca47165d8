import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { StatusPageDto } from './status-page.dto.js';

const CHANGED_BY_PATCH = 'can only be changed with PATCH /v1/status-pages/{id}';

/** Request body of `PATCH /v1/status-pages/{id}/settings`: the fields that `PATCH /v1/status-pages/{id}` does not accept. */
@Refuses({
  id: READ_ONLY,
  project_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  name: CHANGED_BY_PATCH,
  is_public: CHANGED_BY_PATCH,
  accent_color: CHANGED_BY_PATCH,
  sections: CHANGED_BY_PATCH,
})
@ApiSchema({ name: 'StatusPageSettingsUpdate' })
export class UpdateStatusPageSettingsDto extends PartialType(
  PickType(StatusPageDto, [
    'slug',
    'description',
    'show_powered_by',
    'show_history',
    'history_days',
    'rss_enabled',
    'subscribe_enabled',
    'custom_domain',
  ]),
) {}
