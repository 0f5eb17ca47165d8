import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SOURCES = new URL('../../src', import.meta.url).pathname;
const LEVELS = new Set(['log', 'info', 'warn', 'error', 'fatal']);

/** Files that log a text of another function, with the reasons. */
const OTHER_TEXTS = new Map([['main.ts', 'names of misspelled variables, without their values']]);

/** Characters of a message that identify it. */
const BEGINNING = 30;

interface Message {
  file: string;
  /** Text of the message, with `…` for each value in it; undefined: no text in quotes. */
  text: string | undefined;
}

/** Returns a text in quotes, with `…` for each value in it. */
function textOf(node: ts.Node | undefined): string | undefined {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** Returns the messages that a file logs. */
function messagesOf(file: string, source: string): Message[] {
  const messages: Message[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      if (LEVELS.has(name.text) && /(^|\.)logger$/.test(expression.getText()))
        messages.push({
          file,
          text: textOf(node.arguments.length > 1 ? node.arguments[1] : node.arguments[0]),
        });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return messages;
}

describe('docs/log.md', () => {
  it('contains each message of the log, so that no message contains what a client has sent', async () => {
    const names = (await readdir(SOURCES, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
    const found = await Promise.all(
      names.map(async (name) => messagesOf(name, await readFile(join(SOURCES, name), 'utf8'))),
    );
    const messages = found.flat();
    expect(messages.length).toBeGreaterThan(40);
    const text = await readFile('docs/log.md', 'utf8');
    const documented = text
      .split('\n')
      .flatMap((line) =>
        [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
      );
    const isDocumented = ({ file, text: message }: Message) => {
      if (message === undefined) return OTHER_TEXTS.has(file);
      const beginning = (message.split('…')[0] ?? '').slice(0, BEGINNING).trim();
      return beginning !== '' && documented.some((one) => one.startsWith(beginning));
    };
    expect(messages.filter((message) => !isDocumented(message))).toEqual([]);
  });
});
