import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Directory of package.json, which contains `.env`. A relative `DATA_DIR` is relative to it, not to the working directory. */
export const PROJECT_DIR = findUp('package.json', import.meta.dirname);

/** Whether the build runs. Vitest runs the TypeScript files. */
const isBuilt = import.meta.url.endsWith('.js');

/** Returns the path of a file in `src/` that is not compiled, such as a stylesheet. The build copies it. */
export const assetPath = (path: string): string => join(PROJECT_DIR, isBuilt ? 'dist/src' : 'src', path);

/** Returns the path of the built entry of a thread. Threads cannot load TypeScript, so tests use the build as well. */
export const threadPath = (path: string): string => join(PROJECT_DIR, 'dist/src', path);

function findUp(name: string, folder: string): string {
  const parent = dirname(folder);
  return existsSync(join(folder, name)) || parent === folder ? folder : findUp(name, parent);
}

/** Returns the version of the service, from package.json. */
export function readVersion(): string {
  const text = readFileSync(join(PROJECT_DIR, 'package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
}
