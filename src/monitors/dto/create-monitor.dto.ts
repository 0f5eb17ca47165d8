import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { MonitorDto } from './monitor.dto.js';
import { UpdateMonitorDto } from './update-monitor.dto.js';

/** Request body of `POST /v1/monitors`. */
@Refuses({ id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'MonitorCreate' })
export class CreateMonitorDto extends IntersectionType(
  PickType(MonitorDto, ['project_id']),
  PickType(MonitorDto, ['name']),
  OmitType(UpdateMonitorDto, ['name']),
) {}
