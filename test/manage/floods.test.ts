import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { generateToken } from '../../src/platform/auth/token-format.js';
import { onceAnswered } from '../support/http-agent.js';
import { RawConnection } from '../support/raw-connection.js';
import { routesOf } from '../support/routes.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useConsole } from './use-console.js';

const FORM = 'application/x-www-form-urlencoded';

describe('a flood of the console', () => {
  const server = useTestServer({ TRUST_PROXY: '1', AUTH_RATE_LIMIT: '5' });
  const tenant = useTenant(server);
  const { ask, person } = useConsole(server);
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const unknown = () => `manage=${generateToken('ms_')}`;

  it('by forms that never arrive leaves the forms of members and of other addresses alone', async () => {
    const { post } = await person(tenant, 'editor');
    const form = (address: string) =>
      new RawConnection(server.url).send(
        `POST /manage/sign-in HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Type: ${FORM}\r\nContent-Length: 1048000\r\n\r\n`,
      );
    const idle = Array.from({ length: 20 }, (_, index) => form(`192.0.2.${index % 4}`));
    await Promise.all(idle.slice(4).map((one) => one.answers(1)));
    expect(idle.slice(4).flatMap(({ statuses }) => statuses)).toEqual(Array.from({ length: 16 }, () => 429));
    const fields = { email: 'ada@example.com', password: 'a long password' };
    const other = await ask('/manage/sign-in', { form: fields, headers: from('198.51.100.1') });
    expect(other.status).toBe(403);
    expect((await post('/manage/monitors', { name: '' })).status).toBeLessThan(429);
    for (const { socket } of idle) socket.destroy();
  });

  it('by forms of more than 5,000 fields returns 413', async () => {
    const tooMany = `email=a${'&a'.repeat(5_000)}`;
    const statusOf = async (body: string) => {
      const headers = { 'Content-Type': FORM };
      return (await fetch(`${server.url}/manage/sign-in`, { method: 'POST', headers, body })).status;
    };
    expect(await statusOf(tooMany)).toBe(413);
    expect(await statusOf(tooMany.slice(0, -2))).not.toBe(413);
    const kept = new URLSearchParams({ email: 'ada@example.com', way: 'link', kept: tooMany });
    expect(await statusOf(String(kept))).toBe(413);
  });

  it('by unknown sessions is limited for its address, and leaves known sessions and keys alone', async () => {
    const { cookie } = await person(tenant);
    const headers = from('192.0.2.9');
    expect((await ask('/manage', { cookie, headers })).status).toBe(200);
    expect((await server.ask('/v1/projects', { key: tenant.key, headers })).status).toBe(200);
    const statuses: number[] = [];
    for (let index = 0; index < 7; index++)
      statuses.push((await ask('/manage', { cookie: unknown(), headers })).status);
    expect(statuses.slice(0, 5)).not.toContain(429);
    expect(statuses.slice(5)).toEqual([429, 429]);
    expect((await ask('/manage/sign-in', { cookie: unknown(), headers })).status).toBe(200);
    expect((await ask('/manage', { cookie, headers })).status).toBe(200);
    expect((await server.ask('/v1/projects', { key: tenant.key, headers })).status).toBe(200);
  });
});

describe('RATE_LIMIT', () => {
  const server = useTestServer({ RATE_LIMIT: '3' });
  const tenant = useTenant(server);
  const { person } = useConsole(server);

  it('limits the requests of a member, like the requests of a key', async () => {
    const [one, other] = [await person(tenant), await person(tenant)];
    for (let index = 0; index < 3; index++) expect((await one.get('/manage')).status).toBe(200);
    expect((await one.get('/manage')).status).toBe(429);
    expect((await other.get('/manage')).status).toBe(200);
  });
});

describe('PUBLIC_URL', () => {
  const server = useTestServer({ PUBLIC_URL: 'https://status.example.com' });

  it('serves the console only on its host', async () => {
    const statusAt = async (host: string) => {
      const [answer] = await onceAnswered(get(`${server.url}/manage/sign-in`, { headers: { Host: host } }));
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusAt('status.example.com')).toBe(200);
    expect(await statusAt('status.example.com:8443')).toBe(200);
    expect(await statusAt('status.attacker.example')).toBe(404);
  });
});

describe('PUBLIC_URL with a path', () => {
  const server = useTestServer({ PUBLIC_URL: 'https://example.com/status' });

  it('leaves the console out, because its paths begin at the root', () => {
    expect(routesOf(server.app).filter(({ path }) => path.startsWith('/manage'))).toEqual([]);
  });
});
