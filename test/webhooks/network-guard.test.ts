import { describe, expect, it } from 'vitest';
import { EnvError, loadEnv } from '../../src/platform/config/env.js';
import { hasten } from '../support/clock.js';
import { useDnsServer } from '../support/dns-server.js';
import { guardWith, useSenders } from './use-sender.js';

const dns = useDnsServer();
const { sender, receiver } = useSenders();

const NOT_PUBLIC = 'the address is not public';
const NO_HTTP = 'http is not allowed for this address';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:800::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
];

const INTERNAL = {
  'this network': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'shared (CGNAT)': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  'link-local': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%lo', '2606:4700::1%lo'],
  'unique local': ['fc00::1', 'fd00:ec2::254', 'fdff::1'],
  'site-local': ['fec0::1', 'feff::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  reserved: ['192.0.0.1', '192.0.0.192', '192.88.99.1', '240.0.0.1', '255.255.255.255', '100::1', '4000::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:169.254.169.254'],
  'IPv4-compatible and translated': ['::127.0.0.1', '::8.8.8.8', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8'],
  '6to4': ['2002:7f00:1::1', '2002:a00:1::', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:808:808::1'],
  'other protocols': ['2001:20::1', '2001:30::1', '5f00::1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  'a service of the cloud': ['168.63.129.16', '::ffff:168.63.129.16'],
  'no address': ['', 'localhost', '1.1.1', '0x7f.1', '2130706433', '1.1.1.1:443'],
};

describe('address check', () => {
  const guard = guardWith();

  it('permits global unicast addresses, but not for http', () => {
    expect(PUBLIC.filter((address) => !guard.permits(address, 'https:'))).toEqual([]);
    expect(PUBLIC.filter((address) => guard.permits(address, 'http:'))).toEqual([]);
  });

  it.each(Object.entries(INTERNAL))('rejects other addresses: %s', (_kind, addresses) => {
    expect(addresses.filter((address) => guard.permits(address, 'https:'))).toEqual([]);
  });

  it('permits the networks of WEBHOOK_ALLOWED_NETWORKS, also for http', () => {
    const own = guardWith({ WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16, 192.168.7.7,fd00:1::/32' });
    const allowed = ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', '192.168.7.7', 'fd00:1:2::3'];
    const others = ['10.2.0.1', '::ffff:10.2.0.1', '192.168.7.8', 'fd00:2::1', '127.0.0.1', 'fd00:1::1%lo'];
    for (const protocol of ['http:', 'https:']) {
      expect(allowed.filter((address) => !own.permits(address, protocol))).toEqual([]);
      expect(others.filter((address) => own.permits(address, protocol))).toEqual([]);
    }
  });
});

describe('webhook to a literal address', () => {
  it.each([
    'https://127.0.0.1',
    'https://127.1',
    'https://2130706433',
    'https://0x7f000001',
    'https://0x7f.0.0.0x1',
    'https://0177.0.0.1',
    'https://017700000001',
    'https://127.0.0.1.',
    'https://①②⑦.0.0.1',
    'https://%31%32%37.0.0.1',
    'https://0',
    'https://0.0.0.0',
    'https://[::]',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:7f00:1]',
    'https://[64:ff9b::7f00:1]',
    'https://[2002:7f00:1::]',
    'https://[fe80::1]',
    'https://169.254.169.254',
    'https://user@169.254.169.254',
    'https://public.example@127.0.0.1',
  ])('fails if the address is not public: %s', async (url) => {
    const { port } = await receiver();
    const { error, status_code } = await sender({}).post(`${url}:${port}/`, {}, '{}');
    expect([error, status_code]).toEqual([NOT_PUBLIC, null]);
  });

  it.each(['https://[fe80::1%25lo]/', 'https://[::1%25lo]/', 'https://[fe80::1%lo]/', 'https://1.2.3.4.5/'])(
    'fails with an IPv6 zone or another malformed address: %s',
    async (url) => {
      expect((await sender({}).post(url, {}, '{}')).error).toBe('invalid URL');
    },
  );

  it('reaches no server that listens on this machine', async () => {
    const bait = await receiver();
    const own = sender({ DNS_SERVERS: dns.address });
    dns.set('bait.example', ['127.0.0.1']);
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', 'bait.example'])
      for (const protocol of ['http:', 'https:'])
        expect((await own.post(`${protocol}//${host}:${bait.port}/`, {}, '{}')).status_code).toBeNull();
    expect(bait.connections).toBe(0);
  });
});

describe('webhook to a name', () => {
  it.each([
    ['a private address', 'private.example', [['10.0.0.1']]],
    ['one private address of several', 'several.example', [['1.1.1.1', '8.8.8.8', '10.0.0.1']]],
    ['a private address in IPv6 only', 'six.example', [['1.1.1.1', 'fd00::1']]],
    ['an IPv4-mapped address', 'mapped.example', [['::ffff:7f00:1']]],
    ['a NAT64 address', 'nat64.example', [['64:ff9b::a00:1']]],
    ['a CNAME to a private address', 'alias.example', [['CNAME private.example']]],
    ['a CNAME to a CNAME', 'alias2.example', [['CNAME alias.example']]],
  ])('fails for %s', async (_kind, name, responses) => {
    dns.set(name, ...responses);
    const { error } = await sender({ DNS_SERVERS: dns.address }).post(`https://${name}/`, {}, '{}');
    expect(error).toBe(NOT_PUBLIC);
  });

  it('fails for localhost, and for a public name with http', async () => {
    dns.set('public.example', ['1.1.1.1']);
    const own = sender({ DNS_SERVERS: dns.address });
    expect((await sender({}).post('https://localhost/', {}, '{}')).error).toBe(NOT_PUBLIC);
    expect((await own.post('http://public.example/', {}, '{}')).error).toBe(NO_HTTP);
    expect((await own.post('http://1.1.1.1/', {}, '{}')).error).toBe(NO_HTTP);
  });

  it('connects to the address that was checked, even if DNS changes between check and use', async () => {
    const target = await receiver({ address: '127.0.0.2' });
    const inside = await receiver({ address: '127.0.0.1', port: target.port });
    target.respond = (response) => response.setHeader('connection', 'close').end();
    // The second response to each query is internal. A second lookup of one attempt would find it.
    dns.set('rebinding.example', ['127.0.0.2'], ['127.0.0.1']);
    const own = sender({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.2/32', DNS_SERVERS: dns.address });
    const url = `http://rebinding.example:${target.port}/`;
    expect(await own.post(url, {}, '{}')).toMatchObject({ status_code: 200, error: null });
    expect(dns.queries.filter((query) => query === 'A rebinding.example')).toHaveLength(1);
    // The next connection is checked again.
    expect(await own.post(url, {}, '{}')).toMatchObject({ status_code: null, error: NO_HTTP });
    expect([target.requests.length, inside.connections]).toEqual([1, 0]);
  });

  it('asks the system for localhost in an allowed network', async () => {
    const target = await receiver();
    const own = sender({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1' });
    expect((await own.post(target.url('localhost'), {}, '{}')).status_code).toBe(200);
  });

  it('uses the addresses of one IP version if DNS does not respond for the other', async () => {
    const target = await receiver();
    dns.set('half.example', ['127.0.0.1', 'hang6']);
    const own = sender({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1', DNS_SERVERS: dns.address });
    const { status_code, duration_ms } = await hasten(own.post(target.url('half.example'), {}, '{}'));
    expect(status_code).toBe(200);
    expect(duration_ms).toBeLessThan(5_000);
  });

  it('causes an error of its own for each failure of DNS', async () => {
    dns.set('failing.example', ['fail']);
    dns.set('empty.example', []);
    dns.set('dangling.example', ['CNAME nowhere.example']);
    const own = sender({ DNS_SERVERS: dns.address });
    const errorOf = async (name: string) => (await own.post(`https://${name}/?secret`, {}, '{}')).error;
    expect(await errorOf('unknown.example')).toBe('DNS: not found');
    expect(await errorOf('empty.example')).toBe('DNS: not found');
    expect(await errorOf('dangling.example')).toBe('DNS: not found');
    expect(await errorOf('failing.example')).toBe('DNS: server failure');
  });
});

describe('webhook that is redirected', () => {
  it.each([301, 302, 303, 307, 308])('fails without following the redirect: %i', async (status) => {
    const inside = await receiver();
    const target = await receiver();
    target.respond = (response) => response.writeHead(status, { location: inside.url() }).end();
    const own = sender({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' });
    expect(await own.post(target.url(), {}, '{}')).toMatchObject({
      status_code: status,
      error: 'redirect to another URL',
    });
    expect(inside.connections).toBe(0);
  });
});

describe('webhook with proxy variables', () => {
  it('ignores them', async () => {
    const [proxy, target] = [await receiver(), await receiver()];
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const before = { ...process.env };
    for (const name of names) process.env[name] = proxy.url();
    process.env['NODE_USE_ENV_PROXY'] = '1';
    const { status_code } = await sender({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }).post(
      target.url(),
      {},
      '{}',
    );
    process.env = before;
    expect([status_code, proxy.connections, target.requests.length]).toEqual([200, 0, 1]);
  });
});

describe('configuration', () => {
  it.each(['10.0.0.0/33', '10.0.0', 'localhost', '10.0.0.0/8;::1', 'fe80::1%lo', '10.0.0.0/8,', '0x7f.1/8'])(
    'rejects an invalid WEBHOOK_ALLOWED_NETWORKS: %s',
    (WEBHOOK_ALLOWED_NETWORKS) => {
      expect(() => loadEnv({ EMBEDDED: 'true', WEBHOOK_ALLOWED_NETWORKS })).toThrow(
        new EnvError(
          'WEBHOOK_ALLOWED_NETWORKS must be a list of networks separated by commas, such as 10.1.0.0/16,fd00:1::/32',
        ),
      );
    },
  );

  it.each([
    'dns.example',
    '10.0.0.2:0',
    '10.0.0.2:65536',
    '10.0.0.2,',
    '[fd00::2]',
    'fe80::1%lo',
    '10.0.0.2 10.0.0.3',
  ])('rejects an invalid DNS_SERVERS: %s', (DNS_SERVERS) => {
    expect(() => loadEnv({ EMBEDDED: 'true', DNS_SERVERS })).toThrow(
      /^DNS_SERVERS must be a list of IP addresses/,
    );
  });

  it('accepts DNS servers with and without a port', () => {
    const DNS_SERVERS = '10.0.0.2, 10.0.0.3:5353,fd00::2,[fd00::3]:53';
    expect(loadEnv({ EMBEDDED: 'true', DNS_SERVERS }).DNS_SERVERS).toBe(DNS_SERVERS);
  });
});
