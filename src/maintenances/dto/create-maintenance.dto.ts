import { ApiSchema, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { NotifyOfNew } from '../../events/dto/notify.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { MaintenanceDto } from './maintenance.dto.js';

/** Request body of `POST /v1/maintenances`. */
@Refuses({
  id: READ_ONLY,
  status: 'is derived from starts_at and ends_at; use PATCH /v1/maintenances/{id} to change it',
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
})
@ApiSchema({ name: 'MaintenanceCreate' })
export class CreateMaintenanceDto extends IntersectionType(
  PickType(MaintenanceDto, ['project_id', 'title', 'starts_at', 'ends_at']),
  PartialType(PickType(MaintenanceDto, ['body', 'monitor_ids', 'status_page_ids'])),
) {
  @NotifyOfNew()
  notify?: boolean;
}
