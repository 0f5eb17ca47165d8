import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../src/webhooks/outbound/signature.js';
import { useSenders } from './use-sender.js';

const { sender, receiver } = useSenders();

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const BODIES = [
  '{"type":"incident.created","timestamp":"2026-11-25T10:00:00.000Z","data":{}}',
  '{"type":"webhook.test","data":{"title":"Ärger, 故障 🚀, \\ud800 and a.dot"}}',
  '{}',
];

/**
 * Verifies headers as the specification describes it: the content is `{webhook-id}.{webhook-timestamp}.{payload}`, the key is
 * the base64 after `whsec_`, and `webhook-signature` is a list of `v1,` and the base64 of HMAC-SHA256, delimited by spaces.
 */
function verifies(headers: Record<string, string>, body: Buffer, secret: string): boolean {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': list = '',
  } = headers;
  if (!/^\d{10}$/.test(timestamp) || id.includes('.')) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  return list.split(' ').includes(`v1,${hmac.digest('base64')}`);
}

describe('signature', () => {
  it.each(BODIES)('passes the verification of the package standardwebhooks: %s', (body) => {
    const secret = newSecret();
    const headers = signatureHeaders({ id: randomUUID(), timestamp: new Date(), body }, [secret]);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
  });

  it.each(BODIES)('passes a verification written from the specification: %s', (body) => {
    const secret = newSecret();
    const headers = signatureHeaders({ id: randomUUID(), timestamp: new Date(), body }, [secret]);
    expect(verifies(headers, Buffer.from(body), secret)).toBe(true);
    expect(verifies(headers, Buffer.from(body), newSecret())).toBe(false);
    const later = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
    expect(verifies(later, Buffer.from(body), secret)).toBe(false);
    expect(verifies({ ...headers, 'webhook-id': randomUUID() }, Buffer.from(body), secret)).toBe(false);
  });

  it('equals the one of the package for the same key, ID and time', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: new Date(1_614_265_330_999),
      body: '{"test": 2432232314}',
    };
    expect(signatureHeaders(message, [secret])).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': new Webhook(secret).sign(message.id, message.timestamp, message.body),
    });
  });

  it('exists for each secret while a secret is replaced', () => {
    const secrets = [newSecret(), newSecret()];
    const body = '{}';
    const headers = signatureHeaders({ id: randomUUID(), timestamp: new Date(), body }, secrets);
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({});
      expect(verifies(headers, Buffer.from(body), secret)).toBe(true);
    }
  });

  it('covers the bytes that arrive', async () => {
    const target = await receiver();
    const secret = newSecret();
    const own = sender({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' });
    for (const body of BODIES)
      await own.post(
        target.url(),
        signatureHeaders({ id: randomUUID(), timestamp: new Date(), body }, [secret]),
        body,
      );
    expect(target.requests).toHaveLength(BODIES.length);
    for (const { headers, body } of target.requests) {
      const received = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      );
      expect(verifies(received, Buffer.from(body), secret)).toBe(true);
      expect(() => new Webhook(secret).verify(body, received)).not.toThrow();
    }
  });
});
