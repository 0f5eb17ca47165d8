import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

const entries = readdirSync('packages').map((name) => [
  `@status-pages/${name}`,
  resolve('packages', name, 'src/index.ts'),
]);

/** Vitest loads `packages/` from TypeScript, like the type check with `paths` in tsconfig.json. */
export const FROM_SOURCE = { resolve: { alias: Object.fromEntries(entries) } };
