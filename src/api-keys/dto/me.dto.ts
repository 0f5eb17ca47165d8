import { ApiSchema, PickType } from '@nestjs/swagger';
import { ResponseId } from '../../platform/openapi/response-fields.js';
import { ApiKeyDto } from './api-key.dto.js';

/** The calling key. */
@ApiSchema({ name: 'Me' })
export class MeDto extends PickType(ApiKeyDto, [
  'id',
  'name',
  'prefix',
  'scopes',
  'project_ids',
  'expires_at',
] as const) {
  @ResponseId('ID of the organization that owns the key.', '00000000-0000-7000-8000-000000000001')
  organization_id!: string;
}
