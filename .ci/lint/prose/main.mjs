// Lints the language of documents, API texts, messages, test names and comments: `npm run lint:prose`, or with paths of files.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, relative, resolve } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { openApiPlugin, plainEnglish, typescriptPlugin } from './plain-english.mjs';

const KINDS = /^(?:openapi\.json|.*\.(?:md|ts|tsx|mjs))$/;
/** Texts that are data of tests, or written by others. */
const IGNORED =
  /^(?:LICENSE|\.ci\/lint\/prose\/|clients\/typescript\/src\/schema|test\/fuzz\/nasty|.*\/fixtures\/)/;

const given = process.argv.slice(2).map((path) => relative(process.cwd(), resolve(path)));
const root = execFileSync('git', ['rev-parse', '--show-toplevel'], { encoding: 'utf8' }).trim();
process.chdir(root);
const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const paths = (given.length > 0 ? given : tracked).filter((path) => KINDS.test(path) && !IGNORED.test(path));

/** Removes the section that lists wrong and right sentences. Lines keep their numbers. */
const withoutExamples = (source) =>
  source.replace(/^## Language$[^]*?(?=^## )/m, (section) => section.replaceAll(/[^\n]/g, ''));

const kernel = new TextlintKernel();
let count = 0;
for (const filePath of paths) {
  const { messages } = await kernel.lintText(withoutExamples(readFileSync(filePath, 'utf8')), {
    filePath,
    ext: extname(filePath),
    rules: [{ ruleId: 'plain-english', rule: plainEnglish }],
    plugins: [
      { pluginId: 'markdown', plugin: markdown.default ?? markdown },
      { pluginId: 'typescript', plugin: typescriptPlugin },
      { pluginId: 'openapi', plugin: openApiPlugin },
    ],
  });
  for (const { loc, message } of messages)
    process.stdout.write(`${filePath}:${loc.start.line}:${loc.start.column} ${message}\n`);
  count += messages.length;
}
process.stdout.write(`${paths.length} files, ${count} sentences to rewrite\n`);
process.exitCode = count > 0 ? 1 : 0;
