import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../validation/refused-fields.js';
import { StatusPageDto } from './status-page.dto.js';

const BY_SETTINGS = 'is changed by PATCH /v1/status-pages/{id}/settings';

/** What `PATCH /v1/status-pages/{id}` takes (spec, section 4.2): only what is sent changes. */
@Refuses({
  id: READ_ONLY,
  project_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  slug: BY_SETTINGS,
  description: BY_SETTINGS,
  show_powered_by: BY_SETTINGS,
  show_history: BY_SETTINGS,
  history_days: BY_SETTINGS,
  rss_enabled: BY_SETTINGS,
  subscribe_enabled: BY_SETTINGS,
  custom_domain: BY_SETTINGS,
})
@ApiSchema({ name: 'StatusPageUpdate' })
export class UpdateStatusPageDto extends PartialType(
  PickType(StatusPageDto, ['name', 'is_public', 'accent_color', 'sections']),
) {}
