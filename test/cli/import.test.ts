import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFile } from '../../src/cli/read-file.js';
import { parseYaml } from '../../src/imports/yaml.js';
import { parseJson } from '../../src/platform/validation/body.js';
import { useCli, useDemo } from './use-cli.js';

const { call, expectFault, list } = useCli();
const demo = useDemo({ call });
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-cli-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('cli import', () => {
  it('statuspage creates a status page from a file', async () => {
    const path = join(directory, 'components.json');
    const components = [{ id: 'c1', name: 'API', position: 1, group: false, group_id: null }];
    await writeFile(path, JSON.stringify({ page: { name: 'Imported' }, components }));
    const report = await call('import', 'statuspage', path, '--project', demo.project_id);
    expect(report).toMatchObject({
      sections: 1,
      monitors: 1,
      name: 'Imported',
      slug: 'imported',
      not_imported: [],
    });
    const { body } = await list(demo.project_id, demo.key);
    expect(body.data.map(({ id }) => id)).toEqual([report['status_page_id']]);
  });

  it('upptime and gatus create a status page, except with --dry-run', async () => {
    const project = await call('project', 'create', '--name', 'Imports');
    const upptime = join(directory, '.upptimerc.yml');
    const gatus = join(directory, 'config.yaml');
    await writeFile(upptime, 'status-website: { name: Of Upptime, cname: up.example }\nsites: [{ name: a }]');
    await writeFile(gatus, 'ui: { title: Of Gatus }\nendpoints: [{ name: a, group: b, url: c }]');
    const into = ['--project', String(project['id'])];
    const foretold = await call('import', 'upptime', upptime, ...into, '--dry-run');
    expect(foretold).toMatchObject({ dry_run: true, status_page_id: null, slug: 'of-upptime', monitors: 1 });
    const first = await call('import', 'upptime', upptime, ...into);
    expect(first).toMatchObject({ dry_run: false, slug: 'of-upptime', custom_domain: 'up.example' });
    const second = await call('import', 'gatus', gatus, ...into);
    expect(second).toMatchObject({ slug: 'of-gatus', not_imported: ['endpoints.url'] });
    const key = await call('api-key', 'create', '--name', 'Reader', '--scope', 'status_pages:read', ...into);
    const { body } = await list(project['id'], key['key']);
    expect(body.data.map(({ id }) => id)).toEqual([second['status_page_id'], first['status_page_id']]);
    await expectFault(
      /Another status page already uses the custom domain in the file/,
      'import',
      'upptime',
      upptime,
      ...into,
    );
  });
});

describe('invalid cli import', () => {
  it('fails for a file in another format', async () => {
    const path = join(directory, 'bad.json');
    await writeFile(path, '{"page":{"name":"x"},"components":[{}]}');
    const line = /components\/0\/id is required; components\/0\/name is required/;
    await expectFault(line, 'import', 'statuspage', path, '--project', demo.project_id);
  });

  it('fails for a file that is not YAML', async () => {
    const path = join(directory, 'bad.yaml');
    await writeFile(path, 'endpoints:\n  - name: a\n    name: b\n');
    const line = /bad\.yaml: Line 3, column 5: duplicated mapping key/;
    await expectFault(line, 'import', 'gatus', path, '--project', demo.project_id);
  });

  it.each([
    {
      kind: 'JSON object',
      parse: parseJson,
      empty: 'The text is empty',
      notUtf8: [0x22, 0xff, 0x22],
      list: '[]',
      notObject: 'The top level must be a JSON object',
      good: '{"a":1}',
    },
    {
      kind: 'YAML mapping',
      parse: parseYaml,
      empty: 'expected a document',
      notUtf8: [0x61, 0x3a, 0x20, 0xff],
      list: '- a',
      notObject: 'The top level must be a mapping',
      good: 'a: 1',
    },
  ])('fails for a file that is missing, too large, or not $kind', async ({ parse, ...file }) => {
    const path = join(directory, 'none');
    const reading = async (content: string | Buffer) => {
      await writeFile(path, content);
      return readFile(path, parse);
    };
    await expect(reading('')).rejects.toThrow(file.empty);
    await expect(reading(Buffer.from(file.notUtf8))).rejects.toThrow('The text contains invalid UTF-8');
    await expect(reading(file.list)).rejects.toThrow(file.notObject);
    await expect(reading(' '.repeat(5 * 1024 * 1024 + 1))).rejects.toThrow('the maximum is 5242880');
    await expect(readFile('/dev/zero', parse)).rejects.toThrow('the maximum is 5242880');
    await expect(reading(`\ufeff${file.good}`)).resolves.toEqual({ a: 1 });
    await expect(readFile(join(directory, 'missing'), parse)).rejects.toThrow('cannot be read: ENOENT');
    await expect(readFile(directory, parse)).rejects.toThrow('cannot be read: EISDIR');
  });
});
