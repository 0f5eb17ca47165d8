import type { webhooks } from './schema.js';

/**
 * An event that the service sends to a webhook endpoint, by its `type`. `data` is the resource as the API returns it, or only its
 * ID if it is deleted or the event is `thin`. A newer service can send types that are not listed here.
 */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** The types of events: `incident.created`, `monitor.status_changed`, … */
export type WebhookEventType = WebhookEvent['type'];

/** The event of a type: `WebhookEventOf<'incident.created'>`. */
export type WebhookEventOf<Type extends WebhookEventType> = Extract<WebhookEvent, { type: Type }>;

/** Headers of a request, from `fetch`, Node.js or a framework. Names are not case-sensitive. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Maximum difference between the clocks in seconds, 300 by default. Older messages may be replayed by an attacker. */
  toleranceSeconds?: number;
}

/** Why a message is not accepted. Respond with 400, and do not process it. */
export type WebhookVerificationCode =
  'missing_header' | 'invalid_timestamp' | 'outside_tolerance' | 'invalid_signature' | 'invalid_body';

/** A message that {@link verifyWebhook} has not accepted. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly code: WebhookVerificationCode,
    message: string,
  ) {
    super(message);
  }
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
/** Length of a secret in bytes, by the specification of Standard Webhooks. */
const [MIN_SECRET, MAX_SECRET] = [24, 64];

/**
 * Verifies the signature and the age of a message by Standard Webhooks, and returns its event. Pass the body as it was received,
 * before a framework has parsed it.
 *
 *     const event = await verifyWebhook(body, request.headers, process.env.WEBHOOK_SECRET);
 *     if (event.type === 'incident.created') console.log(event.data.id);
 *
 * @param secret `whsec_…`, or several, of which one must have signed the message
 * @throws {@link WebhookVerificationError} if the message is not accepted; `TypeError` if a secret is malformed
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = (typeof secret === 'string' ? [secret] : secret).map((one) => keyOf(one));
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookVerificationError('invalid_timestamp', 'webhook-timestamp is not a time in seconds');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    // also if it is NaN
    throw new WebhookVerificationError('outside_tolerance', 'webhook-timestamp is too old or in the future');
  const content = joined(`${id}.${timestamp}.`, body);
  if (!(await isSigned(content, signatures, keys)))
    throw new WebhookVerificationError('invalid_signature', 'no signature is by this secret');
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    throw new WebhookVerificationError('invalid_body', 'the body is not JSON');
  }
}

/** Compares in constant time, as WebCrypto does. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: string,
  keys: Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const wanted = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [fromBase64(one.slice(3))] : []));
  for (const bytes of keys) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of wanted)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, content))) return true;
  }
  return false;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (!bytes || bytes.length < MIN_SECRET || bytes.length > MAX_SECRET)
    throw new TypeError('the secret of the webhook endpoint must be whsec_ and Base64');
  return bytes;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : ownHeader(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `the header ${name} is missing`);
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}

function ownHeader(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | readonly string[] | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

function joined(start: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const [first, rest] = [encoder.encode(start), typeof body === 'string' ? encoder.encode(body) : body];
  const bytes = new Uint8Array(first.length + rest.length);
  bytes.set(first);
  bytes.set(rest, first.length);
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
