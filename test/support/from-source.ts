import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

const entries = readdirSync('packages').map((name) => [
  `@status-pages/${name}`,
  resolve('packages', name, 'src/index.ts'),
]);

/** Vitest loads `packages/` from TypeScript, as `paths` in tsconfig.json does for the type check. */
export const FROM_SOURCE = { resolve: { alias: Object.fromEntries(entries) } };
