import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examplesOf } from './examples.js';

const API = readdirSync('docs/api').map((name) => `docs/api/${name}`);

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Returns the anchors of the headings in a document. */
async function anchorsOf(path: string): Promise<string[]> {
  const prose = (await readFile(path, 'utf8')).replaceAll(/```[^]*?```/g, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('docs/api', () => {
  it('contains these documents', () => {
    for (const name of ['overview', 'status-pages', 'incidents', 'monitors', 'keys-and-imports'])
      expect(API).toContain(`docs/api/${name}.md`);
  });

  it('starts every document with an example', async () => {
    for (const path of API) expect(await readFile(path, 'utf8')).toMatch(/^# [^\n]+\n\n```sh\ncurl /);
  });

  it('shows every operation with curl and its response', async () => {
    const { paths }: { paths: Record<string, object> } = JSON.parse(await readFile('openapi.json', 'utf8'));
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const examples = await Promise.all(API.map((path) => examplesOf(path)));
    const shown = examples.flat().map(({ command }) => {
      const [, method = 'GET'] = /-X (\w+)/.exec(command) ?? [];
      const [, path = ''] = /127\.0\.0\.1:3000(\/[^?"\s]*)/.exec(command) ?? [];
      const template = Object.keys(paths).find((one) =>
        new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
      );
      return `${method} ${template}`;
    });
    const health = ['GET /health/live', 'GET /health/ready'];
    expect([...new Set([...shown, ...health])].toSorted()).toEqual(operations.toSorted());
  });
});

describe('documents', () => {
  it('include every document of the project directory', async () => {
    const found = (await readdir('.')).filter((name) => name.endsWith('.md'));
    expect(found.toSorted()).toEqual(DOCUMENTS.filter((path) => !path.includes('/')).toSorted());
  });

  it('can be reached from docs/index.md', async () => {
    const reached = new Set(['docs/index.md']);
    for (const path of reached) {
      const links = (await readFile(path, 'utf8')).matchAll(/\]\((?!https?:)([^)#]+\.md)/g);
      for (const [, target = ''] of links) reached.add(join(path, '..', target));
    }
    expect(DOCUMENTS.filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
  });

  it.each(DOCUMENTS)('link only to existing targets: %s', async (path) => {
    const text = await readFile(path, 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(await readFile(join(path, '..', target), 'utf8')).toBeTruthy();
    }
    expect(text.length).toBeGreaterThan(100);
  });

  it.each(DOCUMENTS)('link only to existing headings: %s', async (path) => {
    for (const [, target = '', anchor = ''] of (await readFile(path, 'utf8')).matchAll(
      /\]\((?!https?:)([^)#]*)#([^)]+)\)/g,
    ))
      expect(await anchorsOf(target ? join(path, '..', target) : path)).toContain(anchor);
  });

  it.each(DOCUMENTS.filter((path) => path !== 'CHANGELOG.md'))(
    'name only existing source files: %s',
    async (path) => {
      const text = await readFile(path, 'utf8');
      const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.ts)`/g)].map(([, name = '']) => name);
      const real = named.filter((name) => !name.includes('announcement')); // the example of docs/adding-a-module.md
      expect(
        real.filter((name) => !['', 'src', 'test'].some((root) => existsSync(join(root, name)))),
      ).toEqual([]);
    },
  );

  it('show every picture, each smaller than 60 kB', async () => {
    const texts = await Promise.all(DOCUMENTS.map((path) => readFile(path, 'utf8')));
    for (const name of await readdir('docs/pictures')) {
      expect(texts.filter((text) => text.includes(`pictures/${name}`))).not.toEqual([]);
      expect([name, (await stat(join('docs/pictures', name))).size < 60_000]).toEqual([name, true]);
    }
  });

  it('give the reason for every dependency', async () => {
    const { dependencies, devDependencies }: Record<'dependencies' | 'devDependencies', object> = JSON.parse(
      await readFile('package.json', 'utf8'),
    );
    const text = await readFile('docs/dependencies.md', 'utf8');
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      expect(text).toContain(name.startsWith('@types/') ? '`@types/*`' : `\`${name}\``);
    }
  });

  it('contain every error code and every field code', async () => {
    const { PROBLEMS, FIELD_ERRORS } = await import('../../src/platform/problems/catalogue.js');
    const text = await readFile('docs/api/overview.md', 'utf8');
    for (const code of Object.keys({ ...PROBLEMS, ...FIELD_ERRORS })) expect(text).toContain(`\`${code}\``);
  });
});
