import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { StatusPageDto } from './status-page.dto.js';
import { UpdateStatusPageDto } from './update-status-page.dto.js';
import { UpdateStatusPageSettingsDto } from './update-status-page-settings.dto.js';

/** Request body of `POST /v1/status-pages`. Omitted fields get their defaults; the default `slug` is derived from the name. */
@Refuses({ id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'StatusPageCreate' })
export class CreateStatusPageDto extends IntersectionType(
  PickType(StatusPageDto, ['project_id']),
  PickType(StatusPageDto, ['name']),
  OmitType(UpdateStatusPageDto, ['name']),
  UpdateStatusPageSettingsDto,
) {}
