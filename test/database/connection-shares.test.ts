import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectionShares } from '../../src/platform/database/connection-shares.js';

describe('connectionShares', () => {
  it.each([2, 3, 4, 5, 7, 10, 20, 99, 1_000])(
    'divides a pool of %i connections between the API and visitors, each with at least one',
    (size) => {
      const { api, visitors, key_lookups, strangers } = connectionShares(size);
      expect(api + visitors).toBe(size);
      for (const share of [api, visitors, key_lookups, strangers]) expect(share).toBeGreaterThanOrEqual(1);
      expect(key_lookups).toBeLessThanOrEqual(api);
      expect(strangers).toBeLessThanOrEqual(visitors);
    },
  );

  it('contains all divisions of the pool size', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .filter((name) => readFileSync(join('src', name), 'utf8').includes('DATABASE_POOL_SIZE'));
    expect(files.toSorted()).toEqual([
      'platform/auth/key-lookup-queue.ts',
      'platform/config/env.ts',
      'platform/database/connection-budget.ts',
      'platform/database/connection-shares.ts',
      'platform/database/database.module.ts',
      'platform/database/replicas.ts',
      'platform/database/statement-runner.ts',
      'platform/server/admission.ts',
      'visitors/cache/visitor-turns.ts',
    ]);
    for (const name of ['key-lookup-queue', 'admission', 'visitor-turns'])
      expect(
        files
          .filter((file) => file.endsWith(`/${name}.ts`))
          .map((file) => readFileSync(join('src', file), 'utf8')),
      ).toEqual([expect.stringContaining('connectionShares(')]);
  });
});
