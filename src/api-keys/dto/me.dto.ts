import { ApiSchema, PickType } from '@nestjs/swagger';
import { ResponseId } from '../../openapi/response-fields.js';
import { ApiKeyDto } from './api-key.dto.js';

/** What the key in use is. */
@ApiSchema({ name: 'Me' })
export class MeDto extends PickType(ApiKeyDto, [
  'id',
  'name',
  'prefix',
  'scopes',
  'project_ids',
  'expires_at',
] as const) {
  @ResponseId('The organization that the key belongs to.', '00000000-0000-7000-8000-000000000001')
  organization_id!: string;
}
