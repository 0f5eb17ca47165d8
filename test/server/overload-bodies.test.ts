import { afterEach, describe, expect, it } from 'vitest';
import { RawConnection } from '../support/raw-connection.js';
import { until, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);
const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Ten of them are fewer than an organization may have in flight. */
const SMALL_FILE_BYTES = 1024 * 1024;

const open: RawConnection[] = [];

/** Announces a file, by default of the maximum size, and sends its first bytes. */
function startUpload(key: string, bytes = MAX_FILE_BYTES): RawConnection {
  const head = [
    `POST /v1/imports/gatus?project_id=${tenant.project_id} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/yaml',
    `Content-Length: ${bytes}`,
  ];
  const connection = new RawConnection(server.url).send(`${head.join('\r\n')}\r\n\r\nendpoints:`);
  open.push(connection);
  return connection;
}

const answered = () => open.filter(({ statuses }) => statuses.length > 0);

afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy();
});

describe('uploads with one API key', () => {
  it('above 16 MiB in flight fail with 429 before the body is read', async () => {
    const uploads = Array.from({ length: 4 }, () => startUpload(tenant.key));
    await until(async () => answered().length === 1);
    const [refused] = answered();
    expect(refused?.statuses).toEqual([429]);
    expect(refused?.text).toMatch(/retry-after: 1\r\n[^]*"code":"rate_limited"/i);
    const other = await server.key(tenant.organization_id);
    const ofOther = startUpload(other.key);
    for (const { socket } of uploads) socket.destroy();
    await until(async () => {
      const file = 'endpoints: [{name: a, url: "https://example.com"}]';
      const path = `/v1/imports/gatus?project_id=${tenant.project_id}&name=Page`;
      const headers = { 'Content-Type': 'application/yaml' };
      const { status } = await server.ask(path, { method: 'POST', key: tenant.key, headers, body: file });
      return status !== 429;
    });
    expect(ofOther.statuses).toEqual([]); // the server still waits for its body
  });

  it('do not delay other requests of the organization', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => server.key(tenant.organization_id)));
    for (const { key } of keys) for (let upload = 0; upload < 2; upload++) startUpload(key, SMALL_FILE_BYTES);
    for (let index = 0; index < 10; index++)
      expect((await server.ask('/v1/me', { key: tenant.key })).status).toBe(200);
    expect(answered()).toEqual([]);
  });
});
