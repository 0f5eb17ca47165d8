import { ApiSchema, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { MaintenanceUpdateDto } from './maintenance-update.dto.js';
import { STATUS_OF_WINDOW } from './update-maintenance-update.dto.js';

/** Request body of `POST /v1/maintenances/{id}/updates`. */
@Refuses({
  id: READ_ONLY,
  maintenance_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  status: STATUS_OF_WINDOW,
})
@ApiSchema({ name: 'MaintenanceWindowUpdateCreate' })
export class CreateMaintenanceUpdateDto extends IntersectionType(
  PickType(MaintenanceUpdateDto, ['body']),
  PartialType(PickType(MaintenanceUpdateDto, ['posted_at'])),
) {}
