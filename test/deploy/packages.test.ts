import { describe, expect, it } from 'vitest';
import { read } from './deployment-files.js';

interface Locked {
  dev?: boolean;
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
const { dependencies, devDependencies }: Record<'dependencies' | 'devDependencies', object> = JSON.parse(
  read('package.json'),
);

/** The installed packages by directory. */
function installed(isKept: (locked: Locked) => boolean): string[] {
  return Object.keys(packages).filter((path) => path !== '' && isKept(packages[path] ?? {}));
}

const production = installed(({ dev }) => !dev);

describe('npm prune --omit=dev', () => {
  it('keeps each production dependency', () => {
    const missing = Object.keys(dependencies).filter((name) => !production.includes(`node_modules/${name}`));
    expect(missing).toEqual([]);
  });

  it('keeps the native packages of sharp for each platform of the image', () => {
    const natives = ['linux-x64', 'linux-arm64'].flatMap((platform) => [
      `node_modules/@img/sharp-${platform}`,
      `node_modules/@img/sharp-libvips-${platform}`,
    ]);
    expect(natives.filter((path) => !production.includes(path))).toEqual([]);
  });

  it('keeps no other tool than the compiler, which @nestjs/swagger can use', () => {
    const tools = Object.keys(devDependencies).filter((name) => production.includes(`node_modules/${name}`));
    expect(tools).toEqual(['typescript']);
  });

  it.each(['docs/install.md', 'Dockerfile'])('matches %s', (path) => {
    const prunes = read(path).match(/npm"?,? "?prune.*--omit=dev.*/g) ?? [];
    expect(prunes).toHaveLength(1);
    expect(prunes[0]).not.toContain('--omit=optional');
  });
});
