// node .ci/failed-files.mjs reports/test.json prints the test files with a failure, one per line.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { name, status } of testResults)
  if (status === 'failed') process.stdout.write(`${relative('.', name)}\n`);
