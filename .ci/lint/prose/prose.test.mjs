import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { check, openApiPlugin, plainEnglish, typescriptPlugin } from './plain-english.mjs';
import { RULES } from './rules.mjs';

const PLUGINS = {
  '.md': markdown.default ?? markdown,
  '.ts': typescriptPlugin,
  '.json': openApiPlugin,
};

/** Lints a file. Returns `line:column match` of each message. */
async function lint(filePath, text) {
  const ext = /\.\w+$/.exec(filePath)[0];
  const { messages } = await new TextlintKernel().lintText(text, {
    filePath,
    ext,
    rules: [{ ruleId: 'plain-english', rule: plainEnglish }],
    plugins: [{ pluginId: 'one', plugin: PLUGINS[ext] }],
  });
  return messages.map(
    ({ loc, message }) => `${loc.start.line}:${loc.start.column} ${/^"([^"]*)"/.exec(message)[1]}`,
  );
}

describe('each rule', () => {
  for (const { id, kinds = ['document'], instead, write } of RULES)
    it(`finds its own example, and accepts the better sentence: ${id}`, () => {
      const own = (text) => check(kinds[0], text).filter(({ message }) => message.includes(instead));
      assert.equal(own(instead).length, 1);
      assert.deepEqual(check(kinds[0], write), []);
    });
});

describe('Markdown', () => {
  it('is linted in paragraphs, lists, headings and tables', async () => {
    const text = '# A folder\n\nA\nfolder.\n\n- A folder.\n\n| a folder |\n| -------- |\n| a folder |\n';
    assert.deepEqual(await lint('a.md', text), [
      '1:5 folder',
      '4:1 folder',
      '6:5 folder',
      '8:5 folder',
      '10:5 folder',
    ]);
  });

  it('is not linted in code and addresses', async () => {
    const text = 'A `folder` and [this](folder.md).\n\n```sh\ncd folder\n```\n\n<img alt="folder">\n';
    assert.deepEqual(await lint('a.md', text), []);
  });

  it('is linted across lines and emphasis', async () => {
    assert.deepEqual(await lint('a.md', 'It **goes\non**.\n'), ['1:6 goes on']);
  });
});

describe('TypeScript', () => {
  it('is linted in comments, across lines', async () => {
    const text = '/**\n * It goes\n * on.\n */\nconst a = 1; // a folder\n';
    assert.deepEqual(await lint('src/a.ts', text), ['2:7 goes on', '5:19 folder']);
  });

  it('is not linted in names, code of comments, and SQL', async () => {
    const text = "/** See {@link folder} and `folder`. */\nexport const folder = 'SELECT a folder FROM b';\n";
    assert.deepEqual(await lint('src/a.ts', text), []);
  });

  it('is linted in strings, templates and sums of them', async () => {
    const text =
      "log.info('It is an empty folder');\nthrow new Error(`The ${folder} goes ` + 'on as before');\n";
    assert.deepEqual(await lint('src/a.ts', text), ['1:26 folder', '2:32 goes on']);
  });

  it('is linted in names of tests, and not in their data', async () => {
    const text =
      "it('is 404 in a test', () => {});\nit.each([1])('has a folder', () => use('an empty folder here'));\n";
    assert.deepEqual(await lint('test/a.test.ts', text), ['1:5 is 404', '1:5 is', '2:15 has', '2:21 folder']);
  });
});

describe('openapi.json', () => {
  it('is linted in titles, summaries and descriptions', async () => {
    const text =
      '{\n  "summary": "List folders",\n  "description": "`folder`\\nWhat it is.",\n  "example": "folder"\n}\n';
    assert.deepEqual(await lint('openapi.json', text), ['2:20 folders']);
  });
});
