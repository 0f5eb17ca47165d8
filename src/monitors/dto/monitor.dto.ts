import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { Integer, Text, Uuid } from '../../platform/validation/fields.js';
import { Slug } from '../../platform/validation/slug.js';

/** A monitor in a response. */
@ApiSchema({ name: 'Monitor' })
export class MonitorDto {
  @ResponseId('ID of the monitor.', EXAMPLE_IDS.monitor)
  id!: string;

  @Text({ min: 1, max: 200, description: 'Display name. Does not have to be unique.', example: 'API' })
  name!: string;

  // `examples`, because "Try it out" would send an `example`, and the second request would fail with a conflict.
  @Slug({
    nullable: true,
    description:
      'Short name that reports, pushes and alerts can use instead of the ID, unique in the project; null: none.',
    examples: ['api'],
  })
  key!: string | null;

  @Text({ min: 0, max: 2_000, description: 'Description of the monitor.', example: 'The public API.' })
  description!: string;

  @Integer({
    min: 60,
    max: 604_800,
    nullable: true,
    description:
      'Seconds after the last report until the status becomes `unknown`; null: never, and the monitor is operational until its first report. If it is set, the monitor is also `unknown` until its first report.',
    example: 300,
  })
  stale_after_seconds!: number | null;

  @Uuid({
    nullable: true,
    description:
      'Incident template from which a draft is made when the status becomes worse than `operational`; null: none.',
    examples: [EXAMPLE_IDS.incident_template],
  })
  draft_template_id!: string | null;

  @ProjectId('Project that owns the monitor.')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
