/** Replaces the only match of a pattern. Throws if there is none, or more. */
exports.replaceOnly = function replaceOnly(text, pattern, replacement) {
  const matches = [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))];
  if (matches.length !== 1) throw new Error(`expected one match of ${pattern}, found ${matches.length}`);
  return text.replace(pattern, replacement);
};

/** Inserts lines before the only line that matches a pattern. */
exports.insertBefore = (text, pattern, lines) =>
  exports.replaceOnly(text, pattern, (line) => `${lines}${line}`);
