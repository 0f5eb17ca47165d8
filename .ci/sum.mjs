// Prints the failures in the reports of all suites, the tests that passed only on a retry, the ten slowest files, and the
// totals as the last line.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

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

/**
 * The reports of a suite: the report of all its files, and the report of the files that were run again. A run that
 * ended early writes no report.
 */
const reportsOf = (suite) =>
  [`reports/${suite}.first.json`, `reports/${suite}.json`]
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')));

let passed = 0;
let failed = 0;
/**
 * Tests by file and name, and whether they ran in any suite. Each test must run, because a skipped test is not a
 * success.
 */
const ran = new Map();
for (const suite of SUITES) {
  const reports = reportsOf(suite);
  const last = new Map(); // by file, the result of its last run
  for (const { testResults } of reports) for (const file of testResults) last.set(file.name, file);
  for (const { testResults } of reports)
    for (const file of testResults) {
      const word = last.get(file.name) === file ? 'failed' : 'flaky, passed when run again';
      const failedTests = file.assertionResults.filter(({ status }) => status === 'failed');
      if (file.assertionResults.some(({ status }) => status === 'pending'))
        print(`${word} (${suite}): ${file.name}\nThe process of its worker died.\n`);
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
      if (status === 'failed' || status === 'pending') failed += 1;
      if (status === 'passed' && failureMessages.length > 0)
        print(`flaky, passed at a later try (${suite}): ${fullName}\n${failureMessages[0]}\n`);
    }
}

/** Test files with their seconds, over all suites. */
const files = SUITES.flatMap((suite) =>
  reportsOf(suite).flatMap(({ testResults }) =>
    testResults.map(({ name, startTime, endTime }) => ({
      suite,
      name,
      seconds: (endTime - startTime) / 1_000,
    })),
  ),
);
for (const { suite, name, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
  print(`${seconds.toFixed(0).padStart(5)} s  ${suite}: ${relative('.', name)}`);
for (const [test, { tags, once }] of ran)
  if (!once) {
    failed += 1;
    print(`skipped in every suite (${tags.join(', ')}): ${test}\n`);
  }
// A failed step is a failure, even if every test passed.
print(`\n${passed} passed, ${Math.max(failed, Number(process.env['FAILED_STEPS']))} failed`);
if (failed > 0) process.exitCode = 1;
