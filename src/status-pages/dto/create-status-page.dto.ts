import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { StatusPageDto } from './status-page.dto.js';
import { UpdateStatusPageDto } from './update-status-page.dto.js';
import { UpdateStatusPageSettingsDto } from './update-status-page-settings.dto.js';

/** What `POST /v1/status-pages` takes. What is left out gets its default, `slug` one derived from the name. */
@ApiSchema({ name: 'StatusPageCreate' })
export class CreateStatusPageDto extends IntersectionType(
  PickType(StatusPageDto, ['project_id']),
  PickType(StatusPageDto, ['name']),
  OmitType(UpdateStatusPageDto, ['name']),
  UpdateStatusPageSettingsDto,
) {}
