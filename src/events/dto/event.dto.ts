import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ActorDto } from '../../platform/openapi/actor.dto.js';
import { type Via, VIAS } from '../../platform/auth/actor.js';
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

  @ApiProperty({
    type: ActorDto,
    nullable: true,
    description: 'Author of the change; null: an earlier version of the service recorded the event.',
  })
  actor!: ActorDto | null;

  @ApiProperty({
    type: 'string',
    enum: [...VIAS],
    nullable: true,
    description:
      'Way by which the change arrived. `console` and `mcp` are reserved. null: the service made it by itself, or an earlier version recorded the event.',
    example: 'api',
  })
  via!: Via | null;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    maxLength: 36,
    nullable: true,
    description: 'ID of the request that made the change (`X-Request-Id` of its response); null: no request.',
    example: '5e2b0a9c-3f5c-4a44-9a0e-6a7d6f3f1c55',
  })
  request_id!: string | null;

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
