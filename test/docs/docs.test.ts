import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { demoOf, type Program, startProgram } from '../support/process.js';

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

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-docs-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Every curl in a document with the answer that it shows: JSON, or the text of one without a body. */
async function examplesOf(path: string): Promise<{ command: string; kind: string; shown: string }[]> {
  const text = await readFile(path, 'utf8');
  return [...text.matchAll(/```sh\n(curl [^`]*)```\n\n```(json|text)\n([^`]*(?:`[^`]+`[^`]*)*?)```/g)].map(
    ([, command = '', kind = '', shown = '']) => ({ command, kind, shown }),
  );
}

/** Documents name what they make, and use it after: the id in the answer to a POST is in this variable. */
const NAMED: [RegExp, string][] = [
  [/-X POST "[^"]*\/v1\/status-pages"[^]*"Accounts\\"/, 'ACCOUNTS'],
  [/-X POST "[^"]*\/v1\/projects"/, 'MOBILE'],
  [/-X POST "[^"]*\/v1\/monitors"/, 'MONITOR'],
  [/-X POST "[^"]*\/v1\/incidents"/, 'INCIDENT'],
  [/-X POST "[^"]*\/updates"/, 'UPDATE'],
  [/-X POST "[^"]*\/v1\/maintenances"/, 'MAINTENANCE'],
  [/-X POST "[^"]*\/v1\/api-keys"/, 'API_KEY'],
];

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const VOLATILE: [RegExp, string][] = [
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, '<uuid>'],
  [TIME, '<time>'],
  [/^A[A-Za-z0-9_-]{65}$/, '<cursor>'],
  [/^http:\/\/localhost:\d+\/status\/accounts\?preview=pv_[0-9A-Za-z]{46}$/, '<preview>'],
];

/** JSON with what differs from run to run told by its form alone. */
function stable(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' ? (VOLATILE.find(([form]) => form.test(value))?.[1] ?? value) : value,
  );
}

/** The expected value, in which "…" stands for anything. */
function elided(shown: string): unknown {
  return JSON.parse(shown, (_key, value: unknown) => {
    if (value === '…') return expect.anything();
    return typeof value === 'string' ? (VOLATILE.find(([form]) => form.test(value))?.[1] ?? value) : value;
  });
}

/** Every volatile value that a document shows, with the one in its place in the answer of this run. */
function pairsOf(shown: unknown, answered: unknown): [shown: string, answered: string][] {
  if (typeof shown === 'string' && typeof answered === 'string') {
    return VOLATILE.some(([form]) => form.test(shown)) ? [[shown, answered]] : [];
  }
  if (typeof shown !== 'object' || shown === null || typeof answered !== 'object' || answered === null)
    return [];
  const values = new Map<string, unknown>(Object.entries(answered));
  return Object.entries(shown).flatMap(([name, value]) => pairsOf(value, values.get(name)));
}

/** What a document has in two places for one thing, or in one form for two things. */
function confusionsOf(pairs: [shown: string, answered: string][]): string[] {
  const [answeredBy, shownBy] = [new Map<string, string>(), new Map<string, string>()];
  return pairs.flatMap(([shown, answered]) => {
    const [known, knownAs] = [answeredBy.get(shown) ?? answered, shownBy.get(answered) ?? shown];
    answeredBy.set(shown, known);
    shownBy.set(answered, knownAs);
    return [
      ...(known === answered ? [] : [`${shown} is shown for two things`]),
      ...(knownAs === shown ? [] : [`${shown} and ${knownAs} are shown for one thing`]),
    ];
  });
}

/** The times that a document shows in another order than they have. */
function disorderOf(pairs: [shown: string, answered: string][]): string[] {
  const times = pairs
    .filter(([shown]) => TIME.test(shown))
    .toSorted(([one], [other]) => one.localeCompare(other));
  return times.flatMap(([shown, answered], index) => {
    const [before, answeredBefore] = times[index - 1] ?? [shown, answered];
    const right = shown === before ? answered === answeredBefore : answered >= answeredBefore;
    return right ? [] : [`${before} and ${shown}, which are ${answeredBefore} and ${answered}`];
  });
}

describe.each(['README.md', 'docs/api.md'])('the examples in %s', { tags: ['curl'] }, (path) => {
  let server: Program & { url: string };
  let env: Record<string, string>;

  beforeAll(async () => {
    const DATA_DIR = join(directory, path.replaceAll('/', '-'));
    await cp(inject('templateDataDir'), DATA_DIR, { recursive: true });
    server = await startProgram({
      DATA_DIR,
    });
    env = await demoOf(server);
  });
  afterAll(async () => {
    server.kill('SIGTERM');
    await server.exit();
  });

  const pairs: [shown: string, answered: string][] = [];

  it('answer as they are shown', async () => {
    const examples = await examplesOf(path);
    const curls = [...(await readFile(path, 'utf8')).matchAll(/^curl /gm)];
    expect(examples.length).toBe(curls.length);
    expect(examples.length).toBeGreaterThan(2);
    for (const { command, kind, shown } of examples) {
      const here = command
        .replaceAll('http://127.0.0.1:3000', server.url)
        .replaceAll('curl ', 'curl --silent --show-error ');
      const { stdout } = await promisify(execFile)('bash', ['-c', here], { env: { ...process.env, ...env } });
      if (kind === 'text') expect([command, stdout.trim()]).toEqual([command, shown.trim()]);
      else {
        expect([command, stable(stdout)]).toEqual([command, elided(shown)]);
        pairs.push(...pairsOf(JSON.parse(shown), JSON.parse(stdout)));
      }
      const [, variable] = NAMED.find(([pattern]) => pattern.test(command)) ?? [];
      if (variable) env[variable] = JSON.parse(stdout).data.id;
    }
  });

  it('show one id for one thing, another for each other, and times in their order', () => {
    expect(pairs.length).toBeGreaterThan(5);
    expect(confusionsOf(pairs.filter(([shown]) => !TIME.test(shown)))).toEqual([]);
    expect(disorderOf(pairs)).toEqual([]);
  });
});

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
    const { PROBLEMS, FIELD_ERRORS } = await import('../../src/problems/catalogue.js');
    const text = await readFile('docs/api.md', 'utf8');
    for (const code of Object.keys({ ...PROBLEMS, ...FIELD_ERRORS })) expect(text).toContain(`\`${code}\``);
  });
});
