import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// For `node --import`: on exit, a process writes the CommonJS modules that it has loaded to LOADED_MODULES.
const { cache } = createRequire(import.meta.url);
process.on('exit', () => writeFileSync(process.env.LOADED_MODULES, Object.keys(cache).join('\n')));
