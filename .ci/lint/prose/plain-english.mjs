import { ASTNodeTypes } from '@textlint/ast-node-types';
import { RULES } from './rules.mjs';
import { maskCode, textsOf } from './texts.mjs';

/** A rule for textlint: reports what a rule of {@link RULES} matches, with an example. */
export function plainEnglish(context) {
  const { Syntax, RuleError, report, getSource, locator } = context;
  const checkText = (node, kind, text) => {
    for (const { at, length, message } of check(kind, text))
      report(node, new RuleError(message, { padding: locator.range([at, at + length]) }));
  };
  const checkMarkdown = (kind) => (node) =>
    checkText(node, node.kind ?? kind, node.text ?? maskMarkdown(node, getSource(node)));
  return {
    [Syntax.Paragraph]: checkMarkdown('document'),
    [Syntax.Header]: checkMarkdown('heading'),
    [Syntax.TableCell]: checkMarkdown('cell'),
  };
}

/** The matches of all rules in a text. */
export function check(kind, text) {
  return RULES.filter(({ kinds }) => !kinds || kinds.includes(kind)).flatMap((rule) => {
    const every = new RegExp(rule.pattern.source, `${rule.pattern.flags}g`);
    return [...text.matchAll(every)].map(({ 0: match, index }) => {
      const at = index + (match.length - match.trimStart().length);
      const found = match.trim().replaceAll(/\s+/g, ' ').slice(0, 40);
      const message = `"${found}": ${rule.rule}. Instead of "${rule.instead}", write "${rule.write}"`;
      return { at, length: Math.max(1, match.trim().length), message };
    });
  });
}

/** The source of a node, with code, addresses and marks replaced, and every character in its place. */
function maskMarkdown(node, source) {
  const text = [...Array(source.length)].map((_, index) => source[index]);
  const start = node.range[0];
  const fill = (from, to, character) => {
    for (let at = from - start; at < to - start; at++) if (text[at] !== '\n') text[at] = character;
  };
  const visit = (one) => {
    if (one.type === 'Code' || one.type === 'Html' || one.type === 'Image')
      fill(one.range[0], one.range[1], '_');
    else if (one.type === 'Link') {
      const end = one.children.at(-1)?.range[1] ?? one.range[0];
      fill(end, one.range[1], ' ');
      fill(one.range[0], one.children[0]?.range[0] ?? end, ' ');
      one.children.forEach(visit);
    } else one.children?.forEach(visit);
  };
  node.children?.forEach(visit);
  return maskCode(text.join('').replaceAll(/\*\*|^#+/g, (marks) => ' '.repeat(marks.length)));
}

/** A plugin for textlint: each text of a TypeScript file is a paragraph. */
export const typescriptPlugin = {
  Processor: class {
    availableExtensions() {
      return ['.ts', '.tsx', '.mjs'];
    }

    processor() {
      return {
        preProcess: (source, path) => documentOf(source, textsOf(path, source)),
        postProcess: (messages, filePath) => ({ messages, filePath }),
      };
    }
  },
};

/** A plugin for textlint: the titles, summaries and descriptions of an OpenAPI document. */
export const openApiPlugin = {
  Processor: class {
    availableExtensions() {
      return ['.json'];
    }

    processor() {
      return {
        preProcess: (source) => {
          const lines = source.matchAll(
            /^ *"(?:title|summary|description|x-[\w-]*description)": "(.*)",?$/gm,
          );
          const texts = [...lines].map(({ 0: line, 1: text, index }) => ({
            kind: 'openapi',
            start: index + line.indexOf(': "') + 3,
            text: maskCode(text.replaceAll('\\n', '  ')),
          }));
          return documentOf(source, texts);
        },
        postProcess: (messages, filePath) => ({ messages, filePath }),
      };
    }
  },
};

function documentOf(source, texts) {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const positionOf = (offset) => {
    let line = starts.length - 1;
    while (starts[line] > offset) line -= 1;
    return { line: line + 1, column: offset - starts[line] };
  };
  const nodeOf = (type, start, end, more) => ({
    type,
    raw: source.slice(start, end),
    range: [start, end],
    loc: { start: positionOf(start), end: positionOf(end) },
    ...more,
  });
  const children = texts.map(({ kind, start, text }) =>
    nodeOf(ASTNodeTypes.Paragraph, start, start + text.length, { kind, text, children: [] }),
  );
  return nodeOf(ASTNodeTypes.Document, 0, source.length, { children });
}
