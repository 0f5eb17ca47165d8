import { expect } from 'vitest';
import type { Me } from '../../clients/typescript/src/index.js';
import type { NewApiKeyDto } from '../../src/api-keys/dto/api-key.dto.js';
import { passTime } from '../support/clock.js';
import { RawConnection } from '../support/raw-connection.js';
import {
  type Answer,
  type One,
  type Tenant,
  type TestServer,
  until,
  useTenant,
  useTestServer,
  type Wire,
} from '../support/server.js';

export const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export type Key = Wire<NewApiKeyDto>;

export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

/**
 * A server with a tenant, and requests for its API keys.
 *
 * ```ts
 * const { ask, make } = useApiKeys();
 * const { id } = await make({ name: 'CI' });
 * expect((await ask('DELETE', `/${id}`)).status).toBe(204);
 * ```
 */
export function useApiKeys(): {
  server: TestServer;
  tenant: Tenant;
  ask: <B = One<Key>>(method: string, path: string, json?: unknown, key?: string) => Promise<Answer<B>>;
  make: (fields?: object, key?: string) => Promise<Key>;
  me: (key: string) => Promise<Answer<One<Me>>>;
  endsInTime: (key: Pick<Key, 'id' | 'key'>, column: 'expires_at' | 'revoked_at') => Promise<void>;
  begin: (id: string, key: string, path: string, json: object) => Promise<() => Promise<string>>;
} {
  const server = useTestServer();
  const tenant = useTenant(server);

  const ask = <B = One<Key>>(
    method: string,
    path: string,
    json?: unknown,
    key = tenant.key,
  ): Promise<Answer<B>> => server.ask<B>(`/v1/api-keys${path}`, { method, key, json });

  const make = async (fields: object = {}, key = tenant.key) => {
    const { status, body } = await ask(
      'POST',
      '',
      { name: 'Key', scopes: ['projects:read'], ...fields },
      key,
    );
    expect(status).toBe(201);
    return body.data;
  };

  const me = (key: string) => server.ask<One<Me>>('/v1/me', { key });

  /**
   * Checks that a key works until the time in the column, which it moves, and no longer, although servers remember a key
   * for two seconds.
   */
  async function endsInTime({ id, key }: Pick<Key, 'id' | 'key'>, column: 'expires_at' | 'revoked_at') {
    const end = (ms: number) =>
      server.sql(`UPDATE api_keys SET ${column} = now() + make_interval(secs => $2) WHERE id = $1`, [
        id,
        ms / 1_000,
      ]);
    const LEFT_MS = 1_000;
    await passTime(2_000);
    await end(LEFT_MS);
    expect((await me(key)).status).toBe(200);
    await end(0);
    await passTime(LEFT_MS);
    expect((await me(key)).status).toBe(401);
  }

  /** Sends a request except for the end of its body. The returned function sends the end and returns the response. */
  async function begin(id: string, key: string, path: string, json: object): Promise<() => Promise<string>> {
    const body = JSON.stringify(json);
    const connection = new RawConnection(server.url).send(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    // The use of a key is recorded after authentication.
    await until(async () => (await ask('GET', `/${id}`)).body.data.last_used_at);
    return async () => {
      connection.send(body.slice(5));
      await until(async () => connection.text.includes('\r\n\r\n'));
      connection.socket.destroy();
      return connection.text;
    };
  }

  return { server, tenant, ask, make, me, endsInTime, begin };
}
