import type { DeliveryStatus } from '../../deliveries/delivery.entity.js';
import type { Sign } from '../../page-model/sign.js';
import type { WebhookEndpointDto } from '../../webhooks/dto/webhook-endpoint.dto.js';
import { cut } from '../texts.js';
import { dateOf } from '../times.js';
import { WORDS } from '../words.js';

const { webhooks: words } = WORDS;

/** Path of the screens of webhooks. */
export const PATH = '/manage/webhooks';

/** Maximum number of characters of a URL on a screen. */
const MAX_URL = 80;

/** Signs of deliveries. */
export const DELIVERY_SIGNS: Readonly<Record<DeliveryStatus, Sign>> = {
  pending: 'unknown',
  delivered: 'operational',
  failed: 'major_outage',
  cancelled: 'neutral',
};

/**
 * Returns the URL of a webhook as screens show it outside of forms: without the path of a chat's URL and without a query, because they
 * can contain a secret.
 */
export function urlOf({ url, format }: Pick<WebhookEndpointDto, 'url' | 'format'>): string {
  const { host, pathname, search } = new URL(url);
  const isHidden = format !== 'standard' && pathname !== '/';
  const path = isHidden ? '/…' : `${pathname === '/' ? '' : pathname}${search === '' ? '' : '?…'}`;
  return cut(host + path, MAX_URL);
}

/** Returns whether a webhook is active, and why not. */
export function stateOf({
  status,
  disabled_reason,
  failing_since,
}: Pick<WebhookEndpointDto, 'status' | 'disabled_reason' | 'failing_since'>): { sign: Sign; text: string } {
  if (status === 'disabled') {
    const reason = disabled_reason ?? 'manual';
    return { sign: reason === 'manual' ? 'neutral' : 'major_outage', text: words.disabled[reason] };
  }
  if (failing_since) return { sign: 'partial_outage', text: words.failing(dateOf(failing_since)) };
  return { sign: 'operational', text: words.enabled };
}

/** Returns the words of a type of events, also of one that is no longer stored. */
export function eventOf(type: string | null): string {
  if (type === null) return words.unknown_event;
  const known: Readonly<Record<string, string>> = words.event;
  return known[type] ?? type;
}
