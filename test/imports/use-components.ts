import type { ImportReportDto } from '../../src/imports/dto/import-report.dto.js';
import { ImportsService } from '../../src/imports/imports.service.js';
import { actorIn } from '../support/actors.js';
import { importOnce } from '../support/imports.js';
import { type Tenant, useTestServer } from '../support/server.js';

interface Component {
  id: string;
  name: string;
  position: number;
  group: boolean;
  group_id: string | null;
  description?: string | null;
  [further: string]: unknown;
}

export const group = (id: string, position: number, further: Partial<Component> = {}): Component => ({
  id,
  name: `Group ${id}`,
  position,
  group: true,
  group_id: null,
  ...further,
});

export const component = (
  id: string,
  position: number,
  group_id: string | null,
  further: Partial<Component> = {},
): Component => ({
  id,
  name: `Component ${id}`,
  position,
  group: false,
  group_id,
  ...further,
});

export const file = (components: unknown, name: unknown = 'Example') => ({
  page: { id: 'p1', name },
  components,
});

/** A server, and imports of such files as the CLI runs them. */
export function useComponents() {
  const server = useTestServer();
  const importIn = (tenant: Tenant, input: object, options = {}): Promise<ImportReportDto> =>
    server.app
      .get(ImportsService)
      .importIn(
        'statuspage',
        actorIn(tenant.organization_id),
        tenant.project_id,
        structuredClone(input),
        options,
      );
  /** Imports into a new project. Reads the page as a client. */
  const imported = (input: object) => importOnce(server, (tenant) => importIn(tenant, input));
  return { server, importIn, imported };
}
