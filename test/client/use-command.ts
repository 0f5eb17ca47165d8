import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect } from 'vitest';
import { runCommand } from '../../clients/typescript/src/cli/run.js';
import type { Tenant, TestServer } from '../support/server.js';

/** A call of the command that has ended. */
export interface Called {
  code: number;
  stdout: string;
  stderr: string;
}

/** Calls the command in this process. Its responses are also checked against the OpenAPI document. */
export async function callCommand(
  server: TestServer,
  env: NodeJS.ProcessEnv,
  ...parameters: string[]
): Promise<Called> {
  const printed = { stdout: '', stderr: '' };
  const code = await runCommand(parameters, {
    env,
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
    fetch: (request) => server.fetch(request),
  });
  return { code, ...printed };
}

/** Calls of the command with the key of a tenant. */
export function useCommand(server: TestServer, tenant: Pick<Tenant, 'key'>) {
  const envOf = (own: NodeJS.ProcessEnv = {}) => ({
    STATUS_PAGES_URL: server.url,
    STATUS_PAGES_KEY: tenant.key,
    ...own,
  });

  /** A call that must succeed. Returns its text. */
  async function prints(...parameters: string[]): Promise<string> {
    const { code, stdout, stderr } = await callCommand(server, envOf(), ...parameters);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  }

  /** A call that must succeed with `--json`. Returns its data. */
  async function json<T>(...parameters: string[]): Promise<T> {
    const stdout = await prints(...parameters, '--json');
    expect(stdout).toMatch(/^[[{].*[\]}]\n$/);
    return JSON.parse(stdout);
  }

  /** A call that must fail with this exit code: no standard output, an error without a stack and without the key. */
  async function fails(code: number, env: NodeJS.ProcessEnv, ...parameters: string[]): Promise<string> {
    const called = await callCommand(server, envOf(env), ...parameters);
    expect([called.code, called.stdout]).toEqual([code, '']);
    expect(called.stderr).toMatch(/^error: /);
    expect(called.stderr).not.toMatch(/\n {4}at /);
    expect(called.stderr).not.toContain(tenant.key);
    return called.stderr;
  }

  return { prints, json, fails };
}

/** HTTP servers that respond in another way than the service. They are closed after each test. */
export function useListener(): (respond: RequestListener) => Promise<string> {
  const closes: (() => void)[] = [];
  afterEach(() => {
    for (const close of closes.splice(0)) close();
  });
  return async (respond) => {
    const listener = createServer(respond).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    closes.push(() => {
      listener.close();
      listener.closeAllConnections();
    });
    const address = listener.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  };
}

/** Splits aligned text into cells. */
export function cells(text: string): string[][] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
}
