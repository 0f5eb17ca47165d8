import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SRC = join(process.cwd(), 'src');

const NAMES = readdirSync('packages');

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

const MAX_LINES = 250;

const lines = (path: string): number => readFileSync(join(SRC, path), 'utf8').trimEnd().split('\n').length;

/** The imports of a file. */
function importsOf(path: string): string[] {
  return ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles.map(({ fileName }) => fileName);
}

/** The imports in a directory that leave it by a relative path, as `file: import`. */
function importsBeyond(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => importsOf(join(folder, path)).map((name) => ({ path, name })))
    .filter(({ path, name }) => name.startsWith('.') && join(dirname(path), name).startsWith('..'))
    .map(({ path, name }) => `${path}: ${name}`);
}

/**
 * The directories of `src/` that each directory imports from, with one importing file. `dto/` belongs to its parent.
 */
function folderImports(): Map<string, Map<string, string>> {
  const graph = new Map<string, Map<string, string>>();
  for (const path of files) {
    const from = folderOf(path);
    for (const fileName of importsOf(join(SRC, path))) {
      if (!fileName.startsWith('.')) continue;
      const to = folderOf(relative(SRC, join(SRC, dirname(path), fileName)));
      if (to === from) continue;
      const edges = graph.get(from) ?? new Map<string, string>();
      graph.set(from, edges.set(to, path));
    }
  }
  return graph;
}

function folderOf(path: string): string {
  return dirname(path).replace(/\/dto$/, '');
}

/** A cycle of directories as a list of `from → to (file)`, or an empty list. */
function findCycle(graph: Map<string, Map<string, string>>): string[] {
  const done = new Set<string>();
  const visit = (folder: string, way: string[]): string[] => {
    if (way.includes(folder)) {
      const cycle = [...way.slice(way.indexOf(folder)), folder];
      return cycle.slice(1).map((to, index) => {
        const from = cycle[index] ?? '';
        return `${from} → ${to} (${graph.get(from)?.get(to)})`;
      });
    }
    if (done.has(folder)) return [];
    for (const to of graph.get(folder)?.keys() ?? []) {
      const found = visit(to, [...way, folder]);
      if (found.length > 0) return found;
    }
    done.add(folder);
    return [];
  };
  for (const folder of graph.keys()) {
    const found = visit(folder, []);
    if (found.length > 0) return found;
  }
  return [];
}

describe('src/', () => {
  it('contains no import cycle between directories, including types', () => {
    expect(findCycle(folderImports())).toEqual([]);
  });

  it('contains no import of the domain in platform/', () => {
    const wrong = [...folderImports()].flatMap(([from, edges]) =>
      [...edges].filter(([to]) => from.startsWith('platform') && !to.startsWith('platform')),
    );
    expect(wrong).toEqual([]);
  });

  it('contains no directory with an unspecific name', () => {
    const vague = /(^|\/)(utils?|common|shared|helpers?|misc|lib)(\/|\.ts$)/;
    expect(files.filter((path) => vague.test(path))).toEqual([]);
  });

  it(`contains no file over ${MAX_LINES} lines`, () => {
    const long = files.filter((path) => lines(path) > MAX_LINES);
    expect(long).toEqual([]);
  });
});

describe('packages/', () => {
  it.each(NAMES)('%s imports no file outside of the package', (name) => {
    for (const folder of ['src', 'test'])
      expect(importsBeyond(join('packages', name, folder)).filter((path) => !isOwn(path))).toEqual([]);
  });

  it('exports each package only by its name', () => {
    expect(importsBeyond('src')).toEqual([]);
  });

  it('exports packages only to platform/ and the listed domain files', () => {
    const imports = files.flatMap((path) => importsOf(join(SRC, path)).map((name) => ({ path, name })));
    const ofDomain = imports.filter(
      ({ path, name }) => name.startsWith('@status-pages/') && !path.startsWith('platform/'),
    );
    expect(ofDomain.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: 'branding/images/image-reader.ts', name: '@status-pages/fair-admission' },
      { path: 'checks/check-runs.controller.ts', name: '@status-pages/fair-admission' },
      { path: 'cli/run-cli.ts', name: '@status-pages/resilient-pg' },
      { path: 'domains/domain-file.ts', name: '@status-pages/resilient-pg' },
      { path: 'domains/domains.controller.ts', name: '@status-pages/fair-admission' },
      { path: 'imports/reader-threads.ts', name: '@status-pages/fair-admission' },
      { path: 'manage/sign-in-oidc.controller.ts', name: '@status-pages/fair-admission' },
      { path: 'standby.ts', name: '@status-pages/resilient-pg' },
      { path: 'visitors/cache/saved-copies.ts', name: '@status-pages/resilient-pg' },
      { path: 'webhooks/webhook-messages.controller.ts', name: '@status-pages/fair-admission' },
    ]);
  });

  it.each(NAMES)('%s is installed, built and part of the image', (name) => {
    const read = (path: string) => readFileSync(path, 'utf8');
    const { dependencies } = JSON.parse(read('package.json'));
    const { version } = JSON.parse(read(`packages/${name}/package.json`));
    expect(dependencies).toMatchObject({ [`@status-pages/${name}`]: version });
    expect(read('tsconfig.build.json')).toContain(`{ "path": "packages/${name}" }`);
    expect(read('Dockerfile')).toContain(`\nCOPY packages/${name}/package.json packages/${name}/\n`);
    expect(read('Dockerfile')).toContain(
      `\nCOPY --from=build /app/packages/${name}/dist packages/${name}/dist\n`,
    );
  });
});

/** Tests import the source of their package. */
function isOwn(path: string): boolean {
  return path.includes(': ../src/');
}
