import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../validation/refused-fields.js';
import { StatusPageDto } from './status-page.dto.js';

const BY_UPDATE = 'is changed by PATCH /v1/status-pages/{id}';

/** What `PATCH /v1/status-pages/{id}/settings` takes: the fields that the page's own PATCH does not. */
@Refuses({
  id: READ_ONLY,
  project_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  name: BY_UPDATE,
  is_public: BY_UPDATE,
  accent_color: BY_UPDATE,
  sections: BY_UPDATE,
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
