import { expect } from 'vitest';
import { Problem } from '../../src/platform/problems/problem.js';
import type { ImportReportDto } from '../../src/imports/dto/import-report.dto.js';
import { ImportsService } from '../../src/imports/imports.service.js';
import { parseYaml } from '../../src/imports/yaml.js';
import { actorIn } from './actors.js';
import { type Tenant, type TestServer, useTestServer, type WirePage } from './server.js';

/** Imports into a new project, and reads the status page as a client; `shown` is titles with names of monitors. */
export async function importOnce(
  server: TestServer,
  run: (tenant: Tenant) => Promise<ImportReportDto>,
): Promise<{
  tenant: Tenant;
  report: ImportReportDto;
  page: WirePage;
  names: Map<string, string>;
  shown: [string, string[]][];
}> {
  const tenant = await server.tenant();
  const report = await run(tenant);
  const { body } = await server.list(tenant);
  expect(body.data).toHaveLength(1);
  const [page] = body.data;
  if (!page) throw new Error('no page');
  expect(page.id).toBe(report.status_page_id);
  const monitors = await server.sql<{ id: string; name: string }[]>(
    'SELECT id, name FROM monitors WHERE project_id = $1',
    [tenant.project_id],
  );
  expect(monitors).toHaveLength(report.monitors);
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  const shown = page.sections.map(({ title, monitor_ids }): [string, string[]] => [
    title,
    monitor_ids.map((id) => names.get(id) ?? 'no monitor'),
  ]);
  return { tenant, report, page, names, shown };
}

/** Expects that a project contains no status page and no monitor. */
export async function expectNothingIn(server: TestServer, { project_id }: Tenant): Promise<void> {
  const [left] = await server.sql<object[]>(
    `SELECT (SELECT count(*)::int FROM monitors WHERE project_id = $1) AS monitors,
            (SELECT count(*)::int FROM status_pages WHERE project_id = $1) AS pages`,
    [project_id],
  );
  expect(left).toEqual({ monitors: 0, pages: 0 });
}

/** Expects an import into a new project to be rejected with these invalid fields, without creating anything. */
export async function expectRefused(
  server: TestServer,
  run: (tenant: Tenant) => Promise<ImportReportDto>,
  ...errors: { pointer: string; code?: string }[]
): Promise<void> {
  const tenant = await server.tenant();
  const refused = run(tenant);
  await expect(refused).rejects.toBeInstanceOf(Problem);
  await expect(refused).rejects.toMatchObject({ code: 'validation_failed', errors });
  await expectNothingIn(server, tenant);
}

/** A server, and imports of YAML files as the command line runs them. */
export function useYamlImports(format: 'gatus' | 'upptime') {
  const server = useTestServer();
  const importing =
    (text: string, options = {}) =>
    (tenant: Tenant) =>
      server.app
        .get(ImportsService)
        .importIn(
          format,
          actorIn(tenant.organization_id),
          tenant.project_id,
          parseYaml(Buffer.from(text)),
          options,
        );
  const imported = (text: string) => importOnce(server, importing(text));
  return { server, importing, imported };
}
