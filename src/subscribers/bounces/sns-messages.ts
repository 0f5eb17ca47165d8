import { verify, X509Certificate } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { parseJson } from '../../platform/validation/body.js';
import type { Bounce } from '../bounces.service.js';
import { own } from '../../platform/validation/json.js';
import { invalid, readSes, textOf } from './read-bounces.js';
import { isSnsUrl, SnsHttp } from './sns-http.js';

/** Fields that SNS signs, in this order, by the type of the message. `Subject` is optional. */
const SIGNED: Record<string, string[]> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

const HASHES: Record<string, string> = { '1': 'sha1', '2': 'sha256' };

const CERTIFICATES = 20;
const CERTIFICATE_TTL_MS = 3_600_000;

/**
 * Reads messages of Amazon SNS with notifications of Amazon SES, after verifying their signature
 * (https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html).
 */
@Injectable()
export class SnsMessages {
  /** By URL. */
  private readonly certificates = new LRUCache<string, X509Certificate>({
    max: CERTIFICATES,
    ttl: CERTIFICATE_TTL_MS,
  });

  constructor(private readonly http: SnsHttp) {}

  /**
   * Returns the bounces and complaints of a notification. Confirms a subscription, whose message contains none.
   * @throws Problem 400 `validation_failed` if the message is malformed or not signed by SNS; 503 `unavailable` if SNS is
   * unreachable
   */
  async read(message: object): Promise<Bounce[]> {
    const type = textOf(message, ['Type']);
    const fields = Object.hasOwn(SIGNED, type) ? SIGNED[type] : undefined;
    if (!fields)
      throw invalid(['Type'], 'invalid_format', `must be one of ${Object.keys(SIGNED).join(', ')}`);
    await this.verify(message, fields);
    if (type === 'Notification') return readNotification(message);
    if (type === 'SubscriptionConfirmation') await this.http.get(snsUrlIn(message, 'SubscribeURL'));
    return [];
  }

  private async verify(message: object, fields: string[]): Promise<void> {
    const text = fields
      .filter((name) => name !== 'Subject' || typeof own(message, name) === 'string')
      .map((name) => `${name}\n${textOf(message, [name])}\n`)
      .join('');
    const signature = Buffer.from(textOf(message, ['Signature']), 'base64');
    const version = textOf(message, ['SignatureVersion']);
    const hash = Object.hasOwn(HASHES, version) ? HASHES[version] : undefined;
    if (hash === undefined) throw invalid(['SignatureVersion'], 'invalid_format', 'must be 1 or 2');
    const { publicKey } = await this.certificateAt(snsUrlIn(message, 'SigningCertURL'));
    if (!verify(hash, Buffer.from(text), publicKey, signature))
      throw invalid(['Signature'], 'invalid_format', 'is not by Amazon SNS, or of another message');
  }

  /** Returns a valid certificate. TLS proves that it is by SNS. */
  private async certificateAt(url: URL): Promise<X509Certificate> {
    const certificate = this.certificates.get(url.href) ?? certificateIn(await this.http.get(url));
    const now = Date.now();
    if (Date.parse(certificate.validFrom) > now || Date.parse(certificate.validTo) < now)
      throw invalid(
        ['SigningCertURL'],
        'invalid_format',
        'is an expired certificate, or one that is valid later',
      );
    this.certificates.set(url.href, certificate);
    return certificate;
  }
}

function certificateIn(text: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw invalid(['SigningCertURL'], 'invalid_format', 'is not the URL of a certificate');
  }
}

function snsUrlIn(message: object, name: string): URL {
  const text = textOf(message, [name]);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && isSnsUrl(url)) return url;
  throw invalid([name], 'invalid_format', 'must be an https URL of Amazon SNS');
}

/** Returns nothing for a message that is not by SES, such as the text with which SES tests a new topic. */
function readNotification(notification: object): Bounce[] {
  const text = textOf(notification, ['Message']);
  let message: object;
  try {
    message = parseJson(Buffer.from(text));
  } catch {
    return [];
  }
  return readSes(message);
}
