import type { DeliveryStatus } from '../deliveries/delivery.entity.js';
import type { EventType } from '../events/event-types.js';
import type { DisabledReason, WebhookFormat } from '../webhooks/webhook-endpoint.entity.js';
import { count } from './texts.js';

const FORMAT: Record<WebhookFormat, string> = {
  standard: 'Signed JSON',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Teams',
};

const EVENT: Record<EventType, string> = {
  'incident.created': 'Incident reported',
  'incident.updated': 'Incident updated',
  'incident.resolved': 'Incident resolved',
  'incident.reopened': 'Incident reopened',
  'incident.postmortem_published': 'Postmortem published',
  'incident.deleted': 'Incident deleted',
  'incident_draft.created': 'Incident draft created',
  'maintenance.scheduled': 'Maintenance scheduled',
  'maintenance.rescheduled': 'Maintenance moved',
  'maintenance.reminder': 'Maintenance starts soon',
  'maintenance.started': 'Maintenance started',
  'maintenance.completed': 'Maintenance completed',
  'maintenance.cancelled': 'Maintenance cancelled',
  'monitor.status_changed': 'Status of a monitor changed',
  'status_page.created': 'Page created',
  'status_page.updated': 'Page changed',
  'status_page.deleted': 'Page deleted',
  'status_page.restored': 'Page restored',
  'webhook_endpoint.disabled': 'Webhook disabled',
};

const DELIVERY: Record<DeliveryStatus, string> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const DISABLED: Record<DisabledReason, string> = {
  manual: 'Disabled by hand',
  gone: 'Disabled, because it responded with 410 Gone',
  failing: 'Disabled, because every message has failed for five days',
};

/** Words of the screens of webhooks. */
export const WEBHOOK_WORDS = {
  title: 'Webhooks',
  text: 'A webhook sends what happens in the project to another program or a chat.',
  none: 'There is no webhook yet.',
  new: 'Add a webhook',
  create: 'Add',
  added: 'The webhook is added. Send a test to see whether it works.',
  url: 'URL',
  url_hint: 'It gets a POST request for each event: https://hooks.example.com/status',
  description: 'Description',
  description_hint: 'For your team only: “Chat of the support team”. Can be empty.',
  format: 'Format',
  format_hint:
    'Signed JSON is for programs. The others are for incoming webhooks of a chat, without a signature.',
  formats: FORMAT,
  events: 'Events',
  all_events: 'All events, also kinds that are added later',
  some_events: 'Only these:',
  no_events: 'Choose an event, or all events.',
  event: EVENT,
  unknown_event: 'Event that no longer exists',
  page: 'Status page',
  page_hint: 'Only events about what this page shows are sent.',
  all_pages: 'All events of the project',
  other_page: 'Another page, which may be deleted',
  enabled: 'Active',
  disabled: DISABLED,
  failing: (time: string) => `Active, but fails since ${time}`,
  missed: 'Events in the meantime are not sent. After you enable it, you can send them again.',
  change: 'Change',
  edit_title: 'Change the webhook',
  enable: 'Enable',
  disable: 'Disable',
  is_enabled: 'The webhook is active.',
  is_disabled: 'The webhook is disabled.',
  test: 'Send a test',
  test_works: (ms: number) => `The test works. ${ms.toLocaleString('en')} ms.`,
  test_fails: (error: string) => `The test fails: ${error}.`,
  no_response: 'There was no response.',
  empty_response: 'The response has no text.',
  deliveries: 'Deliveries',
  deliveries_text: 'Finished deliveries are kept for 30 days. All times are in UTC.',
  no_deliveries: 'There is no delivery.',
  filter: 'Deliveries by state',
  all: 'All',
  delivery: DELIVERY,
  code: (status: number) => `status ${status}`,
  attempts: (number: number) => count(number, 'attempt'),
  attempts_title: 'Attempts',
  no_attempts: 'There was no attempt yet.',
  attempt: (ms: number) => `${ms.toLocaleString('en')} ms`,
  last_attempts: 'The last ten, newest first. Only the first 500 bytes of a response are kept.',
  cut: 'The API shows the whole text.',
  type: 'Event',
  message_id: 'ID of the message',
  created: 'Created',
  finished: 'Finished',
  next: 'Next attempt',
  again: 'Send again',
  again_hint: 'The message has the same ID, so that the receiver can see that it is repeated.',
  again_disabled: 'Enable the webhook to send it again.',
  is_again: 'It is sent again within seconds.',
  replay: 'Send past events again',
  replay_hint:
    'Everything since then, also what was delivered. At most 30 days, and 10,000 events. Nothing is sent before you have seen the number.',
  replay_disabled: 'Enable the webhook to send past events again.',
  since: 'Since (UTC)',
  review: 'Review',
  review_title: 'Send past events again?',
  review_text: (number: number, time: string) =>
    number === 0
      ? `No event of this webhook has happened since ${time}.`
      : `${count(number, 'event')} since ${time} will be sent.`,
  replay_button: (number: number) => `Send ${count(number, 'event')}`,
  replayed: (number: number) =>
    number === 1 ? '1 event is sent again.' : `${number.toLocaleString('en')} events are sent again.`,
  rotate_title: 'Replace the secret',
  rotate_hint: 'For 24 hours, messages are signed with the new and with the former secret.',
  rotate_again: (time: string) =>
    `The former secret works until ${time}. If you replace the secret again, it ends immediately.`,
  rotate: 'Replace the secret',
  once_title: 'Copy the secret now',
  once: 'It is shown only once. Programs verify the messages with it.',
  secret: 'Secret',
  copied: 'I have copied it',
  repeated:
    'The form was sent twice. It has happened once, and the secret was in the first response. Replace the secret if you have not copied it.',
  delete_title: 'Delete this webhook?',
  delete_text: (url: string) =>
    `${url} gets no more messages, and waiting ones are cancelled. The deliveries can no longer be seen. To stop it for a while, disable it.`,
} as const;
