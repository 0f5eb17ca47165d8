import { kindOf, type EventType } from '../../events/event-types.js';
import { MONITOR_STATUSES } from '../../monitors/monitor-status.js';
import { stringSchema } from '../../platform/openapi/components.js';
import type { SentMessages } from '../../platform/openapi/schemas.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';

type Schema = Record<string, unknown>;
type SentType = EventType | 'webhook.test';

/** When an event happens. */
const WHEN: Record<SentType, string> = {
  'incident.created': 'An incident has been created.',
  'incident.updated': 'An incident has a new update, which does not resolve it.',
  'incident.resolved': 'An update has resolved an incident.',
  'incident.reopened': 'An update has reopened a resolved incident.',
  'incident.postmortem_published': 'An incident has got a postmortem.',
  'incident.deleted': 'An incident has been deleted.',
  'maintenance.scheduled': 'A maintenance window has been scheduled.',
  'maintenance.rescheduled': 'A maintenance window has been moved.',
  'maintenance.reminder': 'A maintenance window starts in 60 minutes.',
  'maintenance.started': 'A maintenance window has started.',
  'maintenance.completed': 'A maintenance window is over.',
  'maintenance.cancelled': 'A maintenance window has been cancelled.',
  'monitor.status_changed': 'The reported status of a monitor has changed.',
  'status_page.created': 'A status page has been created.',
  'status_page.updated': 'A status page has been changed.',
  'status_page.deleted': 'A status page has been deleted.',
  'status_page.restored': 'A deleted status page has been restored.',
  'webhook_endpoint.disabled': 'A webhook endpoint has been disabled.',
  'webhook.test': 'A test of this endpoint.',
};

/** Schemas of the resources, by the part of the type before the dot. */
const RESOURCES: Readonly<Record<string, string>> = {
  incident: 'Incident',
  maintenance: 'Maintenance',
  monitor: 'Monitor',
  status_page: 'StatusPage',
  webhook_endpoint: 'WebhookEndpoint',
  webhook: 'WebhookEndpoint',
};

/** Types of events that an update of an incident causes. */
const WITH_UPDATE: ReadonlySet<string> = new Set([
  'incident.created',
  'incident.updated',
  'incident.resolved',
  'incident.reopened',
]);

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

/** `data` of the events that have some. */
const EVENT_DATA: Partial<Record<SentType, Schema>> = {
  'monitor.status_changed': object({ from: STATUS, to: STATUS, merged: COUNT }, ['from', 'to']),
  'maintenance.rescheduled': object({ from: WINDOW, to: WINDOW }),
  // Omitted if there are so many monitors that the message would be too long.
  'incident.deleted': object({ title: stringSchema(200), monitor_ids: IDS, status_page_ids: IDS }, []),
  'status_page.created': object({ revision: COUNT }),
  'status_page.updated': object({ revision: COUNT }),
  'status_page.deleted': object({ revision: COUNT, name: stringSchema(200) }),
  'status_page.restored': object({ revision: COUNT }),
  'webhook_endpoint.disabled': object({ reason: { type: 'string', enum: [...DISABLED_REASONS] } }),
};

/** Returns the section `webhooks` of the OpenAPI document, and the schemas that only it uses. */
export function sentWebhooks(): SentMessages {
  const types = Object.keys(WHEN).filter((type): type is SentType => type in WHEN);
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
    summary: WHEN[type],
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
  const resource = ref(RESOURCES[kindOf(type)] ?? '');
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
        ...(WITH_UPDATE.has(type) && {
          update: {
            oneOf: [ref('IncidentUpdate'), deleted],
            description: 'The update that caused the event. Missing if it has been deleted.',
          },
        }),
        event: eventOf(type),
      },
      ['type', 'timestamp', 'data', 'event'],
    ),
    description: WHEN[type],
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
  const data = EVENT_DATA[type];
  return data ? { allOf: [ref('Event'), { required: ['data'], properties: { data } }] } : ref('Event');
}

/** Returns the schema name of an event: `IncidentCreatedMessage`. */
function nameOf(type: SentType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Message`;
}
