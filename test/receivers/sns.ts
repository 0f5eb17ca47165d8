import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { SnsHttp } from '../../src/subscribers/bounces/sns-http.js';

const der = (tag: number, ...contents: Buffer[]): Buffer => {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents);
const hex = (tag: number, text: string): Buffer => der(tag, Buffer.from(text, 'hex'));
const time = (year: number): Buffer => der(0x17, Buffer.from(`${String(year).slice(2)}0101000000Z`));

/** Returns a self-signed certificate in PEM format that is valid from the first until the second year. */
function certificateOf(publicKey: KeyObject, privateKey: KeyObject, years: [number, number]): string {
  const algorithm = sequence(hex(0x06, '2a864886f70d01010b'), der(0x05)); // sha256WithRSAEncryption
  const name = sequence(der(0x31, sequence(hex(0x06, '550403'), der(0x0c, Buffer.from('sns.test')))));
  const content = sequence(
    der(0xa0, hex(0x02, '02')),
    hex(0x02, '01'),
    algorithm,
    name,
    sequence(time(years[0]), time(years[1])),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', content, privateKey);
  const bytes = sequence(content, algorithm, der(0x03, Buffer.from([0]), signature));
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

/** Amazon SNS on 127.0.0.1: serves its certificate, and signs messages. */
export class FakeSns {
  /** Paths and queries of the requests. */
  readonly requests: string[] = [];
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly server = createServer(({ url = '' }, response) => {
    this.requests.push(url);
    const years = url.startsWith('/expired') ? ([2001, 2002] as const) : ([2020, 2045] as const);
    if (url.startsWith('/missing')) response.writeHead(404);
    if (url.startsWith('/moved')) response.writeHead(302, { Location: '/certificate.pem' });
    response.end(
      url.startsWith('/text') ? 'text' : certificateOf(this.keys.publicKey, this.keys.privateKey, [...years]),
    );
  });

  /** Makes a service send its requests to SNS to this server. */
  async serve(http: SnsHttp): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const address = this.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no address');
    const base = `http://127.0.0.1:${address.port}`;
    http.fetch = (url, init) => fetch(new URL(url.pathname + url.search, base), init);
  }

  close(): void {
    this.server.close();
  }

  /** Returns a signed message. */
  message(fields: Record<string, string>, version = '2'): Record<string, string> {
    const message: Record<string, string> = {
      Type: 'Notification',
      MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
      TopicArn: 'arn:aws:sns:us-east-1:123456789012:bounces',
      Timestamp: '2026-11-25T12:00:00.000Z',
      SignatureVersion: version,
      SigningCertURL: 'https://sns.us-east-1.amazonaws.com/certificate.pem',
      ...fields,
    };
    const signed = [
      'Message',
      'MessageId',
      'Subject',
      'SubscribeURL',
      'Timestamp',
      'Token',
      'TopicArn',
      'Type',
    ];
    const text = signed.flatMap((name) => (name in message ? `${name}\n${message[name]}\n` : [])).join('');
    const hash = version === '1' ? 'sha1' : 'sha256';
    return { ...message, Signature: sign(hash, Buffer.from(text), this.keys.privateKey).toString('base64') };
  }
}
