import { API_DOCUMENTS, type ApiDocument } from '../../../../src/page-model/parts.js';

const TEXT = { type: 'string' };
const ID = { type: 'string', minLength: 1 };
const URL = { type: 'string', format: 'uri', pattern: '^https?://' };
const TIME = { type: 'string', format: 'date-time', pattern: 'Z$' };
const DATE = { type: 'string', format: 'date' };
const FLAG = { type: 'boolean' };

const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const listOf = (items: object) => ({ type: 'array', items });

/** Returns the schema of an object with exactly these members. */
const exactly = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
});

const PAGE = exactly({ id: ID, name: TEXT, url: URL, time_zone: TEXT, updated_at: TIME });

const STATUS = exactly({
  indicator: { enum: ['none', 'minor', 'major', 'critical', 'maintenance'] },
  description: TEXT,
});

const COMPONENT_STATUS = {
  enum: ['operational', 'degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance'],
};

const COMPONENT_FIELDS = {
  id: ID,
  name: TEXT,
  status: COMPONENT_STATUS,
  created_at: TIME,
  updated_at: TIME,
  position: { type: 'integer', minimum: 1 },
  description: orNull(TEXT),
  showcase: FLAG,
  start_date: orNull(DATE),
  page_id: ID,
  only_show_if_degraded: FLAG,
};

const COMPONENT = {
  anyOf: [
    exactly({
      ...COMPONENT_FIELDS,
      group: { const: true },
      group_id: { type: 'null' },
      components: listOf(ID),
    }),
    exactly({ ...COMPONENT_FIELDS, group: { const: false }, group_id: orNull(ID) }),
  ],
};

const updateIn = (statuses: string[]) =>
  exactly({
    id: ID,
    status: { enum: statuses },
    body: TEXT,
    incident_id: ID,
    created_at: TIME,
    updated_at: TIME,
    display_at: TIME,
    affected_components: orNull(
      listOf(exactly({ code: ID, name: TEXT, old_status: COMPONENT_STATUS, new_status: COMPONENT_STATUS })),
    ),
    deliver_notifications: FLAG,
    custom_tweet: orNull(TEXT),
    tweet_id: orNull(TEXT),
  });

const eventIn = (statuses: string[], impacts: string[], fields: Record<string, object> = {}) =>
  exactly({
    id: ID,
    name: TEXT,
    status: { enum: statuses },
    created_at: TIME,
    updated_at: TIME,
    monitoring_at: orNull(TIME),
    resolved_at: orNull(TIME),
    impact: { enum: impacts },
    shortlink: URL,
    started_at: TIME,
    page_id: ID,
    incident_updates: { ...listOf(updateIn(statuses)), minItems: 1 },
    components: listOf(COMPONENT),
    reminder_intervals: orNull(TEXT),
    ...fields,
  });

const INCIDENTS = listOf(
  eventIn(
    ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'],
    ['none', 'minor', 'major', 'critical'],
  ),
);

const MAINTENANCES = listOf(
  eventIn(['scheduled', 'in_progress', 'verifying', 'completed'], ['maintenance'], {
    scheduled_for: TIME,
    scheduled_until: TIME,
  }),
);

const FIELDS: Record<ApiDocument, Record<string, object>> = {
  summary: {
    status: STATUS,
    components: listOf(COMPONENT),
    incidents: INCIDENTS,
    scheduled_maintenances: MAINTENANCES,
  },
  status: { status: STATUS },
  components: { components: listOf(COMPONENT) },
  incidents: { incidents: INCIDENTS },
  'incidents/unresolved': { incidents: INCIDENTS },
  'scheduled-maintenances': { scheduled_maintenances: MAINTENANCES },
  'scheduled-maintenances/upcoming': { scheduled_maintenances: MAINTENANCES },
  'scheduled-maintenances/active': { scheduled_maintenances: MAINTENANCES },
};

/** Documents of the Statuspage API, version 2, with the fields that Statuspage returns. */
export const STATUSPAGE_SCHEMAS = new Map(
  API_DOCUMENTS.map((document) => [document, exactly({ page: PAGE, ...FIELDS[document] })]),
);
