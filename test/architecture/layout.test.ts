import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SRC = join(process.cwd(), 'src');

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

const MAX_LINES = 250;

const lines = (path: string): number => readFileSync(join(SRC, path), 'utf8').trimEnd().split('\n').length;

/** The folders of `src/` that each folder imports from, with one file that does. `dto/` belongs to its parent. */
function folderImports(): Map<string, Map<string, string>> {
  const graph = new Map<string, Map<string, string>>();
  for (const path of files) {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(SRC, path), 'utf8'));
    const from = folderOf(path);
    for (const { fileName } of importedFiles) {
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

/** A cycle of folders as a list of `from → to (file)`, or an empty list. */
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
  it('has no import cycle between folders, types included', () => {
    expect(findCycle(folderImports())).toEqual([]);
  });

  it('has no folder that is named for nothing in particular', () => {
    const vague = /(^|\/)(utils?|common|shared|helpers?|misc|lib)(\/|\.ts$)/;
    expect(files.filter((path) => vague.test(path))).toEqual([]);
  });

  it(`has no file over ${MAX_LINES} lines`, () => {
    const long = files.filter((path) => lines(path) > MAX_LINES);
    expect(long).toEqual([]);
  });
});
