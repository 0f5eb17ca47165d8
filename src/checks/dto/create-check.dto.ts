import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { CheckDto } from './check.dto.js';
import { UpdateCheckDto } from './update-check.dto.js';

/** Request body of `POST /v1/checks`. */
@Refuses({ id: READ_ONLY, header_names: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'CheckCreate' })
export class CreateCheckDto extends IntersectionType(
  PickType(CheckDto, ['project_id', 'monitor_id', 'type', 'target']),
  OmitType(UpdateCheckDto, ['target']),
) {}
