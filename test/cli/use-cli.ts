import { beforeAll, expect } from 'vitest';
import { onPostgres } from '../support/database.js';
import { type ListPage, useTestServer, type WirePage } from '../support/server.js';

export const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

/** The database, which each call that opens one prints to standard error. */
const DATABASE_LINE = onPostgres
  ? /^database: PostgreSQL at 127\.0\.0\.1:\d+, database "status_pages_test_\w+"\n/
  : /^database: embedded, in \/.*\n/;

/** A server, and calls of the CLI on its database. */
export function useCli() {
  // On the embedded database, every call goes through the server, which runs throughout.
  const server = useTestServer();

  /** A call that must succeed: one JSON object on standard output, and only the database on standard error. */
  async function call<T = Record<string, string> & { monitor_ids: string[]; status_page_ids: string[] }>(
    ...parameters: string[]
  ): Promise<T> {
    const { code, stdout, stderr } = await server.cli(...parameters);
    expect(stderr).toMatch(DATABASE_LINE);
    expect([code, stderr.replace(DATABASE_LINE, '')]).toEqual([0, '']);
    expect(stdout).toMatch(/^\{.*\}\n$/);
    return JSON.parse(stdout);
  }

  /** A call that must fail: no standard output, an error message on standard error, exit code 1. */
  async function expectFault(line: RegExp, ...parameters: string[]): Promise<void> {
    const { code, stdout, stderr } = await server.cli(...parameters);
    expect([code, stdout]).toEqual([1, '']);
    const error = stderr.replace(DATABASE_LINE, '');
    expect(error).toMatch(/^error: [^\n]+\n$/);
    expect(error).toMatch(line);
  }

  /** All items of a list, read page by page. */
  async function listed(limit: number, ...parameters: string[]): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    for (let next: string[] = []; ;) {
      const page = await call<ListPage<Record<string, unknown>>>(
        ...parameters,
        '--limit',
        String(limit),
        ...next,
      );
      items.push(...page.data);
      if (page.pagination.next_cursor === null) return items;
      expect(page.data).toHaveLength(limit);
      next = ['--cursor', page.pagination.next_cursor];
    }
  }

  async function list(
    project: string | undefined,
    key: string | undefined,
  ): Promise<{ status: number; body: ListPage<WirePage> }> {
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await fetch(`${server.url}/v1/status-pages?project_id=${project}&limit=100`, { headers });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }

  return { server, call, expectFault, listed, list };
}

/** The project of a demo without status pages, and its key, created before the tests of a file. */
export function useDemo({ call }: Pick<ReturnType<typeof useCli>, 'call'>): {
  project_id: string;
  key: string;
} {
  const demo = { project_id: '', key: '' };
  beforeAll(async () => {
    const { project_id, key } = await call('demo', '--pages', '0');
    Object.assign(demo, { project_id, key });
  });
  return demo;
}
