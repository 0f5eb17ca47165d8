#!/usr/bin/env node
// A file that exists before the build, so that `npm ci` in a checkout links the command.
import { existsSync } from 'node:fs';

const main = new URL('../dist/esm/cli/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write('error: The command is not built. Run: npm ci && npm run build\n');
  process.exitCode = 2;
}
