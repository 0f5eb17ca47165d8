// Builds dist/esm and dist/cjs, and the command in dist/esm/cli. Removes dist if one of them fails.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

process.chdir(import.meta.dirname);
rmSync('dist', { recursive: true, force: true });
try {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  for (const project of ['tsconfig.json', 'tsconfig.cjs.json', 'tsconfig.cli.json'])
    execFileSync(process.execPath, [tsc, '--project', project], { stdio: 'inherit' });
  // The package has type "module": without this, Node.js and TypeScript would load dist/cjs as ES modules.
  writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
} catch (error) {
  rmSync('dist', { recursive: true, force: true });
  process.stderr.write(`Could not build the client: ${error.message}\n`);
  process.exitCode = 1;
}
