import { describe, expect, it } from 'vitest';
import type { ImportFormat } from '../../src/imports/read.js';
import { ImportsService } from '../../src/imports/imports.service.js';
import { parseYaml } from '../../src/imports/yaml.js';
import { MonitorsService } from '../../src/monitors/monitors.service.js';
import { actorIn } from '../support/actors.js';
import { type Tenant, useTestServer } from '../support/server.js';
import { INSTRUCTURE } from './real-statuspages.js';
import { component, file } from './use-components.js';

const server = useTestServer();

const importIn = (tenant: Tenant, format: ImportFormat, input: object, options = {}) =>
  server.app
    .get(ImportsService)
    .importIn(format, actorIn(tenant.organization_id), tenant.project_id, structuredClone(input), options);

/** Imports into a project, by default a new one. Returns the summary, and the names with keys in the order of the page. */
async function keysOf(format: ImportFormat, input: object, of?: Tenant) {
  const tenant = of ?? (await server.tenant());
  const report = await importIn(tenant, format, input);
  const keys = await server.sql<{ name: string; key: string | null }[]>(
    `SELECT monitors.name, monitors.key
       FROM status_pages AS page, jsonb_array_elements(page.sections) WITH ORDINALITY AS section (value, number),
            jsonb_array_elements_text(value -> 'monitor_ids') WITH ORDINALITY AS shown (id, place)
       JOIN monitors ON monitors.id = shown.id::uuid
      WHERE page.id = $1
      ORDER BY number, place`,
    [report.status_page_id],
  );
  return { report, keys: keys.map(({ key }) => key), pairs: keys.map(({ name, key }) => [name, key]) };
}

const named = (...names: string[]) =>
  file(names.map((name, index) => component(`c${index}`, index, null, { name })));

describe('keys of imported monitors', () => {
  it('follow from the names of Statuspage components', async () => {
    const names = ['API', 'Zahlungs-Übersicht', 'CDN / Edge (EU)', 'Статус', '漢字', '🚀', 'a_b--c'];
    const { keys, report } = await keysOf('statuspage', named(...names));
    expect(keys).toEqual(['api', 'zahlungs-uebersicht', 'cdn-edge-eu', 'status', null, null, 'a-b-c']);
    expect(report).toMatchObject({ monitors: 7, monitor_keys: 5 });
  });

  it('differ, and have at most 63 characters', async () => {
    const long = 'x'.repeat(61);
    const names = ['API', 'api', 'Api 2', 'API!', `${long} y z`, `${long} y other`, `${long} y`, 'API'];
    const { keys } = await keysOf('statuspage', named(...names));
    expect(keys).toEqual([
      'api',
      'api-2',
      'api-2-2',
      'api-3',
      `${long}-y`,
      `${long}-2`,
      `${long}-3`,
      'api-4',
    ]);
  });

  it('differ from the keys of the project, so that a file can be imported again', async () => {
    const tenant = await server.tenant();
    const { organization_id, project_id } = tenant;
    const project = { organization_id, project_id };
    await server.app
      .get(MonitorsService)
      .createIn(actorIn(project.organization_id), project.project_id, [{ name: 'Mine', key: 'web' }]);
    const input = named('API', 'Web', 'API');
    expect((await keysOf('statuspage', input, tenant)).keys).toEqual(['api', 'web-2', 'api-2']);
    expect((await keysOf('statuspage', input, tenant)).keys).toEqual(['api-3', 'web-3', 'api-4']);
    expect((await keysOf('statuspage', input)).keys).toEqual(['api', 'web', 'api-2']);
  });

  it('differ after concurrent imports of the same names in different orders', async () => {
    const tenant = await server.tenant();
    const names = ['API', 'Web', 'Mail'];
    await Promise.all(
      Array.from({ length: 24 }, (_, turn) =>
        importIn(tenant, 'statuspage', named(...(turn % 2 ? names : names.toReversed()))),
      ),
    );
    const rows = await server.sql<{ key: string }[]>('SELECT key FROM monitors WHERE project_id = $1', [
      tenant.project_id,
    ]);
    const numbers = ['', ...Array.from({ length: 23 }, (_, index) => `-${index + 2}`)];
    const wanted = ['api', 'web', 'mail'].flatMap((key) => numbers.map((number) => key + number));
    expect(rows.map(({ key }) => key).toSorted()).toEqual(wanted.toSorted());
  });

  it('equal the keys of a dry run, which creates none', async () => {
    const tenant = await server.tenant();
    const foretold = await importIn(tenant, 'statuspage', named('API'), { dry_run: true });
    expect(foretold.monitor_keys).toBe(1);
    expect((await keysOf('statuspage', named('API'), tenant)).keys).toEqual(['api']);
  });

  it('exist for a real Statuspage file', async () => {
    const { pairs, report } = await keysOf('statuspage', INSTRUCTURE);
    expect(report.monitor_keys).toBe(report.monitors);
    expect(pairs).toEqual([
      ['Canvas', 'canvas'],
      ['— Chat', 'chat'],
      ['Website', 'website'],
    ]);
  });

  it('equal the slugs of Upptime, or follow from the names of its sites', async () => {
    const { pairs, report } = await keysOf(
      'upptime',
      parseYaml(
        Buffer.from(`owner: acme
repo: status
sites:
  - name: API
  - { name: API, slug: api-eu }
  - { name: Google, slug: Google_Search }
  - { name: Number, slug: 404 }
  - { name: List, slug: [a] }
  - { name: Empty, slug: "" }
  - { name: Long, slug: ${'s'.repeat(5_000)} }
`),
      ),
    );
    expect(pairs).toEqual([
      ['API', 'api'],
      ['API', 'api-eu'],
      ['Google', 'google-search'],
      ['Number', 'number'],
      ['List', 'list'],
      ['Empty', 'empty'],
      ['Long', 's'.repeat(63)],
    ]);
    expect(report.not_imported).toEqual([]);
  });

  it('contain the group and name of a Gatus endpoint, like its key', async () => {
    const { pairs } = await keysOf(
      'gatus',
      parseYaml(
        Buffer.from(`endpoints:
  - { name: API, group: Core }
  - { name: API, group: Edge (EU) }
  - { name: front-end, group: core_api }
  - { name: blog }
  - { name: API, group: core }
  - { name: "漢字" }
`),
      ),
    );
    expect(pairs).toEqual([
      ['API', 'core-api'],
      ['API', 'edge-eu-api'],
      ['front-end', 'core-api-front-end'],
      ['API', 'core-api-2'],
      ['blog', 'blog'],
      ['漢字', null],
    ]);
  });
});
