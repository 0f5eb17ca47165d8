import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** A message that is signed. */
export interface SignedMessage {
  /** The same at each attempt. Must not contain a dot. */
  id: string;
  /** Time of the attempt. */
  timestamp: Date;
  /** The text that is sent. */
  body: string;
}

/**
 * Returns the headers of Standard Webhooks (https://www.standardwebhooks.com): `webhook-id`, `webhook-timestamp`, and
 * `webhook-signature` with a signature for each secret. While a secret is replaced, there are two.
 * @param secrets `whsec_` and the key in base64
 */
export function signatureHeaders(message: SignedMessage, secrets: string[]): Record<string, string> {
  const timestamp = String(Math.floor(message.timestamp.getTime() / 1_000));
  const content = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
