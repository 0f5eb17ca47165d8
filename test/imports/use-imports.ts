import { expect } from 'vitest';
import type { ImportReportDto } from '../../src/imports/dto/import-report.dto.js';
import {
  type Answer,
  type Ask,
  type One,
  type Tenant,
  type TestServer,
  useTestServer,
} from '../support/server.js';

// One page with two monitors, in each format.
export const STATUSPAGE = JSON.stringify({
  page: { id: 'p', name: 'Acme' },
  components: [
    { id: 'g', name: 'Core', position: 1, group: true, group_id: null },
    { id: 'a', name: 'API', position: 2, group: false, group_id: 'g' },
    { id: 'b', name: 'API', position: 1, group: false, group_id: 'g', status: 'operational' },
  ],
});
export const UPPTIME = 'sites:\n  - name: API\n  - name: API\nstatus-website:\n  name: Acme\n';
export const GATUS =
  'endpoints:\n  - { name: API, group: Core }\n  - { name: API, group: Core }\nui: { title: Acme }\n';

/** A server, and files sent to it, each by a new tenant. `tenant` is the tenant of the last file. */
export function useImports(): {
  server: TestServer;
  tenant: Tenant;
  send: (
    format: string,
    type: string,
    body: string | Uint8Array,
    query?: string,
    ask?: Ask,
  ) => Promise<Answer<One<ImportReportDto>>>;
  expectNothing: () => Promise<void>;
} {
  const server = useTestServer();
  const tenant: Tenant = { organization_id: '', project_id: '', key: '', key_id: '' };

  async function send(
    format: string,
    type: string,
    body: string | Uint8Array,
    query = '',
    ask: Ask = {},
  ): Promise<Answer<One<ImportReportDto>>> {
    Object.assign(tenant, await server.tenant());
    return server.ask<One<ImportReportDto>>(`/v1/imports/${format}?project_id=${tenant.project_id}${query}`, {
      method: 'POST',
      key: tenant.key,
      body,
      headers: { 'Content-Type': type },
      ...ask,
    });
  }

  async function expectNothing(): Promise<void> {
    expect((await server.list(tenant)).body.data).toEqual([]);
    const monitors = await server.ask(`/v1/monitors?project_id=${tenant.project_id}`, { key: tenant.key });
    expect(monitors.body.data).toEqual([]);
  }

  return { server, tenant, send, expectNothing };
}
