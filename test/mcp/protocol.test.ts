import { describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

const ACCEPT = { Accept: 'application/json, text/event-stream' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('POST /mcp', () => {
  const post = (body: unknown, headers: Record<string, string> = {}, key: string | null = tenant.key) =>
    server.ask<{ error: { code: number; message: string }; result: { protocolVersion: string } }>('/mcp', {
      method: 'POST',
      key,
      headers: { 'Content-Type': 'application/json', ...ACCEPT, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      undocumented: true,
    });
  const errorOf = async (body: unknown, headers?: Record<string, string>) => {
    const answer = await post(body, headers);
    return [answer.status, answer.body.error.code];
  };

  it('negotiates the protocol version, and has no session', async () => {
    const { status, headers, body } = await post(initialize);
    expect([status, body.result.protocolVersion]).toEqual([200, '2025-06-18']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('mcp-session-id')).toBeNull();
  });

  it('returns 401 without a valid API key, like the REST API', async () => {
    const without = await post(initialize, {}, null);
    expect([without.status, without.body.code]).toEqual([401, 'missing_api_key']);
    expect(without.headers.get('www-authenticate')).toContain('Bearer');
    expect((await post(initialize, {}, 'sp_wrong')).body.code).toBe('invalid_api_key');
  });

  it('returns 202 without a body for a notification', async () => {
    const { status, text } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([status, text]).toEqual([202, '']);
  });

  it('returns the error of JSON-RPC for malformed, unknown and batched messages', async () => {
    expect(await errorOf('{')).toEqual([400, -32_700]);
    expect(await errorOf('')).toEqual([400, -32_700]);
    for (const message of [{ id: 1, method: 'tools/list' }, null, 42, { ...initialize, jsonrpc: '1.0' }])
      expect([message, ...(await errorOf(JSON.stringify(message)))]).toEqual([message, 400, -32_600]);
    expect(await errorOf([initialize])).toEqual([400, -32_600]);
    expect(await errorOf(` [${JSON.stringify(initialize)}]`)).toEqual([400, -32_600]);
    expect(await errorOf({ jsonrpc: '2.0', id: 1, method: 'drop/tables' })).toEqual([200, -32_601]);
  });

  it('returns invalid params with the path of the first invalid one', async () => {
    const messageOf = async (method: string, params?: object) => {
      const { status, body } = await post({ jsonrpc: '2.0', id: 7, method, params });
      expect([status, body]).toMatchObject([200, { jsonrpc: '2.0', id: 7, error: { code: -32_602 } }]);
      return body.error.message;
    };
    expect(await messageOf('tools/call', { name: 7 })).toMatch(/^Invalid params: params\.name: /);
    expect(await messageOf('tools/call')).toMatch(/^Invalid params: params: /);
    expect(await messageOf('tools/call', { name: 'list_projects', arguments: [] })).toMatch(
      /^Invalid params: params\.arguments: /,
    );
    expect(await messageOf('initialize', { ...initialize.params, protocolVersion: 5 })).toMatch(
      /^Invalid params: params\.protocolVersion: /,
    );
    expect(await messageOf('tools/call', { name: 'drop' })).toBe(
      'There is no tool drop. The method tools/list returns the tools of this API key',
    );
  });

  it('rejects an unknown protocol version and responses that the client does not accept', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await post(list, { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400);
    expect((await post(list, { 'MCP-Protocol-Version': '2025-06-18' })).status).toBe(200);
    expect((await post(list, { Accept: 'application/json' })).status).toBe(406);
  });

  it('rejects bodies that are too large or not JSON, like the REST API', async () => {
    const large = await post({ ...initialize, padding: 'x'.repeat(300_000) });
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    const text = await post(initialize, { 'Content-Type': 'text/plain' });
    expect([text.status, text.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('returns 405 for every other method', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await server.ask('/mcp', {
        method,
        key: tenant.key,
        headers: ACCEPT,
        undocumented: true,
      });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'OPTIONS, POST']);
    }
  });
});
