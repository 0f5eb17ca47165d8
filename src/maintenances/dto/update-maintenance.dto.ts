import { ApiSchema, IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import { Choice } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { MAINTENANCE_STATUSES, type MaintenanceStatus } from '../maintenance-status.js';
import { MaintenanceDto } from './maintenance.dto.js';

class StatusField {
  @Choice({
    of: MAINTENANCE_STATUSES,
    optional: true,
    nullable: true,
    description:
      '`completed` ends the window now, if it is open. `cancelled` calls it off: a window that has begun ends now, otherwise there is none. null: the status follows from the clock again. `scheduled` and `in_progress` are accepted only if they are the current status, which changes nothing.',
    example: 'completed',
  })
  status?: MaintenanceStatus | null;
}

/** The body of `PATCH /v1/maintenances/{id}`. Omitted fields keep their values. */
@Refuses({ id: READ_ONLY, project_id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'MaintenanceUpdate' })
export class UpdateMaintenanceDto extends IntersectionType(
  PartialType(OmitType(MaintenanceDto, ['id', 'status', 'project_id', 'created_at', 'updated_at'] as const)),
  StatusField,
) {}
