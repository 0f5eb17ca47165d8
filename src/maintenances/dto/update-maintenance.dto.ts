import { ApiSchema, IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import { NotifyOfChange } from '../../events/dto/notify.js';
import { Choice } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { MAINTENANCE_STATUSES, type MaintenanceStatus } from '../maintenance-status.js';
import { MaintenanceDto } from './maintenance.dto.js';

class FurtherFields {
  @Choice({
    of: MAINTENANCE_STATUSES,
    optional: true,
    nullable: true,
    description:
      '`completed` or `cancelled`: if the window is in progress, it ends now. If it has not started, the maintenance does not take place. The resource remains in both cases. Switching between the two values does not move the end. null: the status is derived from the current time again. `scheduled` and `in_progress` are accepted only if they equal the current status, and change nothing.',
    example: 'completed',
  })
  status?: MaintenanceStatus | null;

  @NotifyOfChange()
  notify?: boolean;
}

/** Request body of `PATCH /v1/maintenances/{id}`. Omitted fields keep their values. */
@Refuses({ id: READ_ONLY, project_id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({
  name: 'MaintenanceUpdate',
  description: 'Request body of `PATCH /v1/maintenances/{id}`. Omitted fields keep their values.',
})
export class UpdateMaintenanceDto extends IntersectionType(
  PartialType(OmitType(MaintenanceDto, ['id', 'status', 'project_id', 'created_at', 'updated_at'] as const)),
  FurtherFields,
) {}
