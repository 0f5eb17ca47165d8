import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { StatusPageDto } from './status-page.dto.js';

const CHANGED_BY_SETTINGS = 'can only be changed with PATCH /v1/status-pages/{id}/settings';

/** Request body of `PATCH /v1/status-pages/{id}` (spec, section 4.2). Omitted fields keep their values. */
@Refuses({
  id: READ_ONLY,
  project_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  slug: CHANGED_BY_SETTINGS,
  description: CHANGED_BY_SETTINGS,
  show_powered_by: CHANGED_BY_SETTINGS,
  show_history: CHANGED_BY_SETTINGS,
  history_days: CHANGED_BY_SETTINGS,
  rss_enabled: CHANGED_BY_SETTINGS,
  subscribe_enabled: CHANGED_BY_SETTINGS,
  custom_domain: CHANGED_BY_SETTINGS,
})
@ApiSchema({ name: 'StatusPageUpdate' })
export class UpdateStatusPageDto extends PartialType(
  PickType(StatusPageDto, ['name', 'is_public', 'accent_color', 'sections']),
) {}
