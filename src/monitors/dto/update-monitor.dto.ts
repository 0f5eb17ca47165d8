import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { MonitorDto } from './monitor.dto.js';

/** Request body of `PATCH /v1/monitors/{id}`. Omitted fields keep their values. */
@Refuses({ id: READ_ONLY, project_id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'MonitorUpdate' })
export class UpdateMonitorDto extends PartialType(
  PickType(MonitorDto, ['name', 'key', 'description', 'stale_after_seconds', 'draft_template_id']),
) {}
