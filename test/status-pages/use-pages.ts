import { beforeAll, expect } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { type Tenant, type TestServer, useTenant, useTestServer, type WirePage } from '../support/server.js';

/**
 * A server with a tenant that has three monitors, and helpers for tests of PATCH.
 *
 * ```ts
 * const { server, tenant, aPage, stored } = usePages();
 * ```
 */
export function usePages(): {
  server: TestServer;
  tenant: Tenant;
  monitors: string[];
  aPage: (name?: string) => Promise<WirePage>;
  stored: (id: string) => Promise<WirePage>;
  expectRefused: (
    page: WirePage,
    patch: unknown,
    ...errors: { code: string; pointer: string }[]
  ) => Promise<void>;
} {
  const server = useTestServer();
  const tenant = useTenant(server);
  const monitors: string[] = [];

  beforeAll(async () => void monitors.push(...(await server.monitors(tenant, 3))));

  /** Creates a page of the tenant. Returns it as the list shows it. */
  async function aPage(name = 'Page'): Promise<WirePage> {
    const [monitor = ''] = monitors;
    const sections = [{ id: 'first', title: 'First', monitor_ids: [monitor] }];
    const { id } = await server.page(tenant, { name, sections });
    return stored(id);
  }

  /** Returns the current page. An empty patch changes nothing. */
  async function stored(id: string): Promise<WirePage> {
    const { status, body } = await server.patch(tenant, id, {});
    expect(status).toBe(200);
    return body.data;
  }

  /** Expects these invalid fields and an unchanged page. */
  async function expectRefused(
    page: WirePage,
    patch: unknown,
    ...errors: { code: string; pointer: string }[]
  ): Promise<void> {
    const { errors: found } = expectProblem(
      await server.patch(tenant, page.id, patch),
      400,
      'validation_failed',
    );
    expect(found.map(({ code, pointer }) => ({ code, pointer }))).toEqual(errors);
    for (const { detail } of found) expect(detail).toMatch(/\w+/);
    expect(await stored(page.id)).toEqual(page);
  }

  return { server, tenant, monitors, aPage, stored, expectRefused };
}
