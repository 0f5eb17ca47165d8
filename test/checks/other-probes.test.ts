import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProbeTarget } from '../../src/checks/probes/target.js';
import { Certificates } from '../support/certificates.js';
import { useDnsServer } from '../support/dns-server.js';
import { useTargets } from './use-checks.js';
import { LOCAL, useProber } from './use-prober.js';

const dns = useDnsServer();
const start = useTargets();
const probe = useProber(dns);

describe('a TCP check', () => {
  it('connects to a port', async () => {
    const target = await start();
    const name = `127.0.0.1:${target.port}`;
    expect(await probe({ type: 'tcp', target: name })).toMatchObject({ error: null, tls_ms: null });
    await target.stop();
    expect((await probe({ type: 'tcp', target: name })).error).toBe('connection refused');
  });
});

describe('a DNS check', () => {
  it('finds a record, and compares its value', async () => {
    dns.set('www.example', ['9.9.9.10', '9.9.9.11']);
    dns.set('txt.example', ['TXT v=spf1 -all']);
    const ask = (target: string, record_type: ProbeTarget['record_type'], expected: string | null = null) =>
      probe({ type: 'dns', target, record_type, expected });
    expect((await ask('www.example', 'A')).error).toBeNull();
    expect((await ask('www.example', 'A', '9.9.9.11')).error).toBeNull();
    expect((await ask('www.example', 'A', '9.9.9.12')).error).toBe('no A record has the expected value');
    expect((await ask('txt.example', 'TXT', 'v=spf1 -all')).error).toBeNull();
    expect((await ask('txt.example', 'TXT', 'V=SPF1 -all')).error).toBe(
      'no TXT record has the expected value',
    );
    expect((await ask('missing.example', 'A')).error).toBe('no A record');
    dns.set('inside.example', ['9.9.9.10', '10.0.0.1']);
    expect((await ask('inside.example', 'A', '10.0.0.1')).error).toBe('the address is not public');
    dns.set('broken.example', ['fail']);
    expect((await ask('broken.example', 'A')).error).toBe('DNS: server failure');
  });
});

describe('a TLS check', { tags: ['openssl'] }, () => {
  let certificates: Certificates;

  beforeAll(async () => {
    certificates = await Certificates.create();
    await certificates.authority('ca');
    await certificates.issue('ca', 'valid', 'valid.example');
    await certificates.issueExpired('ca', 'expired');
    dns.set('valid.example', ['127.0.0.1']);
    dns.set('other.example', ['127.0.0.1']);
  });
  afterAll(() => certificates.destroy());

  const tlsOf = async (name: string) => ({
    cert: await certificates.read(`${name}.crt`),
    key: await certificates.read(`${name}.key`),
  });

  it('fails before the certificate expires, and if it is invalid', async () => {
    const ca = await certificates.read('ca.crt');
    const [valid, expired] = [await start(await tlsOf('valid')), await start(await tlsOf('expired'))];
    const ask = (host: string, { port }: { port: number }, days_before_expiry: number) =>
      probe({ type: 'tls', target: `${host}:${port}`, days_before_expiry }, LOCAL, ca);
    const good = await ask('valid.example', valid, 1);
    expect(good.error).toBeNull();
    expect(good.certificate_expires_at?.getTime()).toBeGreaterThan(Date.now() + 86_400_000);
    expect((await ask('valid.example', valid, 14)).error).toBe('the certificate expires in 1 days');
    expect((await ask('other.example', valid, 1)).error).toBe('certificate is for another host');
    expect((await ask('valid.example', expired, 1)).error).toBe('certificate has expired');
    expect((await probe({ type: 'tls', target: `valid.example:${valid.port}` })).error).toBe(
      'certificate is from an unknown issuer',
    );
  });

  it('also applies to HTTP checks with https, whose TLS handshake is measured', async () => {
    const target = await start(await tlsOf('valid'));
    const result = await probe(
      { target: target.url('/', 'valid.example') },
      LOCAL,
      await certificates.read('ca.crt'),
    );
    expect(result).toMatchObject({ error: null, status_code: 200, tls_ms: expect.any(Number) });
    expect(result.certificate_expires_at).toBeInstanceOf(Date);
    expect((await probe({ target: target.url('/', 'valid.example') })).error).toBe(
      'certificate is from an unknown issuer',
    );
  });
});
