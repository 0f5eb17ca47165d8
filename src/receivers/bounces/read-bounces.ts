import { type FieldError, pointerTo, validationFailed } from '../../platform/problems/problem.js';
import { isEmailAddress } from '../../subscribers/email-address.js';
import { type Bounce, BOUNCE_TYPES } from '../../subscribers/bounces.service.js';
import { isObject, own } from '../json.js';

/** Returns whether a body has the form of Amazon SNS. */
export function isSns(payload: object): boolean {
  return own(payload, 'TopicArn') !== undefined || own(payload, 'SigningCertURL') !== undefined;
}

/**
 * Reads a report of bounced mail: the form of this service, or a webhook of Postmark or Mailgun. Events that are neither bounces
 * nor complaints contain none.
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

function readPlain(payload: object): Bounce {
  const errors: FieldError[] = Object.keys(payload)
    .filter((name) => name !== 'email' && name !== 'type')
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
  if (errors.length > 0 || typeof email !== 'string' || type === undefined) throw validationFailed(errors);
  return { email, type };
}

/** https://postmarkapp.com/developer/api/bounce-api#bounce-types */
const POSTMARK_TYPES = new Map<string, Bounce['type']>([
  ['HardBounce', 'hard'],
  ['BadEmailAddress', 'hard'],
  ['ManuallyDeactivated', 'hard'],
  ['SoftBounce', 'soft'],
  ['DnsError', 'soft'],
  ['Blocked', 'soft'],
  ['SpamNotification', 'soft'],
  ['Undeliverable', 'soft'],
  ['SpamComplaint', 'complaint'],
]);

function readPostmark(payload: object): Bounce[] {
  const record = own(payload, 'RecordType');
  if (record !== 'Bounce' && record !== 'SpamComplaint') return [];
  const type = record === 'SpamComplaint' ? 'complaint' : POSTMARK_TYPES.get(textOf(payload, ['Type']));
  const email = textOf(payload, ['Email']);
  return type ? [{ email, type }] : [];
}

/** Reasons of Mailgun for a permanent failure that is not about the address: it gave up, or is blocked itself. */
const NOT_ABOUT_ADDRESS = new Set(['old', 'generic', 'espblock', 'greylisted', 'suppress-unsubscribe']);

/** https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-structure */
function readMailgun(payload: object): Bounce[] {
  const data = objectOf(payload, ['event-data']);
  const event = textOf(payload, ['event-data', 'event']);
  if (event !== 'failed' && event !== 'complained') return [];
  const email = textOf(payload, ['event-data', 'recipient']);
  const reason = String(own(data, 'reason'));
  if (event === 'complained' || reason === 'suppress-complaint') return [{ email, type: 'complaint' }];
  const isHard = own(data, 'severity') === 'permanent' && !NOT_ABOUT_ADDRESS.has(reason);
  return [{ email, type: isHard ? 'hard' : 'soft' }];
}

/**
 * Reads a message of Amazon SES: a notification, or an event of a configuration set.
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 * @param message the JSON in `Message` of SNS
 * @throws Problem 400 `validation_failed`
 */
export function readSes(message: object): Bounce[] {
  const kind = own(message, 'notificationType') ?? own(message, 'eventType');
  if (kind === 'Bounce') {
    const type = textOf(message, ['bounce', 'bounceType']) === 'Permanent' ? 'hard' : 'soft';
    return recipientsOf(message, 'bounce', 'bouncedRecipients').map((email) => ({ email, type }));
  }
  if (kind === 'Complaint') {
    const isMistake = own(objectOf(message, ['complaint']), 'complaintFeedbackType') === 'not-spam';
    const emails = recipientsOf(message, 'complaint', 'complainedRecipients');
    return isMistake ? [] : emails.map((email) => ({ email, type: 'complaint' as const }));
  }
  return [];
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
