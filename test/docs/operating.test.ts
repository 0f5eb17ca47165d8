import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { Env } from '../../src/platform/config/env.js';
import { MAX_FILE_BYTES } from '../../src/platform/validation/body.js';

const guide = readFileSync('docs/operating.md', 'utf8');

/** The documents that explain lines of the log. */
const documents = ['docs/operating.md', 'docs/observability.md'].map((path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
});

const LEVELS = new Set(['fatal', 'error', 'warn', 'info']);

/** The fixed text of a message: of a template, the longest of its parts. */
function fixedText(message: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(message)) return message.text;
  if (!ts.isTemplateExpression(message)) return undefined;
  const parts = [message.head.text, ...message.templateSpans.map(({ literal }) => literal.text)];
  return parts.toSorted((one, other) => other.length - one.length)[0];
}

/** The messages that a file logs, as far as they are in the call. */
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

describe('docs/operating.md', () => {
  it('explains every line of the log', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    const messages = files.flatMap((path) => messagesOf(join('src', path)));
    expect(messages.length).toBeGreaterThan(12);
    // Up to the first colon or comma: what follows can be advice.
    const isExplained = (message: string) => {
      const [start = ''] = message.trim().split(/[:(]/);
      return documents.some((text) => text.includes(start.trim()));
    };
    expect(messages.filter((message) => !isExplained(message))).toEqual([]);
    for (const other of ['request completed', 'request aborted', 'internal_error', 'Did you mean'])
      expect(guide).toContain(other);
  });

  it('names only variables that there are', () => {
    const known = new Set([...Object.keys(new Env()), 'DATABASE_URL_FILE', 'REDIS_URL_FILE']);
    const named = [...guide.matchAll(/\b([A-Z]+_[A-Z_]+)=/g), ...guide.matchAll(/`([A-Z]+_[A-Z_]+)`/g)];
    expect(named.map(([, name = '']) => name).filter((name) => !known.has(name))).toEqual([]);
  });

  it('has commands of the command line that there are', () => {
    const commands = [...guide.matchAll(/^npm run --silent cli -- ([a-z-]+ [a-z]+)/gm)].map(
      ([, name = '']) => name,
    );
    const documented = readFileSync('docs/cli.md', 'utf8');
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter((name) => !documented.includes(`cli -- ${name}`))).toEqual([]);
  });

  it('has links to its own chapters that there are', () => {
    const titles = [...guide.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase());
    const chapters = new Set(titles.map((title) => title.replaceAll(' ', '-')));
    const linked = [...guide.matchAll(/\]\(#([^)]*)\)/g)].map(([, chapter = '']) => chapter);
    expect(linked.filter((chapter) => !chapters.has(chapter))).toEqual([]);
  });

  it('has proxies that let the largest file through', () => {
    const nginx = /client_max_body_size (\d+)m;/.exec(readFileSync('deploy/nginx/status-pages.conf', 'utf8'));
    const caddy = /max_size (\d+)MB/.exec(readFileSync('deploy/caddy/Caddyfile', 'utf8'));
    for (const found of [nginx, caddy])
      expect(Number(found?.[1]) * 1_000_000).toBeGreaterThan(MAX_FILE_BYTES);
  });
});
