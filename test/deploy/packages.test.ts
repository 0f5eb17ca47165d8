import { describe, expect, it } from 'vitest';
import { read } from './deployment-files.js';

interface Locked {
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(read('package.json'));

/** The packages of an installation, by their folders. */
function installed(isKept: (locked: Locked) => boolean): string[] {
  return Object.keys(packages).filter((path) => path !== '' && isKept(packages[path] ?? {}));
}

const production = installed(({ dev, optional, devOptional }) => !dev && !optional && !devOptional);

describe('npm prune --omit=dev --omit=optional', () => {
  it('keeps each dependency of production', () => {
    const missing = Object.keys(dependencies).filter((name) => !production.includes(`node_modules/${name}`));
    expect(missing).toEqual([]);
  });

  it('removes, of what --omit=dev leaves, the compiler and a driver of another platform only', () => {
    const withoutDev = installed(({ dev }) => !dev);
    expect(withoutDev.filter((path) => !production.includes(path))).toEqual([
      'node_modules/pg-cloudflare',
      'node_modules/typescript', // @nestjs/swagger has a plugin for it
    ]);
  });

  it.each(['README.md', 'docs/operating.md', 'docs/deploying.md', 'Dockerfile'])(
    'is what %s says',
    (path) => {
      const prunes = read(path).match(/npm"?,? "?prune.*--omit=dev.*/g) ?? [];
      expect(prunes).toHaveLength(1);
      expect(prunes[0]).toContain('--omit=optional');
    },
  );
});
