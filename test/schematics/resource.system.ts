import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Files that a copy of the project omits. It contains the build, so that only what changes is compiled. */
const LEFT_OUT = new Set(['.git', 'data', 'node_modules', 'reports']);

/** The tests that cover every resource, and the tests that the command creates. */
const TESTS = [
  'test/announcements',
  'test/architecture',
  'test/auth',
  'test/client/client.test.ts',
  'test/database/schema.test.ts',
  'test/docs/docs.test.ts',
  'test/fuzz/mass-assignment.test.ts',
  'test/idempotency/every-post.test.ts',
  'test/maintenance-notes',
  'test/members/roles.test.ts',
  'test/openapi',
  'test/policies',
  'test/public-page/any-field.test.ts',
  'test/public-page/feeds/any-text.test.ts',
  'test/public-page/languages/words.test.ts',
];

/** Tests that cover each resource separately. Only tests of generated resources run. */
const TESTS_OF_EACH = ['test/resources'];

/** Matches the names of tests of generated resources. */
const GENERATED = 'all appear|[Aa]nnouncement|[Mm]aintenance[-_]?[Nn]ote|[Pp]olic(y|ies)';

let copy: string;

/** Files in `node_modules` that are not linked: relative links into the copy, and caches, which the generated code changes. */
const NOT_LINKED = new Set(['@status-pages', '.cache']);

/** Links the installed packages. Packages of the workspace have relative links, which point into the copy. */
async function linkPackages(): Promise<void> {
  const own = join('node_modules', '@status-pages');
  await cp(own, join(copy, own), { recursive: true, verbatimSymlinks: true });
  for (const name of await readdir('node_modules'))
    if (!NOT_LINKED.has(name)) await symlink(resolve('node_modules', name), join(copy, 'node_modules', name));
}

/** Runs a program in the copy. Returns its output, or throws an error with the output. */
async function expectRun(program: string, ...parameters: string[]): Promise<string> {
  // Without the variables that this test run has set for itself.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_)/.test(name));
  const env = { ...Object.fromEntries(inherited), CI: '', NO_COLOR: '1' };
  const options = { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 };
  const running = promisify(execFile)(program, parameters, options);
  const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${program} ${parameters.join(' ')}\n${error.stdout}${error.stderr}`);
  });
  // `nest` writes colors on Node.js 20, despite NO_COLOR.
  return stripVTControlCharacters(stdout + stderr);
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'status-pages-generated-'));
  for (const name of await readdir('.'))
    if (!LEFT_OUT.has(name)) await cp(name, join(copy, name), { recursive: true });
  await linkPackages();
});
afterAll(() => rm(copy, { recursive: true, force: true }));

describe('nest generate', { timeout: 900_000 }, () => {
  it('creates resources of projects and status pages that pass every check unchanged', async () => {
    const created: string[] = [];
    for (const [schematic, name, directory] of [
      ['shown-resource', 'announcements', 'announcements'],
      ['page-resource', 'maintenance-notes', 'maintenance-notes'],
      ['resource', 'policy', 'policies'],
    ] as const) {
      const output = await expectRun('npx', 'nest', 'generate', schematic, name);
      expect(output).toContain(`CREATE src/${directory}/`); // `nest` exits with 0 also if the schematic has failed
      created.push(output);
    }
    const changed = new Set(
      [...created.join('\n').matchAll(/^(?:CREATE|UPDATE) (\S+)/gm)].map(([, path = '']) => path),
    );
    expect(changed.size).toBeGreaterThan(30);
    await expectRun('npm', 'run', 'contract');
    for (const check of ['lint', 'typecheck']) await expectRun('npm', 'run', check);
    await expectRun('npx', 'prettier', '--check', '--log-level', 'warn', ...changed);
    await expectRun('npx', 'vitest', 'run', '--maxWorkers=1', ...TESTS);
    await expectRun('npx', 'vitest', 'run', '--maxWorkers=1', ...TESTS_OF_EACH, '-t', GENERATED);
    const examples = ['--config', 'vitest.system.config.ts', 'test/docs/examples.system.ts'];
    // The other documents are tested without generated resources.
    await expectRun('npx', 'vitest', 'run', '--maxWorkers=1', ...examples, '-t', GENERATED);
  });

  it('changes only the files that it lists', async () => {
    const names = { path: 'docs/api/keys-and-imports.md', resource: 'page-notes' };
    const before = await readFile(join(copy, names.path), 'utf8');
    const output = await expectRun('npx', 'nest', 'generate', 'page-resource', names.resource, '--dry-run');
    expect(output).not.toContain(names.path);
    expect(await readFile(join(copy, names.path), 'utf8')).toBe(before);
  });

  it('changes nothing for an existing resource', async () => {
    const output = await expectRun('npx', 'nest', 'generate', 'resource', 'monitor');
    expect(output).toContain('src/monitors already exists');
  });

  it('lets npm test print only the compiler errors of code that does not compile', async () => {
    const path = join(copy, 'src/broken.ts');
    await writeFile(path, `export const broken: number = 'text';\n`);
    try {
      const output = await expectRun('npx', 'vitest', 'run', 'test/validation').catch(
        ({ message }: Error) => message,
      );
      expect(output).toContain(
        "src/broken.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'",
      );
      expect(output).not.toMatch(/No test files|charCodeAt/);
    } finally {
      await rm(path);
    }
  });

  it('still supports the schematics of NestJS', async () => {
    await expectRun('npx', 'nest', 'generate', 'service', 'clock');
    expect(await readFile(join(copy, 'src/clock/clock.service.ts'), 'utf8')).toContain('class ClockService');
  });
});
