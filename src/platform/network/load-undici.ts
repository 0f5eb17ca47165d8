import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let loaded: typeof import('undici') | undefined;

/**
 * Returns undici, which is loaded at the first request. Loading takes 100 ms, most starts of a process send nothing, and a caller
 * that has to wait for `import()` could not begin its request synchronously.
 */
export function loadUndici(): typeof import('undici') {
  const undici: typeof import('undici') = loaded ?? require('undici');
  loaded = undici;
  return undici;
}
