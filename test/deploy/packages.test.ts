import { describe, expect, it } from 'vitest';
import { read } from './deployment-files.js';

interface Locked {
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(read('package.json'));

/** The installed packages by directory. */
function installed(isKept: (locked: Locked) => boolean): string[] {
  return Object.keys(packages).filter((path) => path !== '' && isKept(packages[path] ?? {}));
}

const production = installed(({ dev, optional, devOptional }) => !dev && !optional && !devOptional);

describe('npm prune --omit=dev --omit=optional', () => {
  it('keeps each production dependency', () => {
    const missing = Object.keys(dependencies).filter((name) => !production.includes(`node_modules/${name}`));
    expect(missing).toEqual([]);
  });

  it('removes only the compiler and a driver of another platform after --omit=dev', () => {
    const withoutDev = installed(({ dev }) => !dev);
    expect(withoutDev.filter((path) => !production.includes(path))).toEqual([
      'node_modules/pg-cloudflare',
      'node_modules/typescript', // @nestjs/swagger contains a plugin for it
    ]);
  });

  it.each(['docs/install.md', 'Dockerfile'])('matches %s', (path) => {
    const prunes = read(path).match(/npm"?,? "?prune.*--omit=dev.*/g) ?? [];
    expect(prunes).toHaveLength(1);
    expect(prunes[0]).toContain('--omit=optional');
  });
});
