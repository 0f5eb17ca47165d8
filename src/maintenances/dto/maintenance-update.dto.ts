import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { Text } from '../../platform/validation/fields.js';
import { PastTime } from '../../platform/validation/past-time.js';

/** An update of a maintenance window in a response. The schema `MaintenanceUpdate` is the request body of `PATCH /v1/maintenances/{id}`. */
@ApiSchema({
  name: 'MaintenanceWindowUpdate',
  description: 'An update that is posted to a maintenance window.',
})
export class MaintenanceUpdateDto {
  @ResponseId('ID of the update.', EXAMPLE_IDS.maintenance_update)
  id!: string;

  @Text({
    min: 1,
    max: 10_000,
    description: 'Text of the update in Markdown, stored as sent.',
    example: 'The first of two databases has been upgraded.',
  })
  body!: string;

  @PastTime({
    description:
      'Time of the update: from the year 2000 to five minutes in the future. It can be before the start or after the end of the window.',
    // No example, so that a prefilled request posts the update now.
  })
  posted_at!: Date;

  @ResponseId('Maintenance window that contains the update.', EXAMPLE_IDS.maintenance)
  maintenance_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
