// Builds dist/esm and dist/cjs. If either fails, there is no dist.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

process.chdir(import.meta.dirname);
rmSync('dist', { recursive: true, force: true });
try {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  for (const project of ['tsconfig.json', 'tsconfig.cjs.json'])
    execFileSync(process.execPath, [tsc, '--project', project], { stdio: 'inherit' });
  // The package is of type "module": without this, Node.js and TypeScript would read dist/cjs as ES modules.
  writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
} catch (error) {
  rmSync('dist', { recursive: true, force: true });
  process.stderr.write(`The client was not built: ${error.message}\n`);
  process.exitCode = 1;
}
