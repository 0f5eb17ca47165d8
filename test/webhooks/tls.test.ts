import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Certificates } from '../support/certificates.js';
import { useDnsServer } from '../support/dns-server.js';
import { useSenders } from './use-sender.js';

const dns = useDnsServer();
const { sender, receiver } = useSenders();

describe('TLS of webhooks', { tags: ['openssl'] }, () => {
  let certificates: Certificates;
  const hosts = { valid: 'valid.example', other: 'other.example' };

  beforeAll(async () => {
    certificates = await Certificates.create();
    await certificates.authority('ca');
    await certificates.authority('unknown');
    await certificates.issue('ca', 'valid', hosts.valid);
    await certificates.issue('unknown', 'foreign', hosts.valid);
    await certificates.issueExpired('ca', 'expired');
    for (const host of Object.values(hosts)) dns.set(host, ['127.0.0.1']);
  });
  afterAll(() => certificates.destroy());

  const postTo = async (certificate: string, host = hosts.valid) => {
    const [cert, key] = [`${certificate}.crt`, `${certificate}.key`];
    const target = await receiver({
      tls: { cert: await certificates.read(cert), key: await certificates.read(key) },
    });
    const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1', DNS_SERVERS: dns.address };
    const result = await sender(env, await certificates.read('ca.crt')).post(target.url(host), {}, '{}');
    return { ...result, requests: target.requests.length };
  };

  it('accepts a valid certificate of the host', async () => {
    expect(await postTo('valid')).toMatchObject({ status_code: 200, error: null, requests: 1 });
  });

  it.each([
    ['expired', hosts.valid, 'certificate has expired'],
    ['valid', hosts.other, 'certificate is for another host'],
    ['foreign', hosts.valid, 'certificate is from an unknown issuer'],
    ['unknown', hosts.valid, 'certificate is self-signed'],
  ])('rejects another certificate: %s for %s, %s', async (certificate, host, error) => {
    expect(await postTo(certificate, host)).toMatchObject({ status_code: null, error, requests: 0 });
  });

  it('rejects it even if NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const { error } = await postTo('expired');
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    expect(error).toBe('certificate has expired');
  });

  it('fails if the server does not use TLS', async () => {
    const target = await receiver();
    const url = target.url().replace('http:', 'https:');
    expect(await sender({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }).post(url, {}, '{}')).toMatchObject({
      status_code: null,
      error: 'TLS failure',
    });
  });
});
