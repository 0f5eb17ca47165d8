import ts from 'typescript';

/** Functions whose first argument names a test. */
const NAMING = /^(?:describe|it|test)\b/;
const SQL =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|SET|BEGIN|COMMIT|FROM|WHERE|AND|CASE|GREATEST)\b/;

/**
 * The texts of a TypeScript or JavaScript file: its comments, and the names of tests or else the strings.
 * Each text has the length of its source: marks of comments, quotes, code and `${…}` are spaces, so that offsets stay the same.
 */
export function textsOf(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const isTest = /(?:^|\/)test\//.test(path);
  const texts = commentsOf(file, source);
  const add = (kind, node) =>
    texts.push({ kind, start: node.getStart(file), text: stringOf(node, file, source) });
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (
      isTest &&
      ts.isCallExpression(node) &&
      NAMING.test(node.expression.getText(file)) &&
      isString(node.arguments[0])
    ) {
      const isCase = /^(?:it|test)\b/.test(node.expression.getText(file));
      add(isCase ? 'name' : 'unit', node.arguments[0]);
    }
    if (!isTest && isString(node)) {
      if (/\w\s+\w+\s+\w/.test(node.getText(file)) && !SQL.test(node.getText(file).slice(1)))
        add('string', node);
      if (!ts.isTemplateExpression(node)) return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

function isString(node) {
  if (!node) return false;
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return true;
  return isSum(node) && isString(node.left) && isString(node.right);
}

const isSum = (node) => ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

/** The text of a string, of a template, or of a sum of both. */
function stringOf(node, file, source) {
  const start = node.getStart(file);
  const text = Array.from({ length: node.end - start }, (_, index) =>
    source[start + index] === '\n' ? '\n' : ' ',
  );
  const copy = (from, to) => {
    for (let at = from; at < to; at++) text[at - start] = source[at] ?? ' ';
  };
  const visit = (one) => {
    if (ts.isStringLiteralLike(one)) copy(one.getStart(file) + 1, one.end - 1);
    else if (ts.isTemplateExpression(one)) {
      copy(one.head.getStart(file) + 1, one.head.end - 2);
      for (const { expression, literal } of one.templateSpans) {
        for (let at = expression.getStart(file); at < expression.end; at++) text[at - start] = '_';
        copy(literal.getStart(file) + 1, literal.end - (ts.isTemplateTail(literal) ? 1 : 2));
      }
    } else if (isSum(one)) {
      visit(one.left);
      visit(one.right);
    }
  };
  visit(node);
  return maskCode(text.join(''));
}

/** Comments; consecutive lines of `//` are one. */
function commentsOf(file, source) {
  const ranges = new Map();
  const visit = (node) => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
    ])
      ranges.set(range.pos, range.end);
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  const joined = [];
  for (const [pos, end] of [...ranges].toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    const isNext =
      last && source.startsWith('//', pos) && /^[ \t]*\n[ \t]*$/.test(source.slice(last.end, pos));
    if (isNext && source.startsWith('//', last.pos)) last.end = end;
    else joined.push({ pos, end });
  }
  return joined.map(({ pos, end }) => {
    const spaces = (match) => match.replaceAll(/[^\n]/g, ' ');
    const text = source
      .slice(pos, end)
      .replaceAll(/^\/\*\*?|\*\/$|^[ \t]*\*(?!\/)|^[ \t]*\/\/+|\{@link [^}]*\}|@\w+( \w+)?/gm, spaces)
      .replaceAll(/^ {5,}.*$/gm, (line, offset) => (offset === 0 ? line : spaces(line))); // examples in docstrings
    return { kind: 'comment', start: pos, text: maskCode(text) };
  });
}

/** Replaces code between backticks by underscores. */
export function maskCode(text) {
  return text.replaceAll(/`[^`\n]+`/g, (code) => `\`${'_'.repeat(code.length - 2)}\``);
}
