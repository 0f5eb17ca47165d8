import { beforeAll, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

/** Less than the 16 KiB that Node.js accepts for all headers together. */
const LENGTH = 14_000;

/** Parsing in quadratic time takes several hundred milliseconds, all else a few. */
const MAX_MS = 100;

/** Headers that the service reads, with the beginning of a value. */
const HEADERS: Record<string, string> = {
  accept: 'text/html',
  'accept-encoding': 'gzip',
  'accept-language': 'en',
  authorization: 'Bearer',
  'content-encoding': 'gzip',
  'content-type': 'application/x-www-form-urlencoded',
  cookie: 'a=b',
  forwarded: 'for=192.0.2.1',
  'idempotency-key': 'a',
  'if-match': '"a"',
  'if-modified-since': 'Mon, 01 Jan 2024 00:00:00 GMT',
  'if-none-match': 'W/"a"',
  origin: 'https://example.com',
  prefer: 'return=minimal',
  range: 'bytes=0-1',
  referer: 'https://example.com/',
  'sec-fetch-site': 'cross-site',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'a=b',
  'user-agent': 'curl/8.0',
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-host': 'example.com',
  'x-forwarded-proto': 'https',
  'x-request-id': 'a',
};
const FILLS = [' ', '\t', ';', ',', '"', '\\', '; ', 'a=', ',"'];

let requests: [method: string, path: string][];
beforeAll(async () => {
  const { id, slug } = await server.page(tenant, { is_public: true });
  requests = [
    ['PATCH', `/v1/status-pages/${id}`],
    ['POST', `/status/${slug}/subscribe`],
    ['GET', `/status/${slug}`],
  ];
});

/** Returns the milliseconds of CPU time that a request takes. */
async function timeOf(method: string, path: string, header: string, value: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${tenant.key}`,
    [header]: value,
  };
  const started = process.cpuUsage();
  const response = await fetch(server.url + path, {
    method,
    headers,
    ...(method !== 'GET' && { body: '{}' }),
  });
  await response.arrayBuffer();
  expect(response.status).toBeLessThan(500);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

it.each(Object.entries(HEADERS))('%s is read in linear time', async (header, beginning) => {
  for (const [index, fill] of FILLS.entries())
    // Each request reads most headers in the same way.
    for (const [method, path] of header === 'content-type'
      ? requests
      : requests.slice(index % 3, (index % 3) + 1)) {
      const value = `${beginning}${fill.repeat(LENGTH / fill.length)}x`;
      // A garbage collection can add to one of them.
      let time = await timeOf(method, path, header, value);
      for (let again = 0; again < 2 && time > MAX_MS; again++)
        time = Math.min(time, await timeOf(method, path, header, value));
      expect({ method, fill, time: Math.max(time, MAX_MS) }).toEqual({ method, fill, time: MAX_MS });
    }
});
