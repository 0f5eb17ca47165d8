// Prints what failed in the reports of all suites, what passed at a later try only, and the sum as the last line.
import { existsSync, readFileSync } from 'node:fs';

const print = (line) => process.stdout.write(`${line}\n`);

const SUITES = [
  'test',
  'postgres',
  'system-postgres',
  'system',
  'pgbouncer',
  'system-pgbouncer',
  'faults',
  'browser',
  'containers',
];

/** The reports of a suite: of all its files, and of those that were run once more. A run that ended early has none. */
const reportsOf = (suite) =>
  [`reports/${suite}.first.json`, `reports/${suite}.json`]
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')));

let passed = 0;
let failed = 0;
/** Tests by their file and name: whether they ran in any suite. Each has to: a skip is no success. */
const ran = new Map();
for (const suite of SUITES) {
  const reports = reportsOf(suite);
  const last = new Map(); // by file, what its last run found
  for (const { testResults } of reports) for (const file of testResults) last.set(file.name, file);
  for (const { testResults } of reports)
    for (const file of testResults) {
      const word = last.get(file.name) === file ? 'failed' : 'flaky, passed when run again';
      const failedTests = file.assertionResults.filter(({ status }) => status === 'failed');
      if (file.status === 'failed' && failedTests.length === 0)
        print(`${word} (${suite}): ${file.name}\n${file.message}\n`);
      for (const { fullName, failureMessages } of failedTests)
        print(`${word} (${suite}): ${file.name}\n${fullName}\n${failureMessages.join('\n')}\n`);
    }
  for (const { name, assertionResults } of last.values())
    for (const { fullName, status, failureMessages, tags } of assertionResults) {
      const test = `${name}\n${fullName}`;
      ran.set(test, { tags, once: status !== 'skipped' || (ran.get(test)?.once ?? false) });
      if (status === 'passed') passed += 1;
      if (status === 'failed') failed += 1;
      if (status === 'passed' && failureMessages.length > 0)
        print(`flaky, passed at a later try (${suite}): ${fullName}\n${failureMessages[0]}\n`);
    }
}
for (const [test, { tags, once }] of ran)
  if (!once) {
    failed += 1;
    print(`skipped in every suite (${tags.join(', ')}): ${test}\n`);
  }
// A failed step is a failure, even where every test passed.
print(`\n${passed} passed, ${Math.max(failed, Number(process.env['FAILED_STEPS']))} failed`);
if (failed > 0) process.exitCode = 1;
