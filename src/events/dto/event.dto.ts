import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId } from '../../platform/openapi/response-fields.js';
import { ListQuery } from '../../platform/pagination/list-page.js';
import { Choice, Uuid } from '../../platform/validation/fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { EVENT_TYPES, type EventType } from '../event-types.js';

/** An event in a response. */
@ApiSchema({ name: 'Event' })
export class EventDto {
  @ResponseId('ID of the event.', EXAMPLE_IDS.event)
  id!: string;

  @Choice({
    of: EVENT_TYPES,
    description: 'Type of the change. The part before the dot is the type of the resource.',
    example: 'incident.created',
  })
  type!: EventType;

  @ProjectId('Project of the resource.')
  project_id!: string;

  @ResponseId(
    'The incident, maintenance window, monitor, status page or webhook endpoint. It may have been deleted since.',
    EXAMPLE_IDS.incident,
  )
  resource_id!: string;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    maxLength: 36,
    nullable: true,
    description: 'The update of the incident that caused the event, or null.',
    example: EXAMPLE_IDS.incident_update,
  })
  update_id!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      '`from` and `to` of `monitor.status_changed` (statuses; null: unknown; `merged`, the number of changes, if it stands for several) and `maintenance.rescheduled` (`starts_at` and `ends_at`), `title`, `status_page_ids` and `monitor_ids` of a deleted incident, `revision` of a status page and the `name` of a deleted one, `reason` of a disabled endpoint, otherwise empty.',
    example: {},
  })
  data!: Record<string, unknown>;

  @CreatedAt()
  created_at!: Date;
}

/** Query parameters of `GET /v1/events`. */
export class ListEventsQuery extends ListQuery {
  @ProjectId('Project whose events are listed.')
  project_id!: string;

  @Choice({ of: EVENT_TYPES, optional: true, description: 'Lists only events of this type.' })
  type?: EventType;

  @Uuid({ optional: true, description: 'Lists only events of this resource.' })
  resource_id?: string;
}
