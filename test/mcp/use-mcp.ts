import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, expect } from 'vitest';
import type { ProblemBody } from '../../src/platform/problems/problem.js';
import type { TestServer } from '../support/server.js';

/** Clients of the SDK for a server, closed after the tests of a file, and calls of tools. */
export function useMcp(server: TestServer) {
  const clients: Client[] = [];
  afterAll(() => Promise.all(clients.map((client) => client.close())));

  const connect = async (key: string): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    const headers = { Authorization: `Bearer ${key}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit: { headers } }),
    );
    return client;
  };

  const textOf = async (client: Client, name: string, input: Record<string, unknown>) => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: input });
    const [{ text = '' } = {}] = Array.isArray(content) ? content : [];
    return { text: String(text), structuredContent, isError };
  };

  /** Calls a tool that succeeds. Returns its structured content, which is also its text. */
  const call = async (client: Client, name: string, input: Record<string, unknown>) => {
    const { text, structuredContent, isError } = await textOf(client, name, input);
    expect([isError, text]).toEqual([false, JSON.stringify(structuredContent)]);
    return JSON.parse(text);
  };

  /** Calls a tool that fails. Returns the problem. */
  const refused = async (client: Client, name: string, input: Record<string, unknown>) => {
    const { text, isError } = await textOf(client, name, input);
    expect(isError).toBe(true);
    const problem: ProblemBody = JSON.parse(text);
    return problem;
  };

  return { connect, call, refused };
}
