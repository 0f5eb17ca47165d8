// node .ci/failed-files.mjs reports/test.json prints the test files with a failure, one per line. If the process of a worker
// dies, its file is "passed", and the tests that did not end are "pending".
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { name, status, assertionResults } of testResults)
  if (status === 'failed' || assertionResults.some((test) => test.status === 'pending'))
    process.stdout.write(`${relative('.', name)}\n`);
