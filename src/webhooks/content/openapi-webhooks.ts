import { EVENT_TYPES, EVENTS, type EventResource, type EventType } from '../../events/event-types.js';
import { MONITOR_STATUSES } from '../../monitors/monitor-status.js';
import { stringSchema } from '../../platform/openapi/components.js';
import type { SentMessages } from '../../platform/openapi/schemas.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';

type Schema = Record<string, unknown>;
type SentType = EventType | 'webhook.test';

/** Schemas of the resources of events. */
const RESOURCES: Record<EventResource, string> = {
  incident: 'Incident',
  maintenance: 'Maintenance',
  monitor: 'Monitor',
  status_page: 'StatusPage',
  webhook_endpoint: 'WebhookEndpoint',
  incident_draft: 'IncidentDraft',
};

const time = (description?: string): Schema => ({
  ...stringSchema(24),
  format: 'date-time',
  ...(description !== undefined && { description }),
  example: '2026-11-20T12:00:00.000Z',
});
const uuid = (example: string): Schema => ({ ...stringSchema(36), format: 'uuid', example });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: Schema, required = Object.keys(properties)): Schema => ({
  type: 'object',
  required,
  properties,
});

const WINDOW = object({ starts_at: time(), ends_at: time() });
const STATUS = { type: ['string', 'null'], enum: [...MONITOR_STATUSES, null] };

const IDS = { type: ['array', 'null'], maxItems: 100_000, items: uuid(EXAMPLE_IDS.monitor) };
/** Reasons of the service. A request that disables an endpoint causes no event. */
const DISABLED_REASONS = ['gone', 'failing'];

const COUNT = { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 };

/** Members of a message that depend on the type of the event. */
interface Members {
  /** Schema of the event's `data`; null: an empty object. */
  data: Schema | null;
  /** Whether an update of an incident causes it. */
  has_update: boolean;
}

const PLAIN: Members = { data: null, has_update: false };
const WITH_UPDATE: Members = { data: null, has_update: true };
const withData = (data: Schema): Members => ({ data, has_update: false });

const MESSAGES: Record<EventType, Members> = {
  'incident.created': WITH_UPDATE,
  'incident.updated': WITH_UPDATE,
  'incident.resolved': WITH_UPDATE,
  'incident.reopened': WITH_UPDATE,
  'incident.postmortem_published': PLAIN,
  // Omitted if there are so many monitors that the message would be too long.
  'incident.deleted': withData(
    object({ title: stringSchema(200), monitor_ids: IDS, status_page_ids: IDS }, []),
  ),
  'incident_draft.created': PLAIN,
  'maintenance.scheduled': PLAIN,
  'maintenance.rescheduled': withData(object({ from: WINDOW, to: WINDOW })),
  'maintenance.reminder': PLAIN,
  'maintenance.started': PLAIN,
  'maintenance.completed': PLAIN,
  'maintenance.cancelled': PLAIN,
  'monitor.status_changed': withData(object({ from: STATUS, to: STATUS, merged: COUNT }, ['from', 'to'])),
  'status_page.created': withData(object({ revision: COUNT })),
  'status_page.updated': withData(object({ revision: COUNT })),
  'status_page.deleted': withData(object({ revision: COUNT, name: stringSchema(200) })),
  'status_page.restored': withData(object({ revision: COUNT })),
  'webhook_endpoint.disabled': withData(object({ reason: { type: 'string', enum: [...DISABLED_REASONS] } })),
};

const whenOf = (type: SentType): string =>
  type === 'webhook.test' ? 'A test of this endpoint.' : EVENTS[type].when;

/** Returns the section `webhooks` of the OpenAPI document, and the schemas that only it uses. */
export function sentWebhooks(): SentMessages {
  const types: SentType[] = [...EVENT_TYPES, 'webhook.test'];
  return {
    webhooks: Object.fromEntries(types.map((type) => [type, { post: operationOf(type) }])),
    schemas: Object.fromEntries([
      ['DeletedResource', DELETED_RESOURCE],
      ...types.map((type) => [nameOf(type), schemaOf(type)]),
    ]),
  };
}

const DELETED_RESOURCE = {
  ...object({ id: uuid(EXAMPLE_IDS.incident) }),
  description: 'Only the ID: the resource is deleted, or the message would be too long (`thin`).',
};

const HEADERS: [name: string, description: string, maxLength: number, example: string][] = [
  [
    'webhook-id',
    'ID of the event, the same at each attempt. Ignore messages whose ID you have processed.',
    36,
    EXAMPLE_IDS.event,
  ],
  ['webhook-timestamp', 'Time of the attempt in seconds since 1970.', 15, '1795176000'],
  [
    'webhook-signature',
    'Signatures of the message, separated by spaces. One must be by the secret of the endpoint: `v1,` and the Base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`.',
    200,
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
];

function operationOf(type: SentType): Schema {
  return {
    operationId: `on${nameOf(type).replace(/Message$/, '')}`,
    summary: whenOf(type),
    description:
      'The service sends this message to endpoints in the format `standard`, signed by Standard Webhooks. Verify the signature before you process it.',
    tags: ['Webhook endpoints'],
    security: [],
    parameters: HEADERS.map(([name, description, maxLength, example]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { ...stringSchema(maxLength), example },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: ref(nameOf(type)) } } },
    responses: {
      '2XX': { description: 'The message is accepted. The body is ignored.' },
      '410': { description: 'The endpoint is gone: the service disables it.' },
      default: { description: 'The message is not accepted. The service sends it again, up to five days.' },
    },
  };
}

function schemaOf(type: SentType): Schema {
  const resource = ref(RESOURCES[type === 'webhook.test' ? 'webhook_endpoint' : EVENTS[type].about]);
  const isDeletion = type.endsWith('.deleted');
  const deleted = ref('DeletedResource');
  return {
    ...object(
      {
        type: { type: 'string', const: type },
        timestamp: time('Time of the event in UTC.'),
        thin: {
          type: 'boolean',
          const: true,
          description: 'The message would be longer than 20 kB. `data` and `update` contain only the IDs.',
        },
        data: isDeletion
          ? deleted
          : {
              oneOf: [resource, deleted],
              description: 'The resource as GET returns it, in its state at the attempt.',
            },
        ...(type !== 'webhook.test' &&
          MESSAGES[type].has_update && {
            update: {
              oneOf: [ref('IncidentUpdate'), deleted],
              description: 'The update that caused the event. Missing if it has been deleted.',
            },
          }),
        event: eventOf(type),
      },
      ['type', 'timestamp', 'data', 'event'],
    ),
    description: whenOf(type),
  };
}

function eventOf(type: SentType): Schema {
  if (type === 'webhook.test')
    return object({
      id: uuid(EXAMPLE_IDS.event),
      type: { type: 'string', const: type },
      project_id: uuid(EXAMPLE_IDS.project),
      resource_id: uuid(EXAMPLE_IDS.event),
      update_id: { type: 'null' },
      data: { type: 'object', maxProperties: 0 },
      created_at: time(),
    });
  const { data } = MESSAGES[type];
  return data ? { allOf: [ref('Event'), { required: ['data'], properties: { data } }] } : ref('Event');
}

/** Returns the schema name of an event: `IncidentCreatedMessage`. */
function nameOf(type: SentType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Message`;
}
