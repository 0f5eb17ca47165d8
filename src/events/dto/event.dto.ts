import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ActorDto } from '../../platform/openapi/actor.dto.js';
import { type Via, VIAS } from '../../platform/auth/actor.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, NullableId, ResponseId } from '../../platform/openapi/response-fields.js';
import { ListQuery } from '../../platform/pagination/list-page.js';
import { After, Choice, Time, Uuid } from '../../platform/validation/fields.js';
import type { Changes } from '../../platform/log/changes.js';
import type { LoggedType } from '../../platform/log/logged-types.js';
import { ALL_TYPES, type EventType } from '../event-types.js';

/** An event in a response. */
@ApiSchema({ name: 'Event' })
export class EventDto {
  @ResponseId('ID of the event.', EXAMPLE_IDS.event)
  id!: string;

  @Choice({ of: ALL_TYPES, description: 'Type of the change.', example: 'incident.created' })
  type!: EventType | LoggedType;

  @ApiProperty({
    type: 'string',
    maxLength: 50,
    description: 'Part of `type` before the dot.',
    example: 'incident',
  })
  resource_type!: string;

  @NullableId(
    'Project of the resource; null for a resource of the organization, like an API key.',
    EXAMPLE_IDS.project,
  )
  project_id!: string | null;

  @ResponseId(
    'The resource, or the status page of a branding, access rules, a link, a domain, an import or several subscribers. It may have been deleted since.',
    EXAMPLE_IDS.incident,
  )
  resource_id!: string;

  @NullableId(
    'The update of the incident or maintenance window that caused the event, or null.',
    EXAMPLE_IDS.incident_update,
  )
  update_id!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      '`from` and `to` of `monitor.status_changed` (statuses; null: unknown; `merged`, the number of changes, if it stands for several) and `maintenance.rescheduled` (`starts_at` and `ends_at`), `title`, `status_page_ids` and `monitor_ids` of a deleted incident, `revision` of a status page and the `name` of a deleted one, `reason` of a disabled endpoint, numbers and names of events that only the log contains, otherwise empty.',
    example: {},
  })
  data!: Record<string, unknown>;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: {
      type: 'object',
      required: ['from', 'to'],
      properties: {
        from: { description: 'Value before the change; null: none, or it is omitted.' },
        to: { description: 'Value after the change; null: none, or it is omitted.' },
        is_omitted: {
          type: 'boolean',
          enum: [true],
          description: 'The values are secret, an address, or longer than 4,000 bytes.',
        },
      },
    },
    description:
      'Changed fields of the resource, by name, in events that only the log contains. null: none. The revisions of a status page contain its changes.',
    example: { name: { from: 'API', to: 'Web API' } },
  })
  changes!: Changes | null;

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
      'Way by which the change arrived. `console` is reserved. null: the service made it by itself, or an earlier version recorded the event.',
    example: 'api',
  })
  via!: Via | null;

  @NullableId(
    'ID of the request that made the change (`X-Request-Id` of its response); null: no request.',
    '5e2b0a9c-3f5c-4a44-9a0e-6a7d6f3f1c55',
  )
  request_id!: string | null;

  @CreatedAt()
  created_at!: Date;
}

/** An event that recipients get. */
export type SentEventDto = EventDto & { type: EventType; project_id: string };

/** Query parameters of `GET /v1/events`. */
export class ListEventsQuery extends ListQuery {
  @Uuid({
    optional: true,
    description:
      'Lists only events of this project. Default: events of all projects that the API key can access. A key that is not restricted to some projects also lists events that belong to the organization.',
    example: EXAMPLE_IDS.project,
  })
  project_id?: string;

  @Choice({ of: ALL_TYPES, optional: true, description: 'Lists only events of this type.' })
  type?: EventType | LoggedType;

  @Uuid({ optional: true, description: 'Lists only events of this resource.' })
  resource_id?: string;

  @Uuid({
    optional: true,
    description: 'Lists only events of this actor: the ID of an API key. It may have been revoked since.',
  })
  actor_id?: string;

  @Time({ optional: true, description: 'Lists only events at or after this time.' })
  from?: Date;

  @Time({ optional: true, description: 'Lists only events before this time.' })
  @After('from')
  to?: Date;
}
