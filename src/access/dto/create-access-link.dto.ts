import { ApiSchema, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { AccessLinkDto } from './access-link.dto.js';

/** Request body of `POST /v1/status-pages/{id}/access/links`. */
@Refuses({
  id: READ_ONLY,
  token: 'is chosen by the server',
  last_used_at: READ_ONLY,
  status_page_id: 'is in the path',
  created_at: READ_ONLY,
})
@ApiSchema({ name: 'AccessLinkCreate' })
export class CreateAccessLinkDto extends PickType(AccessLinkDto, ['description']) {}
