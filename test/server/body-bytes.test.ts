import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scope } from '../../src/platform/auth/scopes.js';
import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { actorIn } from '../support/actors.js';
import { RawConnection } from '../support/raw-connection.js';
import { type Tenant, TestServer, until } from '../support/server.js';

const MIB = 1024 * 1024;

let server: TestServer;
let tenant: Tenant;
let other: Tenant;
const connections: RawConnection[] = [];

beforeEach(async () => {
  server = await TestServer.start();
  tenant = await server.tenant();
  other = await server.tenant();
});
afterEach(async () => {
  for (const { socket } of connections.splice(0)) socket.destroy();
  await server.stop();
});

const create = ({ key, project_id }: Tenant) =>
  server.ask('/v1/monitors', { method: 'POST', key, json: { name: 'Checkout', project_id } });

/** Starts a request with a body and sends only the first character of the body. */
function begin(key: string, path: string, type: string, bytes: number): void {
  const head = `Host: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`;
  connections.push(new RawConnection(server.url).send(`POST ${path} HTTP/1.1\r\n${head}{`));
}

describe('memory for request bodies', () => {
  it('reserves no more than a share for one organization', async () => {
    const keys = server.app.get(ApiKeysService);
    const scopes: Scope[] = ['status_pages:write', 'monitors:write'];
    for (let number = 0; number < 6; number += 1) {
      const { organization_id } = tenant;
      const own = { name: 'CI', scopes, project_ids: null, expires_at: null };
      const { key } = await keys.createIn(actorIn(organization_id), own);
      // Files of 5 MiB while they fit, then smaller bodies for the remaining bytes.
      for (let body = 0; body < 3; body += 1)
        begin(key, `/v1/imports/gatus?project_id=${tenant.project_id}`, 'application/yaml', 5 * MIB);
      for (let body = 0; body < 4; body += 1) begin(key, '/v1/monitors', 'application/json', MIB / 4);
    }
    await until(async () => (await create(tenant)).status !== 201);
    const [own, foreign] = [await create(tenant), await create(other)];
    expect([own.status, own.body.code, foreign.status]).toEqual([429, 'rate_limited', 201]);
    expect(own.body.detail).toMatch(/^This organization has \d+ bytes of request bodies in flight\. Retry/);
    for (const { socket } of connections) socket.destroy();
    await until(async () => (await create(tenant)).status === 201);
  });
});
