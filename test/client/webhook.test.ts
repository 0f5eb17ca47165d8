import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  type Incident,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookHeaders,
  WebhookVerificationError,
} from '../../clients/typescript/src/index.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const OTHER = `whsec_${randomBytes(32).toString('base64')}`;
const BODY = JSON.stringify({
  type: 'incident.deleted',
  timestamp: '2026-11-20T12:00:00.000Z',
  data: { id: 'ü' },
});

interface Signed {
  body?: string;
  id?: string;
  at?: Date;
  secret?: string;
}

/** Signs a message with the package `standardwebhooks`. */
function headersOf({ body = BODY, id = 'msg_1', at = new Date(), secret = SECRET }: Signed = {}): Record<
  string,
  string
> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

async function codeOf(verifying: Promise<WebhookEvent>): Promise<string> {
  const error: unknown = await verifying.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof WebhookVerificationError)) throw new Error('not rejected', { cause: error });
  return error.code;
}

describe('verifyWebhook', () => {
  it('returns the event of a message that standardwebhooks has signed, from text or bytes', async () => {
    const event: WebhookEvent = await verifyWebhook(BODY, headersOf(), SECRET);
    expect(event).toEqual(JSON.parse(BODY));
    expect(await verifyWebhook(Buffer.from(BODY), headersOf(), SECRET)).toEqual(event);
  });

  it('narrows the event by its type', async () => {
    const body = JSON.stringify({ type: 'incident.created', data: { id: '1', title: 'Errors' } });
    const event = await verifyWebhook(body, headersOf({ body }), SECRET);
    const titleOf = ({ data }: WebhookEventOf<'incident.created'>): Incident['title'] | undefined =>
      'title' in data ? data.title : undefined;
    expect(event.type === 'incident.created' ? titleOf(event) : 'other').toBe('Errors');
  });

  const kinds: [string, (headers: Record<string, string>) => WebhookHeaders][] = [
    ['Headers of fetch', (headers) => new Headers(headers)],
    ['headers of Node.js', (headers) => ({ ...headers, 'set-cookie': ['a', 'b'], host: undefined })],
    [
      'names in other case',
      (headers) => ({
        'Webhook-Id': headers['webhook-id'],
        'WEBHOOK-TIMESTAMP': headers['webhook-timestamp'],
        'Webhook-Signature': headers['webhook-signature'],
      }),
    ],
  ];
  it.each(kinds)('accepts %s', async (_kind, toHeaders) => {
    expect(await verifyWebhook(BODY, toHeaders(headersOf()), SECRET)).toEqual(JSON.parse(BODY));
  });

  it('accepts any of several secrets and of several signatures, such as during a rotation', async () => {
    expect(await verifyWebhook(BODY, headersOf(), [OTHER, SECRET])).toBeDefined();
    const both = `${headersOf({ secret: OTHER })['webhook-signature']} ${headersOf()['webhook-signature']}`;
    expect(await verifyWebhook(BODY, { ...headersOf(), 'webhook-signature': both }, SECRET)).toBeDefined();
  });

  it('rejects a changed body, ID or time, another secret, and an unknown version', async () => {
    const headers = headersOf();
    const signature = headers['webhook-signature'] ?? '';
    const wrong: [string, WebhookHeaders, string][] = [
      [`${BODY} `, headers, SECRET],
      [BODY, { ...headers, 'webhook-id': 'msg_2' }, SECRET],
      [BODY, { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) }, SECRET],
      [BODY, headers, OTHER],
      [BODY, { ...headers, 'webhook-signature': signature.replace('v1,', 'v1a,') }, SECRET],
      [BODY, { ...headers, 'webhook-signature': signature.replace('v1,', 'v2,') }, SECRET],
      [BODY, { ...headers, 'webhook-signature': signature.slice(0, -4) }, SECRET],
      [BODY, { ...headers, 'webhook-signature': 'v1,' }, SECRET],
      [BODY, { ...headers, 'webhook-signature': 'v1,%%%' }, SECRET],
    ];
    for (const [body, sent, secret] of wrong)
      expect(await codeOf(verifyWebhook(body, sent, secret))).toBe('invalid_signature');
  });

  it('rejects a message that is older or newer than the tolerance', async () => {
    const sentAt = (at: Date, toleranceSeconds?: number) =>
      verifyWebhook(
        BODY,
        headersOf({ at }),
        SECRET,
        toleranceSeconds === undefined ? {} : { toleranceSeconds },
      );
    expect(await sentAt(secondsAgo(290))).toBeDefined();
    expect(await codeOf(sentAt(secondsAgo(310)))).toBe('outside_tolerance');
    expect(await codeOf(sentAt(secondsAgo(-310)))).toBe('outside_tolerance');
    expect(await codeOf(sentAt(secondsAgo(20), 10))).toBe('outside_tolerance');
    expect(await codeOf(sentAt(secondsAgo(0), Number.NaN))).toBe('outside_tolerance');
    expect(await sentAt(secondsAgo(3_000), 3_600)).toBeDefined();
  });

  it('rejects messages without headers, with an invalid time, and with a body that is not JSON', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(await codeOf(verifyWebhook(BODY, { ...headersOf(), [name]: undefined }, SECRET))).toBe(
        'missing_header',
      );
    for (const time of ['', 'now', '1e9', '-1', '17951760001795176000'])
      expect(
        await codeOf(verifyWebhook(BODY, { ...headersOf(), 'webhook-timestamp': time }, SECRET)),
      ).toMatch(/^(missing_header|invalid_timestamp)$/);
    const body = 'not JSON';
    expect(await codeOf(verifyWebhook(body, headersOf({ body }), SECRET))).toBe('invalid_body');
  });

  it('throws a TypeError for a secret that is empty or malformed, and for none', async () => {
    for (const secret of ['', 'whsec_', 'whsec_%%%', 'whsec_c2hvcnQ='])
      await expect(verifyWebhook(BODY, headersOf(), secret)).rejects.toThrow(TypeError);
    expect(await codeOf(verifyWebhook(BODY, headersOf(), []))).toBe('invalid_signature');
  });

  it('computes the signature of the specification: HMAC-SHA256 of the ID, the time and the body', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const mac = createHmac('sha256', key).update(`id.${timestamp}.${BODY}`).digest('base64');
    const headers = { 'webhook-id': 'id', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
    expect(await verifyWebhook(BODY, headers, SECRET)).toEqual(JSON.parse(BODY));
    expect(new Webhook(SECRET).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });
});
