import { type FieldError, pointerTo, validationFailed } from '../../platform/problems/problem.js';
import { isEmailAddress } from '../email-address.js';
import { type Bounce, BOUNCE_TYPES } from '../bounces.service.js';
import { isObject, own } from '../../platform/validation/json.js';

/** Returns whether a body has the form of Amazon SNS. */
export function isSns(payload: object): boolean {
  return own(payload, 'TopicArn') !== undefined || own(payload, 'SigningCertURL') !== undefined;
}

/**
 * Reads a report of bounced mail: the form of this service, or a webhook of Postmark or Mailgun. Events that are neither bounces,
 * complaints nor deliveries contain none, and neither do failures that the provider still retries. Fields are required only in
 * events that need them.
 * @throws Problem 400 `validation_failed`
 */
export function readBounces(payload: object): Bounce[] {
  if (own(payload, 'RecordType') !== undefined) return readPostmark(payload);
  if (own(payload, 'event-data') !== undefined) return readMailgun(payload);
  if (own(payload, 'notificationType') !== undefined || own(payload, 'eventType') !== undefined)
    throw invalid(
      ['Signature'],
      'required',
      'is required: disable the raw message delivery of the SNS subscription',
    );
  return [readPlain(payload)];
}

const PLAIN_FIELDS = new Set(['email', 'type', 'message_id']);

function readPlain(payload: object): Bounce {
  const errors: FieldError[] = Object.keys(payload)
    .filter((name) => !PLAIN_FIELDS.has(name))
    .map((name) => errorOf([name], 'unknown_field', 'is not a field of this operation'));
  const email = own(payload, 'email');
  if (email === undefined) errors.push(errorOf(['email'], 'required', 'is required'));
  else if (typeof email !== 'string') errors.push(errorOf(['email'], 'invalid_type', 'must be a string'));
  else if (!isEmailAddress(email))
    errors.push(errorOf(['email'], 'invalid_format', 'must be an email address'));
  const type = BOUNCE_TYPES.find((one) => one === own(payload, 'type'));
  if (own(payload, 'type') === undefined) errors.push(errorOf(['type'], 'required', 'is required'));
  else if (type === undefined)
    errors.push(errorOf(['type'], 'invalid_format', `must be one of ${BOUNCE_TYPES.join(', ')}`));
  const message_id = own(payload, 'message_id') ?? null;
  if (message_id !== null && typeof message_id !== 'string')
    errors.push(errorOf(['message_id'], 'invalid_type', 'must be a string or null'));
  else if (message_id === '')
    errors.push(errorOf(['message_id'], 'too_short', 'must have at least 1 character'));
  else if (errors.length === 0 && typeof email === 'string' && type)
    return { emails: [email], type, message_id };
  throw validationFailed(errors);
}

/**
 * The other types are temporary, automatic replies, or about the sender. Postmark also keeps sending to such addresses.
 * https://postmarkapp.com/developer/api/bounce-api#bounce-types
 */
const POSTMARK_TYPES = new Map<unknown, Bounce['type']>([
  ['HardBounce', 'hard'],
  ['BadEmailAddress', 'hard'],
  ['ManuallyDeactivated', 'hard'],
  ['SpamComplaint', 'complaint'],
]);

function readPostmark(payload: object): Bounce[] {
  const record = own(payload, 'RecordType');
  const message_id = idOf(payload, ['MessageID']);
  if (record === 'Delivery')
    return [{ type: 'delivered', emails: textsIn([own(payload, 'Recipient')]), message_id }];
  if (record !== 'Bounce' && record !== 'SpamComplaint') return [];
  const type = record === 'SpamComplaint' ? 'complaint' : POSTMARK_TYPES.get(own(payload, 'Type'));
  return type ? [{ type, emails: [textOf(payload, ['Email'])], message_id }] : [];
}

/** Reasons of Mailgun for a permanent failure that is not about the address: it gave up, or is blocked itself. */
const NOT_ABOUT_ADDRESS = new Set(['old', 'generic', 'espblock', 'greylisted', 'suppress-unsubscribe']);

/** https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-structure */
function readMailgun(payload: object): Bounce[] {
  const type = mailgunTypeOf(objectOf(payload, ['event-data']));
  if (!type) return [];
  const recipient = ['event-data', 'recipient'];
  const emails = type === 'delivered' ? textsIn([valueOf(payload, recipient)]) : [textOf(payload, recipient)];
  return [{ type, emails, message_id: idOf(payload, ['event-data', 'message', 'headers', 'message-id']) }];
}

function mailgunTypeOf(data: object): Bounce['type'] | null {
  const event = own(data, 'event');
  const reason = String(own(data, 'reason'));
  if (event === 'delivered') return 'delivered';
  if (event === 'complained' || (event === 'failed' && reason === 'suppress-complaint')) return 'complaint';
  const severity = own(data, 'severity');
  if (event !== 'failed' || severity === 'temporary') return null;
  return severity === 'permanent' && !NOT_ABOUT_ADDRESS.has(reason) ? 'hard' : 'soft';
}

/** Types of SES for bounces that are not temporary. `Transient` also contains automatic replies, such as “out of office”. */
const SES_TYPES = new Map<unknown, Bounce['type']>([
  ['Permanent', 'hard'],
  ['Undetermined', 'soft'],
]);

/**
 * Reads a message of Amazon SES: a notification, or an event of a configuration set.
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 * @param message the JSON in `Message` of SNS
 * @throws Problem 400 `validation_failed`
 */
export function readSes(message: object): Bounce[] {
  const kind = own(message, 'notificationType') ?? own(message, 'eventType');
  const message_id = idOf(message, ['mail', 'messageId']);
  if (kind === 'Bounce') {
    const type = SES_TYPES.get(own(objectOf(message, ['bounce']), 'bounceType'));
    return type ? [{ type, emails: recipientsOf(message, 'bounce', 'bouncedRecipients'), message_id }] : [];
  }
  if (kind === 'Complaint') {
    const isMistake = own(objectOf(message, ['complaint']), 'complaintFeedbackType') === 'not-spam';
    if (isMistake) return [];
    const emails = recipientsOf(message, 'complaint', 'complainedRecipients');
    return [{ type: 'complaint', emails, message_id }];
  }
  const recipients = valueOf(message, ['delivery', 'recipients']);
  if (kind !== 'Delivery' || !Array.isArray(recipients)) return [];
  return [{ type: 'delivered', emails: textsIn(recipients), message_id }];
}

function recipientsOf(message: object, part: string, name: string): string[] {
  const recipients = own(objectOf(message, [part]), name);
  if (!Array.isArray(recipients)) throw invalid(['Message', part, name], 'invalid_type', 'must be an array');
  return recipients.map((one: unknown, index) => {
    const email = isObject(one) ? own(one, 'emailAddress') : undefined;
    if (typeof email === 'string') return email;
    throw invalid(['Message', part, name, index, 'emailAddress'], 'invalid_type', 'must be a string');
  });
}

function objectOf(object: object, path: string[]): object {
  const value = valueOf(object, path);
  if (isObject(value)) return value;
  throw invalid(path, value === undefined ? 'required' : 'invalid_type', 'must be an object');
}

/** Returns the text at a path. */
export function textOf(object: object, path: string[]): string {
  const value = valueOf(object, path);
  if (typeof value === 'string') return value;
  if (value === undefined) throw invalid(path, 'required', 'is required');
  throw invalid(path, 'invalid_type', 'must be a string');
}

/** Returns the texts in an array. A delivery without an address is of no use, but not an error. */
function textsIn(values: unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

/** Returns the ID of a message, or null if it is missing or not a text. */
function idOf(object: object, path: string[]): string | null {
  const value = valueOf(object, path);
  return typeof value === 'string' && value !== '' ? value : null;
}

function valueOf(object: object, path: string[]): unknown {
  let value: unknown = object;
  for (const name of path) value = isObject(value) ? own(value, name) : undefined;
  return value;
}

function errorOf(path: (string | number)[], code: FieldError['code'], detail: string): FieldError {
  return { code, detail, pointer: pointerTo(path) };
}

/** Returns a 400 about one field of the body. */
export function invalid(path: (string | number)[], code: FieldError['code'], detail: string): Error {
  return validationFailed([errorOf(path, code, detail)]);
}
