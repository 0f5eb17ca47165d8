import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { FILE_SUFFIX, SECRETS } from '../../src/platform/config/secret-files.js';
import { Env } from '../../src/platform/config/env.js';
import { MAX_FILE_BYTES } from '../../src/platform/validation/body.js';

const read = (name: string): string => readFileSync(`docs/${name}.md`, 'utf8');

const guide = ['install', 'operations', 'runbooks', 'reverse-proxy', 'backup', 'scaling']
  .map(read)
  .join('\n');

/** The documents that explain the lines of the log. */
const documents = ['log', 'observability'].map(read);

const LEVELS = new Set(['fatal', 'error', 'warn', 'info']);

/** The fixed text of a message. For a template, its longest part. */
function fixedText(message: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(message)) return message.text;
  if (!ts.isTemplateExpression(message)) return undefined;
  const parts = [message.head.text, ...message.templateSpans.map(({ literal }) => literal.text)];
  return parts.toSorted((one, other) => other.length - one.length)[0];
}

/** The messages that a file logs, if they are part of the call. */
function messagesOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression;
      const message = node.arguments.at(-1);
      const text = message && fixedText(message);
      if (LEVELS.has(name.text) && /logger$/i.test(expression.getText()) && text !== undefined)
        found.push(text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('documents for operators', () => {
  it('explain every line of the log', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    const messages = files.flatMap((path) => messagesOf(join('src', path)));
    expect(messages.length).toBeGreaterThan(12);
    // Only the start of the message is required, because the rest can be advice.
    const isExplained = (message: string) => {
      const start = message.split(/[:(]|\. /).find((part) => part.trim() !== '') ?? '';
      return documents.some((text) => text.includes(start.trim()));
    };
    expect(messages.filter((message) => !isExplained(message))).toEqual([]);
    for (const other of ['request completed', 'request aborted', 'Did you mean'])
      expect(documents.some((text) => text.includes(other))).toBe(true);
  });

  it('name only existing variables', () => {
    const files = SECRETS.map((name) => `${name}${FILE_SUFFIX}`);
    const known = new Set([...Object.keys(new Env()), ...files, 'NODE_VERSION']);
    const named = [...guide.matchAll(/\b([A-Z]+_[A-Z_]+)=/g), ...guide.matchAll(/`([A-Z]+_[A-Z_]+)`/g)];
    expect(named.map(([, name = '']) => name).filter((name) => !known.has(name))).toEqual([]);
  });

  it('contain only existing commands of the command line', () => {
    const commands = [...guide.matchAll(/^npm run --silent cli -- ([a-z-]+(?: [a-z]+(?= |$))?)/gm)].map(
      ([, name = '']) => name,
    );
    const documented = readFileSync('docs/cli.md', 'utf8');
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter((name) => !documented.includes(`\n| \`${name}`))).toEqual([]);
  });

  it('describe proxies that accept the largest file', () => {
    const nginx = /client_max_body_size (\d+)m;/.exec(readFileSync('deploy/nginx/status-pages.conf', 'utf8'));
    const caddy = /max_size (\d+)MB/.exec(readFileSync('deploy/caddy/Caddyfile', 'utf8'));
    for (const found of [nginx, caddy])
      expect(Number(found?.[1]) * 1_000_000).toBeGreaterThan(MAX_FILE_BYTES);
  });
});
