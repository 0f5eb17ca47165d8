import { ApiSchema } from '@nestjs/swagger';
import { Integer } from '../../platform/validation/fields.js';

const DAY = 86_400; // seconds

/** Request body of `POST /v1/api-keys/{id}/rotate`. */
@ApiSchema({ name: 'ApiKeyRotation' })
export class RotateApiKeyDto {
  @Integer({
    optional: true,
    min: 0,
    max: DAY,
    description: 'Overlap period in seconds. The old key stays valid until the end of this period.',
    default: 0,
    example: 3_600,
  })
  overlap_seconds: number = 0;
}
