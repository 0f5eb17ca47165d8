import { ApiSchema } from '@nestjs/swagger';
import { Integer } from '../../validation/fields.js';

const DAY = 86_400; // seconds

/** What `POST /v1/api-keys/{id}/rotate` takes. */
@ApiSchema({ name: 'ApiKeyRotation' })
export class RotateApiKeyDto {
  @Integer({
    optional: true,
    min: 0,
    max: DAY,
    description: 'For how many seconds the old key still holds.',
    default: 0,
    example: 3_600,
  })
  overlap_seconds: number = 0;
}
