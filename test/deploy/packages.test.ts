import { describe, expect, it } from 'vitest';
import { read } from './deployment-files.js';

interface Locked {
  dev?: boolean;
  engines?: { node?: string };
  os?: string[];
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
const { dependencies, devDependencies }: Record<'dependencies' | 'devDependencies', object> = JSON.parse(
  read('package.json'),
);

/** The installed packages by directory. */
function installed(isKept: (locked: Locked) => boolean): string[] {
  return Object.keys(packages).filter((path) => path !== '' && isKept(packages[path] ?? {}));
}

const client: { dependencies: object; bin: Record<string, string> } = JSON.parse(
  read('clients/typescript/package.json'),
);

const production = installed(({ dev }) => !dev);

describe('npm prune --omit=dev', () => {
  it('keeps each production dependency', () => {
    const missing = Object.keys(dependencies).filter((name) => !production.includes(`node_modules/${name}`));
    expect(missing).toEqual([]);
  });

  it('keeps the dependencies of the command status-pages', () => {
    const missing = Object.keys(client.dependencies).filter(
      (name) => !production.includes(`node_modules/${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('keeps the native packages of sharp for each platform of the image', () => {
    const natives = ['linux-x64', 'linux-arm64'].flatMap((platform) => [
      `node_modules/@img/sharp-${platform}`,
      `node_modules/@img/sharp-libvips-${platform}`,
    ]);
    expect(natives.filter((path) => !production.includes(path))).toEqual([]);
  });

  it('keeps no other tools than the compiler and the validator, which @nestjs/swagger and the SDK of MCP use', () => {
    const tools = Object.keys(devDependencies).filter((name) => production.includes(`node_modules/${name}`));
    expect(tools).toEqual(['ajv', 'ajv-formats', 'typescript']);
  });

  it.each(['docs/install.md', 'Dockerfile'])('matches %s', (path) => {
    const prunes = read(path).match(/npm"?,? "?prune.*--omit=dev.*/g) ?? [];
    expect(prunes).toHaveLength(1);
    expect(prunes[0]).not.toContain('--omit=optional');
  });
});

describe('the command status-pages', () => {
  it('comes from npm run build, before the service, so that its failed build writes no service', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
    expect(scripts['build']).toMatch(/^node clients\/typescript\/build\.mjs && /);
  });

  it('stays in the image, with its dependencies', () => {
    const dockerfile = read('Dockerfile');
    const installs = dockerfile.match(/^RUN \["npm", "(?:ci|prune)".*$/gm) ?? [];
    expect(installs.filter((line) => !line.includes('"--workspace=clients"'))).toEqual([]);
    for (const part of ['bin', 'dist'])
      expect(dockerfile).toContain(
        `COPY --from=build /app/clients/typescript/${part} clients/typescript/${part}\n`,
      );
    expect(client.bin).toEqual({ 'status-pages': 'bin/status-pages.js' });
  });
});

/** Versions of Node.js: the minimum, an earlier installed one, and the one of the image. */
const SUPPORTED = ['20.19.0', '20.20.2', `${/^ARG NODE_VERSION=(\d+)$/m.exec(read('Dockerfile'))?.[1]}.15.0`];

const partsOf = (version: string) => version.split('.').map(Number);

/** Returns whether a version is in a range of package.json, of the forms `>=20.19`, `^20.19.0`, `20`, `10.*`, `*` and their unions. */
function isIn(range: string, version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = partsOf(version);
  return range.split('||').some((part) => {
    const [, operator, wanted = ''] = /^(>=|\^|)\s*v?([\d.]*?)(?:\.?[*x])?$/.exec(part.trim()) ?? [];
    if (operator === undefined) throw new Error(`unknown form of a range: ${range}`);
    if (wanted === '') return true;
    const [first = 0, second = 0, third = 0] = partsOf(wanted);
    const isLater = major !== first ? major > first : minor !== second ? minor > second : patch >= third;
    return isLater && (operator === '>=' || major === first);
  });
}

describe('npm ci', () => {
  it.each(SUPPORTED)('installs no package that excludes Node.js %s, of which npm would warn', (version) => {
    const excluded = installed(
      ({ engines, os }) => (os === undefined || os.includes('linux')) && !isIn(engines?.node ?? '*', version),
    );
    expect(excluded).toEqual([]);
  });

  it('reads the ranges of package.json as npm does', () => {
    for (const range of [
      '>=20.19.0',
      '>= 20',
      '^20.19.0 || >=22.12.0',
      '20 || 22',
      '20.*',
      '*',
      '^18 || >=20.5',
    ])
      expect([range, isIn(range, '20.19.0')]).toEqual([range, true]);
    for (const range of ['>=20.19.1', '>=22', '^20.20.0 || ^22.12.0', '18 || 22', '18.*', '^18.0.0'])
      expect([range, isIn(range, '20.19.0')]).toEqual([range, false]);
  });
});
