import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { MaintenanceUpdateDto } from './maintenance-update.dto.js';

/** Why an update of a maintenance window has no status. */
export const STATUS_OF_WINDOW =
  'is derived from starts_at and ends_at of the maintenance window; use PATCH /v1/maintenances/{id} to change it';

/** Request body of `PATCH /v1/maintenances/{id}/updates/{update_id}`. Omitted fields keep their values. */
@Refuses({
  id: READ_ONLY,
  maintenance_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  status: STATUS_OF_WINDOW,
})
@ApiSchema({ name: 'MaintenanceWindowUpdatePatch' })
export class UpdateMaintenanceUpdateDto extends PartialType(
  PickType(MaintenanceUpdateDto, ['body', 'posted_at']),
) {}
