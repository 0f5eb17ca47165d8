import { ApiSchema, OmitType, PartialType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { CheckDto } from './check.dto.js';
import { type CheckHeaderDto, CheckHeaders } from './check-headers.js';

class CheckFields extends PartialType(
  OmitType(CheckDto, ['id', 'monitor_id', 'type', 'header_names', 'project_id', 'created_at', 'updated_at']),
) {
  @CheckHeaders({
    optional: true,
    description: '`http`: headers of the request, which replace all former ones.',
    example: [],
  })
  headers?: CheckHeaderDto[];
}

/** Request body of `PATCH /v1/checks/{id}`. Omitted fields keep their values. */
@Refuses({
  id: READ_ONLY,
  monitor_id: READ_ONLY,
  type: READ_ONLY,
  header_names: READ_ONLY,
  project_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
})
@ApiSchema({ name: 'CheckUpdate' })
export class UpdateCheckDto extends CheckFields {}
