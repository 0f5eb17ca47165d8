import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examplesOf } from './examples.js';

const DECISIONS = readdirSync('docs/decisions').map((name) => `docs/decisions/${name}`);

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/adding-a-module.md',
  'docs/api.md',
  'docs/architecture.md',
  'docs/backup.md',
  'docs/cli.md',
  'docs/database.md',
  ...DECISIONS,
  'docs/dependencies.md',
  'docs/deploying.md',
  'docs/glossary.md',
  'docs/migrations.md',
  'docs/nestjs.md',
  'docs/observability.md',
  'docs/operating.md',
  'docs/performance.md',
  'docs/public-page.md',
  'docs/reliability.md',
  'docs/scaling.md',
  'docs/security.md',
  'docs/spec.md',
  'docs/upgrading.md',
];

describe('docs/api.md', () => {
  it('shows every operation with curl and answer', async () => {
    const { paths }: { paths: Record<string, object> } = JSON.parse(await readFile('openapi.json', 'utf8'));
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const shown = (await examplesOf('docs/api.md')).map(({ command }) => {
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

describe('the documents', () => {
  it('are these', async () => {
    const inDocs = await readdir('docs', { recursive: true });
    const found = [...(await readdir('.')), ...inDocs.map((name) => `docs/${name}`)];
    expect(found.filter((name) => name.endsWith('.md')).toSorted()).toEqual(DOCUMENTS.toSorted());
  });

  it.each(DOCUMENTS)('link only to what is there: %s', async (path) => {
    const text = await readFile(path, 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(await readFile(join(path, '..', target), 'utf8')).toBeTruthy();
    }
    expect(text.length).toBeGreaterThan(100);
  });

  it.each(DOCUMENTS.filter((path) => path !== 'CHANGELOG.md'))(
    'name only source files that exist: %s',
    async (path) => {
      const text = await readFile(path, 'utf8');
      const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.ts)`/g)].map(([, name = '']) => name);
      const real = named.filter((name) => !name.includes('announcement')); // the example of docs/adding-a-module.md
      expect(real.filter((name) => !existsSync(name) && !existsSync(join('src', name)))).toEqual([]);
    },
  );

  it('give every dependency its reason', async () => {
    const { dependencies, devDependencies }: Record<'dependencies' | 'devDependencies', object> = JSON.parse(
      await readFile('package.json', 'utf8'),
    );
    const text = await readFile('docs/dependencies.md', 'utf8');
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      expect(text).toContain(name.startsWith('@types/') ? '`@types/*`' : `\`${name}\``);
    }
  });

  it('say of every error code and every field code what they say of the others: that it is there', async () => {
    const { PROBLEMS, FIELD_ERRORS } = await import('../../src/platform/problems/catalogue.js');
    const text = await readFile('docs/api.md', 'utf8');
    for (const code of Object.keys({ ...PROBLEMS, ...FIELD_ERRORS })) expect(text).toContain(`\`${code}\``);
  });
});
