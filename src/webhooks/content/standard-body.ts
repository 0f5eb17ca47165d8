import type { EventContent } from './event-content.service.js';

/** Maximum length of a body in bytes of UTF-8, which Standard Webhooks recommends. */
export const MAX_BYTES = 20_000;

/** Type of an event: one of the listed types, or `webhook.test`. */
interface StandardContent extends Omit<EventContent, 'event'> {
  event: { type: string; resource_id: string; update_id: string | null; created_at: Date };
}

/**
 * Returns the body of an event in the format of Standard Webhooks. If it would be longer than {@link MAX_BYTES}, it is thin: it
 * contains only the IDs of the resource and the update.
 */
export function standardBody({ event, resource, update }: StandardContent): string {
  const head = `{"type":${JSON.stringify(event.type)},"timestamp":${JSON.stringify(event.created_at)}`;
  const id = idOf(event.resource_id);
  const whole = `${head},"data":${resource ?? id},${memberOf('update', update)}"event":${JSON.stringify(event)}}`;
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  const updateId = update === undefined || event.update_id === null ? undefined : idOf(event.update_id);
  const thin = (own: object) =>
    `${head},"thin":true,"data":${id},${memberOf('update', updateId)}"event":${JSON.stringify(own)}}`;
  // An incident that has affected hundreds of monitors lists them when it is deleted.
  return Buffer.byteLength(thin(event)) <= MAX_BYTES ? thin(event) : thin({ ...event, data: {} });
}

function idOf(id: string): string {
  return JSON.stringify({ id });
}

function memberOf(name: string, json: string | undefined): string {
  return json === undefined ? '' : `"${name}":${json},`;
}
