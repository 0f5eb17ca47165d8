import { IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { CreateIncidentUpdateDto } from '../../incidents/dto/create-incident-update.dto.js';
import { UpdateMaintenanceDto } from '../../maintenances/dto/update-maintenance.dto.js';
import { Uuid } from '../../platform/validation/fields.js';
import { UpdateStatusPageDto } from '../../status-pages/dto/update-status-page.dto.js';

/** Selects a status page. */
export class StatusPageArgument {
  @Uuid({ description: 'ID of the status page, from list_status_pages.' })
  status_page_id!: string;
}

/** Selects an incident. */
export class IncidentArgument {
  @Uuid({ description: 'ID of the incident, from list_incidents or get_status.' })
  incident_id!: string;
}

/** Selects a maintenance window. */
export class MaintenanceArgument {
  @Uuid({ description: 'ID of the maintenance window, from list_maintenances or get_status.' })
  maintenance_id!: string;
}

/** Arguments of `update_status_page`. Without the sections, because a model may have read only a part of them. */
export class UpdateStatusPageArguments extends IntersectionType(
  StatusPageArgument,
  OmitType(UpdateStatusPageDto, ['sections']),
) {}

/** Arguments of `update_incident`. */
export class UpdateIncidentArguments extends IntersectionType(IncidentArgument, CreateIncidentUpdateDto) {}

/** Arguments of `resolve_incident`. */
export class ResolveIncidentArguments extends IntersectionType(
  IncidentArgument,
  PickType(CreateIncidentUpdateDto, ['body', 'notify']),
) {}

/** Arguments of `update_maintenance`. */
export class UpdateMaintenanceArguments extends IntersectionType(MaintenanceArgument, UpdateMaintenanceDto) {}
