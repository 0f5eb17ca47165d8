// Checks with recheck that every regular expression of src/ and packages/ matches in linear time. Otherwise, a text of a client
// could block the event loop for seconds.
process.env.RECHECK_BACKEND = 'pure'; // the analysis in JavaScript, without a binary
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { check } from 'recheck';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');
const TIMEOUT_MS = 120_000;
/** Linear patterns take 1 ms for texts of 60,000 characters. */
const LONG_MS = 50;

/** Files whose patterns never meet a text from outside, with the reason. */
const EXCEPTIONS = new Map([
  ['src/platform/config/env-file.ts', 'the file belongs to the operator'],
  ['src/page-documents/components/html-page.tsx', 'the stylesheets belong to the service'],
]);

/** Files that build patterns, with the reason. */
const BUILT = new Map([['src/page-model/parts.ts', 'of constants, for paths of at most 16 KiB']]);

const isSource = (name) => /\.tsx?$/.test(name) && !/(?:^|\/)(?:node_modules|dist|test)\//.test(name);
const files = ['src', 'packages'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((name) => `${folder}/${name}`),
);

/** Places of the patterns by their text. */
const places = new Map();
const faults = [];
for (const file of files) {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const placeOf = (node) => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node) && !EXCEPTIONS.has(file)) places.set(node.text, placeOf(node));
    if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp' && !BUILT.has(file))
      faults.push(`${placeOf(node)}: write a literal, which can be checked`);
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/**
 * Whether the text found by recheck takes a pattern long, by CPU time. recheck judges by the clock, so that on a busy machine it also
 * finds texts for linear patterns, which it calls polynomial or exponential. Quadratic patterns take seconds for its texts of tens of
 * thousands of characters; exponential ones do not end.
 */
function takesLong(pattern, flags, text) {
  const expression = new RegExp(pattern, flags.replace(/[gy]/g, ''));
  const before = process.cpuUsage();
  try {
    runInNewContext('expression.test(text)', { expression, text }, { timeout: 1_000 });
  } catch (error) {
    if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return true;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 > LONG_MS;
}

if (!takesLong('^(a+)+$', '', `${'a'.repeat(40)}!`)) faults.push('an exponential pattern is not found');
if (places.size < 100) faults.push(`found only ${places.size} patterns`);
for (const [text, place] of places) {
  const [, pattern, flags] = /^\/(.*)\/(\w*)$/s.exec(text) ?? [];
  const { status, complexity, attack, error } = await check(pattern, flags, { timeout: TIMEOUT_MS });
  if (status === 'safe') continue;
  if (attack && !takesLong(pattern, flags, attack.string)) continue;
  const reason = complexity?.summary ?? error?.kind ?? '';
  faults.push(`${place}: ${text} is ${status}: ${reason} ${attack?.pattern ?? ''}`);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${places.size} patterns, ${faults.length} to rewrite\n`);
process.exit(faults.length > 0 ? 1 : 0); // the checker keeps a timer
