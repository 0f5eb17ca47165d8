import { expect } from 'vitest';
import { type Tenant, type TestServer, useTenant, useTestServer } from '../support/server.js';

/** A server with a tenant, and helpers to list its pages. */
export function useLists(): {
  server: TestServer;
  tenant: Tenant;
  projectWith: (count: number) => Promise<{ tenant: Tenant; ids: string[] }>;
  walk: (own: Tenant, limit: number, between?: () => Promise<unknown>) => Promise<string[]>;
} {
  const server = useTestServer();
  const tenant = useTenant(server);

  /** Creates a project of the tenant with some pages. Returns the pages, newest first. */
  async function projectWith(count: number): Promise<{ tenant: Tenant; ids: string[] }> {
    const own = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const ids: string[] = [];
    for (let number = 0; number < count; number++) ids.unshift((await server.page(own)).id);
    return { tenant: own, ids };
  }

  /** Follows `next_cursor` to the end. */
  async function walk(
    own: Tenant,
    limit: number,
    between: () => Promise<unknown> = async () => {},
  ): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const { status, body } = await server.list(own, { limit, ...(cursor && { cursor }) });
      expect(status).toBe(200);
      expect(body.pagination.has_more).toBe(body.pagination.next_cursor !== null);
      ids.push(...body.data.map((page) => String(page.id)));
      cursor = body.pagination.next_cursor;
      await between();
    } while (cursor);
    return ids;
  }

  return { server, tenant, projectWith, walk };
}
