import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MISTAKES, PACKAGE, REQUIRED, RIGHT, WRONG_START } from '../support/client-code.js';
import { type Tenant, useTestServer } from '../support/server.js';

const CLIENT = 'clients/typescript';
/**
 * The dependencies of the client and the types of Node.js, installed from node_modules, so that no test needs the
 * network.
 */
const NEEDED = ['commander', 'openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'];
const TSC = resolve('node_modules/typescript/bin/tsc');
const MODULES = ['dry-run', 'error', 'index', 'list', 'retry', 'schema', 'webhook'];
/** Modules of the command, which have no types. */
const COMMAND = readdirSync(`${CLIENT}/src/cli`).map((name) => name.replace('.ts', ''));

const NODE = { module: 'nodenext', lib: ['es2023'] };
/**
 * Compiler options of integrators: of Node.js, of bundlers, and of CommonJS projects before TypeScript 6. Strictest
 * first.
 */
const OPTIONS = {
  module: [
    { ...NODE, skipLibCheck: false },
    { ...NODE, skipLibCheck: true },
    {
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom', 'dom.iterable'],
      skipLibCheck: true,
    },
  ],
  commonjs: [
    { ...NODE, skipLibCheck: false },
    { ...NODE, skipLibCheck: true },
    { module: 'commonjs', moduleResolution: 'bundler', skipLibCheck: true },
    {
      module: 'commonjs',
      moduleResolution: 'node10',
      esModuleInterop: false,
      ignoreDeprecations: '6.0',
      skipLibCheck: false,
    },
  ],
};

let directory: string;
const server = useTestServer();
let tenant: Tenant;
let env: Record<string, string | undefined>;

/** The environment without the options of the npm that runs the tests, which would apply to every npm below it. */
const ownEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

async function manifest(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(`${CLIENT}/package.json`, 'utf8'));
}

async function run(file: string, parameters: string[], cwd = '.'): Promise<string> {
  return (await promisify(execFile)(file, parameters, { cwd, env })).stdout;
}

/** Compiles into `outDir`. Returns the errors as `file:line`. */
async function compile(
  cwd: string,
  outDir: string,
  compilerOptions: Record<string, unknown>,
): Promise<string[]> {
  const always = { target: 'es2023', strict: true, types: ['node'], outDir };
  const files = (await readdir(cwd)).filter((name) => /\.c?ts$/.test(name));
  const config = { compilerOptions: { ...always, ...compilerOptions }, files };
  await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify(config));
  const output = await run(TSC, ['--pretty', 'false'], cwd).catch(({ stdout }: { stdout: string }) => stdout);
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
  return lines.map((line) => /^(.+)\((\d+),\d+\): error TS\d+/.exec(line)?.slice(1).join(':') ?? line);
}

/**
 * A project of an integrator. It finds the client and its dependencies in the `node_modules` of the parent directory.
 */
async function consumer(name: string, type: 'module' | 'commonjs'): Promise<string> {
  const cwd = join(directory, name);
  await mkdir(cwd);
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ type }));
  return cwd;
}

async function install(): Promise<void> {
  await writeFile(join(directory, 'package.json'), '{}');
  const tarball = (await readdir(directory)).find((file) => file.endsWith('.tgz'));
  const needed = NEEDED.map((name) => resolve('node_modules', name));
  const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--install-links'];
  await run('npm', ['install', ...flags, `./${tarball}`, ...needed], directory);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-client-'));
  tenant = await server.tenant();
  for (const name of ['First', 'Second']) await server.page(tenant, { name });
  env = {
    ...ownEnv,
    npm_config_cache: join(directory, 'cache'),
    STATUS_PAGES_URL: server.url,
    KEY: tenant.key,
    PROJECT: tenant.project_id,
  };
  await run('npm', ['pack', '--workspace', CLIENT, '--pack-destination', directory]);
  await install();
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe.each([
  ['ES modules', 'module', 'esm'],
  ['CommonJS', 'commonjs', 'cjs'],
] as const)('packed client, installed in a project of %s,', (_name, type, folder) => {
  let cwd: string;
  const compiled: Promise<string[]>[] = [];
  /** The errors with one of the options. Each is compiled once, into a directory with its number. */
  const errorsWith = (index: number) =>
    (compiled[index] ??= compile(cwd, String(index), { ...OPTIONS[type][index] }));

  beforeAll(async () => {
    cwd = await consumer(type, type);
    await writeFile(join(cwd, 'right.ts'), RIGHT);
    if (type === 'commonjs') await writeFile(join(cwd, 'required.cts'), REQUIRED);
    await writeFile(join(cwd, 'wrong.ts'), WRONG_START + Object.values(MISTAKES).join('\n'));
  });

  it.each(OPTIONS[type].map((options, index) => [options, index] as const))(
    'compiles correct code and reports each error at its line: %j',
    async (_options, number) => {
      const errors = await errorsWith(number);
      const first = WRONG_START.split('\n').length;
      const mistakes = Object.keys(MISTAKES).map((name, index) => `${name}: wrong.ts:${first + index}`);
      const named = errors.map((at) => mistakes.find((name) => name.endsWith(`: ${at}`)) ?? at);
      expect([...new Set(named)]).toEqual(mistakes);
    },
  );

  it('runs the compiled code against a server', async () => {
    await errorsWith(0);
    expect(JSON.parse(await run(process.execPath, ['0/right.js'], cwd))).toEqual({
      names: ['Second', 'First'],
      scope: 'status_pages:read',
      project: tenant.project_id,
      code: 'not_found',
    });
    // Node.js can also require an ES module, but CommonJS must not depend on it.
    const where = type === 'module' ? `import.meta.resolve('${PACKAGE}')` : `require.resolve('${PACKAGE}')`;
    const script = `process.stdout.write(${where})`;
    expect(await run(process.execPath, [`--input-type=${type}`, '--eval', script], cwd)).toContain(
      `/node_modules/${PACKAGE}/dist/${folder}/index.js`,
    );
  });
});

describe('packed client', () => {
  it('consists of these files', async () => {
    const { version } = await manifest();
    const tarball = `status-pages-client-${version}.tgz`;
    const listed = await run('tar', ['-tzf', join(directory, tarball)]);
    const files = listed.trim().replaceAll('package/', '').split('\n');
    const built = ['cjs', 'esm'].flatMap((folder) =>
      MODULES.flatMap((module) => [`dist/${folder}/${module}.d.ts`, `dist/${folder}/${module}.js`]),
    );
    const expected = [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
      'bin/status-pages.js',
      'dist/cjs/package.json',
      ...built,
      ...COMMAND.map((module) => `dist/esm/cli/${module}.js`),
    ];
    expect(files.toSorted()).toEqual(expected.toSorted());
    expect(await readFile(`${CLIENT}/LICENSE`, 'utf8')).toBe(await readFile('LICENSE', 'utf8'));
    expect(await readFile(`${CLIENT}/README.md`, 'utf8')).toContain(tarball);
  });

  it('contains the fields that a registry requires', async () => {
    expect(await manifest()).toMatchObject({
      name: PACKAGE,
      license: 'MIT',
      sideEffects: false,
      // A registry then shows the commit that it was built from. Publishing works only in CI.
      publishConfig: { access: 'public', provenance: true },
    });
    expect(await manifest()).not.toHaveProperty('private');
  });

  it('uses a semantic version and lists each version in its changelog', async () => {
    const { version } = await manifest();
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
    const changelog = await readFile(`${CLIENT}/CHANGELOG.md`, 'utf8');
    const versions = Array.from(changelog.matchAll(/^## \[(.+)\]/gm), ([, name]) => name);
    expect(versions.slice(0, 2)).toEqual(['Unreleased', version]);
  });

  it('names the document that its types are generated from', async () => {
    const document = await readFile('openapi.json', 'utf8');
    const sha256 = createHash('sha256').update(document).digest('hex');
    const types = 'node_modules/@status-pages/client/dist/esm/schema.d.ts';
    expect(await readFile(join(directory, types), 'utf8')).toContain(sha256);
  });
});

describe('command of the packed client', () => {
  it('publishes an incident from nothing to resolved, in an empty directory', async () => {
    const own = await server.tenant();
    const { version } = await manifest();
    const cwd = await mkdtemp(join(directory, 'empty-'));
    const variables = { ...env, STATUS_PAGES_URL: server.url, STATUS_PAGES_KEY: own.key };
    // A real project would download the dependencies.
    const packages = [
      join(directory, `status-pages-client-${version}.tgz`),
      resolve('node_modules/commander'),
    ];
    const needed = NEEDED.slice(1, 3).map((name) => resolve('node_modules', name));
    await run(
      'npm',
      ['install', '--offline', '--no-audit', '--no-fund', '--install-links', ...packages, ...needed],
      cwd,
    );
    const call = async (...parameters: string[]) =>
      (
        await promisify(execFile)('npx', ['--offline', 'status-pages', ...parameters], {
          cwd,
          env: variables,
        })
      ).stdout;
    await call('monitor', 'add', 'API', '--key', 'api');
    await call('page', 'create', 'Packed', '--slug', 'packed', '--monitor', 'api');
    const affected = ['--monitor', 'api=major_outage', '--page', 'packed'];
    const opened = JSON.parse(await call('incident', 'open', 'API is down', ...affected, '--json'));
    expect(opened).toMatchObject({ title: 'API is down', impact: 'critical', resolved_at: null });
    expect(await call('status')).toMatch(/\nSystems {2}API {6}major_outage\n/);
    await call('incident', 'resolve');
    expect(await server.client(own.key).incidents.get(opened.id)).toMatchObject({ status: 'resolved' });
    expect(await call('--version')).toBe(`${version}\n`);
  });

  it('keeps its modules out of the library', async () => {
    const modules = ['dist/esm', 'dist/cjs'].flatMap((folder) =>
      MODULES.map((module) => join(directory, 'node_modules/@status-pages/client', folder, `${module}.js`)),
    );
    for (const module of modules) expect(await readFile(module, 'utf8')).not.toMatch(/cli\/|commander|node:/);
  });
});

describe('README of the client', () => {
  it('contains a sample that compiles and runs unchanged, also as JavaScript', async () => {
    const readme = await readFile(`${CLIENT}/README.md`, 'utf8');
    const [, sample = ''] = /```ts\n([^`]*(?:`[^`]+`[^`]*)*?)```/.exec(readme) ?? [];
    const [, command = ''] = /^(npx tsc .*)$/m.exec(readme) ?? [];
    const cwd = await consumer('sample', 'commonjs');
    await writeFile(join(cwd, 'example.mts'), sample);
    await writeFile(join(cwd, 'plain.mjs'), sample);
    const printed = 'acme-cloud Acme Cloud\nsecond Second\nfirst First\n';
    expect(await run('bash', ['-c', command.replace('npx tsc', TSC)], cwd)).toBe(printed);
    expect(await run(process.execPath, ['plain.mjs'], cwd)).toBe(printed);
    const { body } = await server.list(tenant);
    expect(body.data.map(({ name }) => name)).toEqual(['Second', 'First']);
  });
});

describe('failed build of the client', () => {
  it.each([
    ['an error in a source file', true],
    ['no compiler, as after npm ci --omit=dev', false],
  ])('leaves no dist behind: %s', async (_name, hasCompiler) => {
    const copy = await mkdtemp(join(directory, 'broken-'));
    await cp(CLIENT, copy, { recursive: true, filter: (path) => !path.endsWith('dist') });
    await mkdir(join(copy, 'dist/esm'), { recursive: true });
    await rm(join(copy, 'src'), { recursive: true });
    await mkdir(join(copy, 'src'));
    await writeFile(join(copy, 'src/index.ts'), 'export const wrong: number = "";\n');
    if (hasCompiler) await symlink(resolve('node_modules'), join(copy, 'node_modules'));
    await expect(run(process.execPath, ['build.mjs'], copy)).rejects.toThrow('Could not build the client');
    expect(await readdir(copy)).not.toContain('dist');
  });
});
